// Package plugin adds plugins from elsewhere: a folder, a git repository, an archive or a marketplace's entry is fetched
// without running anything of it, checked, shown, pinned in a lock file and wired to the client.
package plugin

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/Masterminds/semver/v3"
)

// The kinds of sources.
const (
	Folder      = "folder"
	Git         = "git"
	Archive     = "archive"
	Marketplace = "marketplace"
)

// Source says where a plugin comes from, as `viber plugin add` reads it.
type Source struct {
	Kind string
	// Address is the folder, the repository's or the archive's URL, or the marketplace file.
	Address string
	// Sub is the folder of the plugin inside the source, with forward slashes; empty = the top.
	Sub string
	// Entry is the plugin's name in a marketplace file.
	Entry string
	// Ref is a branch, tag or commit; Constraint a semver constraint on the tags. At most one is set.
	Ref, Constraint string
}

// ParseSource reads SOURCE[@CONSTRAINT] in go-getter's notation: `//` starts the folder inside, `?ref=` names a branch,
// tag or commit. FILE#NAME is the entry NAME of a marketplace file. Forms that would choose a program to fetch with
// (`git::`, `s3::`) are refused. Relative folders are taken from dir.
func ParseSource(text, ref, dir string) (Source, error) {
	if err := wholeText(text); err != nil {
		return Source{}, err
	}
	if s, ok := literalFolder(text, ref, dir); ok {
		return s, s.check()
	}
	if before, _, found := strings.Cut(text, "::"); found && !strings.ContainsAny(before, `/\:.`) {
		return Source{}, fmt.Errorf("%q: %s:: is not taken; write the plain address", text, before)
	}
	text, constraint, err := cutConstraint(text)
	if err != nil {
		return Source{}, err
	}
	s := Source{Ref: ref, Constraint: constraint}
	if text, s.Entry, _ = strings.Cut(text, "#"); s.Entry != "" {
		s.Kind, s.Address = Marketplace, absolute(dir, text)
		return s, s.check()
	}
	text, query, _ := strings.Cut(text, "?")
	if err := s.readQuery(query); err != nil {
		return Source{}, err
	}
	s.Address, s.Sub = cutSub(text)
	s.classify(dir)
	return s, s.check()
}

func wholeText(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("name a source: a folder, a git repository, an https archive or MARKETPLACE#NAME")
	}
	if strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("%q: holds a control character", text)
	}
	return nil
}

// literalFolder is the folder that is called just like text, whatever text could mean beside it.
func literalFolder(text, ref, dir string) (Source, bool) {
	if !strings.ContainsAny(text, "@#?") {
		return Source{}, false
	}
	s := Source{Kind: Folder, Address: absolute(dir, text), Ref: ref}
	if info, err := os.Stat(s.Address); err != nil || !info.IsDir() {
		return Source{}, false
	}
	if ref != "" {
		s.Kind = Git
	}
	return s, true
}

func (s *Source) readQuery(query string) error {
	if query == "" {
		return nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return fmt.Errorf("?%s: %w", query, err)
	}
	for key := range values {
		if key != "ref" {
			return fmt.Errorf("?%s=: only ?ref= is taken", key)
		}
	}
	if s.Ref != "" && values.Get("ref") != s.Ref {
		return errors.New("--ref and ?ref= name different versions; give one of them")
	}
	s.Ref = values.Get("ref")
	return nil
}

func (s *Source) classify(dir string) {
	switch {
	case isURL(s.Address):
		s.Kind = Git
		if isArchive(s.Address) {
			s.Kind = Archive
		}
	case isSSH(s.Address):
		s.Kind = Git
	case hostPath(s.Address):
		s.Kind, s.Address = Git, "https://"+s.Address
	default:
		s.Kind, s.Address = Folder, absolute(dir, s.Address)
		if s.Ref != "" || s.Constraint != "" {
			s.Kind = Git // a folder with a version is a repository on this machine
		}
	}
}

