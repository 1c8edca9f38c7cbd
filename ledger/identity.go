package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path/filepath"
	"strings"

	"viber/internal/gitx"
)

// Identity names the repository whose memory a ledger is: its normalised remote, else its root commit, else the place it
// stands in.
func Identity(ctx context.Context, git gitx.Git, root string) string {
	if remote := remoteURL(ctx, git); remote != "" {
		return Normalise(remote)
	}
	if text, err := git.Out(ctx, "rev-list", "--max-parents=0", "HEAD"); err == nil && text != "" {
		lines := strings.Fields(text)
		return "root:" + lines[len(lines)-1]
	}
	return "dir:" + filepath.ToSlash(root)
}

// remoteURL is origin's, else that of the first remote by name.
func remoteURL(ctx context.Context, git gitx.Git) string {
	text, err := git.Out(ctx, "config", "--get-regexp", `^remote\..*\.url$`)
	if err != nil {
		return ""
	}
	best := ""
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if key == "remote.origin.url" {
			return value
		}
		if best == "" {
			best = value
		}
	}
	return best
}

// Normalise gives the spellings of one remote one form, host/path: scheme, user, password, port, ".git" and a trailing
// slash do not matter; the host's case does not either.
func Normalise(remote string) string {
	remote = strings.TrimSpace(remote)
	host, path := "", ""
	if u, err := url.Parse(remote); err == nil && u.Host != "" && !strings.EqualFold(u.Scheme, "file") {
		host, path = u.Hostname(), u.Path
	} else if at, rest, ok := strings.Cut(remote, ":"); ok && at != "file" && !strings.ContainsAny(at, `/\`) && len(at) > 1 {
		host, path = at[strings.LastIndexByte(at, '@')+1:], rest
	} else {
		return "file:" + strings.TrimSuffix(strings.TrimSuffix(filepath.ToSlash(strings.TrimPrefix(remote, "file://")), "/"), ".git")
	}
	path = strings.TrimSuffix(strings.TrimSuffix(strings.Trim(path, "/"), ".git"), "/")
	return strings.ToLower(host) + "/" + path
}

// folder is the name of a repository's folder: readable, and one for every identity.
func folder(identity string) string {
	sum := sha256.Sum256([]byte(identity))
	var b strings.Builder
	for _, c := range identity[max(0, len(identity)-40):] {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '-':
			b.WriteRune(c)
		default:
			b.WriteByte('_')
		}
	}
	return strings.Trim(b.String(), "._") + "-" + hex.EncodeToString(sum[:6])
}
