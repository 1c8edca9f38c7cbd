package plugin

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"viber/install/upgrade"
	"viber/internal/gitx"
)

// git reads the plugin from a repository: one commit is fetched into an empty bare repository and its blobs are read as
// they are stored. Nothing is checked out, so no hook, filter, submodule or line ending rule has a say.
func (f Fetcher) git(ctx context.Context, s Source) (Fetched, error) {
	got := Fetched{Source: s}
	g := f.Git
	g.Dir = filepath.Join(f.Temp, "git")
	if err := os.MkdirAll(g.Dir, 0o700); err != nil { //nolint:forbidigo // inside the caller's temporary folder
		return got, err
	}
	if err := run(ctx, g, "init", "--quiet", "--bare"); err != nil {
		return got, err
	}
	ref := s.Ref
	if s.Constraint != "" {
		tag, err := chooseTag(ctx, g, s)
		if err != nil {
			return got, err
		}
		got.Tag, ref = tag, "refs/tags/"+tag
	}
	if ref == "" {
		ref = "HEAD"
	}
	if err := run(ctx, g, "fetch", "--quiet", "--no-tags", "--depth=1", "--no-recurse-submodules", "--", s.Address, ref); err != nil {
		return got, fmt.Errorf("%s: %w", s.Address, err)
	}
	commit, err := g.Out(ctx, hardened("rev-parse", "--verify", "FETCH_HEAD^{commit}")...)
	if err != nil {
		return got, fmt.Errorf("%s: %w", s.Address, err)
	}
	got.Commit = commit
	got.Tree, err = readCommit(ctx, g, commit, s.Sub)
	if err != nil {
		return got, fmt.Errorf("%s: %w", s, err)
	}
	return got, nil
}

// hardened puts the settings in front of a git command that keep a stranger's repository from starting anything.
func hardened(args ...string) []string {
	return append([]string{
		"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.autocrlf=false", "-c", "core.symlinks=false",
		"-c", "protocol.allow=never", "-c", "protocol.https.allow=always", "-c", "protocol.ssh.allow=always", "-c", "protocol.file.allow=always",
		"-c", "submodule.recurse=false", "-c", "fetch.fsckObjects=true",
	}, args...)
}

func run(ctx context.Context, g gitx.Git, args ...string) error {
	res, err := g.Run(ctx, nil, hardened(args...)...)
	if err != nil {
		return err
	}
	if res.Code != 0 {
		return gitx.Fail(args[0], res)
	}
	return nil
}

// Tags lists the tags of the repository of s.
func (f Fetcher) Tags(ctx context.Context, s Source) ([]string, error) {
	g := f.Git
	g.Dir = f.Temp
	return tags(ctx, g, s)
}

func tags(ctx context.Context, g gitx.Git, s Source) ([]string, error) {
	out, err := g.Out(ctx, hardened("ls-remote", "--tags", "--refs", "--", s.Address)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Address, err)
	}
	var list []string
	for line := range strings.Lines(out) {
		if _, ref, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			list = append(list, strings.TrimPrefix(ref, "refs/tags/"))
		}
	}
	return list, nil
}

func chooseTag(ctx context.Context, g gitx.Git, s Source) (string, error) {
	list, err := tags(ctx, g, s)
	if err != nil {
		return "", err
	}
	newest, err := upgrade.Newest(list, s.Constraint)
	if err != nil {
		return "", fmt.Errorf("%s: none of its %d tags fits @%s", s.Address, len(list), s.Constraint)
	}
	return newest.Original(), nil
}

type blob struct {
	path, id   string
	executable bool
}

func readCommit(ctx context.Context, g gitx.Git, commit, sub string) (Tree, error) {
	listing, err := g.Run(ctx, nil, hardened("ls-tree", "-r", "-z", "--long", "--full-tree", commit)...)
	if err != nil {
		return nil, err
	}
	blobs, err := parseListing(listing.Stdout, sub)
	if err != nil {
		return nil, err
	}
	if len(blobs) == 0 {
		return nil, errEmpty
	}
	var ids bytes.Buffer
	for _, b := range blobs {
		ids.WriteString(b.id + "\n")
	}
	res, err := g.Run(ctx, ids.Bytes(), hardened("cat-file", "--batch")...)
	if err != nil {
		return nil, err
	}
	return unpackBatch(res.Stdout, blobs)
}

// parseListing reads `ls-tree -r -z --long` and refuses what a plugin may not hold: links and submodules.
func parseListing(listing []byte, sub string) ([]blob, error) {
	prefix := ""
	if sub != "" {
		prefix = sub + "/"
	}
	var blobs []blob
	var total int64
	for record := range strings.SplitSeq(string(listing), "\x00") {
		meta, path, ok := strings.Cut(record, "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 4 || !strings.HasPrefix(path, prefix) {
			continue
		}
		if mode := fields[0]; mode != "100644" && mode != "100755" && mode != "100664" {
			return nil, fmt.Errorf("%q is a link or a submodule, which a plugin may not hold", path)
		}
		size, _ := strconv.ParseInt(fields[3], 10, 64)
		if total += size; total > treeLimit || len(blobs) >= fileLimit {
			return nil, fmt.Errorf("holds more than %d MB or %d files", treeLimit>>20, fileLimit)
		}
		blobs = append(blobs, blob{path: path[len(prefix):], id: fields[2], executable: fields[0] == "100755"})
	}
	return blobs, nil
}

// unpackBatch splits the output of `cat-file --batch`: for each id a line "<id> blob <size>", the bytes, a line end.
func unpackBatch(out []byte, blobs []blob) (Tree, error) {
	files := make([]File, 0, len(blobs))
	for _, b := range blobs {
		head, rest, ok := bytes.Cut(out, []byte("\n"))
		fields := strings.Fields(string(head))
		if !ok || len(fields) != 3 || fields[0] != b.id {
			return nil, fmt.Errorf("git cat-file: no content of %s", b.path)
		}
		size, err := strconv.Atoi(fields[2])
		if err != nil || size < 0 || size+1 > len(rest) {
			return nil, fmt.Errorf("git cat-file: %s is cut off", b.path)
		}
		files = append(files, File{Path: b.path, Executable: b.executable, Data: rest[:size]})
		out = rest[size+1:]
	}
	return NewTree(files)
}