func (s *Source) check() error {
	switch {
	case s.Ref != "" && s.Constraint != "":
		return errors.New("give --ref or @CONSTRAINT, not both")
	case strings.HasPrefix(s.Ref, "-"):
		return fmt.Errorf("--ref %q: not the name of a branch, tag or commit", s.Ref)
	case s.Kind == Archive && (s.Ref != "" || s.Constraint != ""):
		return errors.New("an archive is one version; --ref and @CONSTRAINT choose among a repository's")
	case s.Kind == Marketplace && (s.Ref != "" || s.Constraint != ""):
		return errors.New("a marketplace's entry says its version itself; leave out --ref and @CONSTRAINT")
	case strings.HasPrefix(s.Address, "http://"):
		return fmt.Errorf("%s: only https is taken", s.Address)
	case s.Kind != Folder && strings.HasPrefix(s.Address, "-"):
		return fmt.Errorf("%q: not an address", s.Address)
	case isURL(s.Address) && hasPassword(s.Address):
		return errors.New("the address carries a user or a password, which would be written into the lock file; let git's credential helper give it")
	}
	for part := range strings.SplitSeq(s.Sub, "/") {
		if part == ".." {
			return fmt.Errorf("//%s: leaves the source", s.Sub)
		}
	}
	return nil
}

// String writes the source as a user would type it, without the version.
func (s Source) String() string {
	text := s.Address
	if s.Sub != "" {
		text += "//" + s.Sub
	}
	if s.Entry != "" {
		text += "#" + s.Entry
	}
	return text
}

// cutConstraint splits "SOURCE@~1.2": the last @ counts when what follows it is a constraint and no part of an address.
func cutConstraint(text string) (source, constraint string, err error) {
	i := strings.LastIndexByte(text, '@')
	if i <= 0 || strings.ContainsAny(text[i:], `/\`) || i == scpUser(text) {
		return text, "", nil
	}
	if _, err := semver.NewConstraint(text[i+1:]); err != nil {
		return "", "", fmt.Errorf("@%s: not a version or a range; write @1.4.2 or @~1.4, or --ref for a branch", text[i+1:])
	}
	return text[:i], text[i+1:], nil
}

// cutSub splits at the `//` that is no part of a scheme.
func cutSub(text string) (address, sub string) {
	start := 0
	if i := strings.Index(text, "://"); i >= 0 {
		start = i + len("://")
	}
	i := strings.Index(text[start:], "//")
	if i < 0 {
		return text, ""
	}
	return text[:start+i], strings.Trim(text[start+i:], "/")
}

func isURL(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") }

func isSSH(s string) bool { return strings.HasPrefix(s, "ssh://") || scpUser(s) > 0 }

// scpUser returns the length of USER in ssh's short form USER@HOST:PATH, or 0 when s has another form.
func scpUser(s string) int {
	user, rest, ok := strings.Cut(s, "@")
	host, path, ok2 := strings.Cut(rest, ":")
	if !ok || !ok2 || user == "" || host == "" || path == "" || strings.ContainsAny(user+host, `/\@ `) {
		return 0
	}
	return len(user)
}

func isArchive(s string) bool {
	for _, ext := range []string{".tar.gz", ".tgz", ".zip"} {
		if strings.HasSuffix(strings.ToLower(s), ext) {
			return true
		}
	}
	return false
}

// hostPath reports a short address such as github.com/owner/repo: a host with a dot, then at least two parts.
func hostPath(s string) bool {
	host, rest, ok := strings.Cut(s, "/")
	return ok && strings.Contains(host, ".") && !strings.HasPrefix(host, ".") && strings.Contains(strings.Trim(rest, "/"), "/") &&
		!strings.ContainsAny(host, `\:`)
}

// hasPassword reports whether the address carries a secret; hosts take a token in the place of the user's name too.
func hasPassword(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return false
	}
	_, has := u.User.Password()
	return has || u.User.Username() != "git"
}

func absolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) || path == "" {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
