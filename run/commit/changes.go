package commit

import (
	"bytes"
	"context"
	"strings"
)

// maxArgs bounds the paths on one command line, in bytes: Windows takes 32,767 characters in all.
const maxArgs = 24000

// worktree is what git status says about the paths of a call.
type worktree struct {
	head    string // commit id, "" on an unborn branch
	entries []entry
}

// entry is one changed path.
type entry struct {
	path      string
	untracked bool
	unmerged  bool
	dirty     bool // the work tree differs from the index
}

// look asks git status for the paths (none = all). A list too long for one command line is looked up in one go without it.
func (r *repo) look(ctx context.Context, paths []string) (worktree, error) {
	args := []string{"--no-optional-locks", "status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames"}
	if length(paths) <= maxArgs && len(paths) > 0 {
		args = append(append(args, "--"), paths...)
	}
	out, err := r.must(ctx, "", nil, args...)
	if err != nil {
		return worktree{}, err
	}
	return parseStatus(out), nil
}

func length(paths []string) int {
	n := 0
	for _, p := range paths {
		n += len(p) + 1
	}
	return n
}

// parseStatus reads `git status --porcelain=v2 -z`.
func parseStatus(out []byte) worktree {
	var w worktree
	for line := range bytes.SplitSeq(out, []byte{0}) {
		s := string(line)
		switch {
		case strings.HasPrefix(s, "# branch.oid "):
			if oid := s[len("# branch.oid "):]; oid != "(initial)" {
				w.head = oid
			}
		case strings.HasPrefix(s, "? "):
			w.entries = append(w.entries, entry{path: s[2:], untracked: true, dirty: true})
		case strings.HasPrefix(s, "1 "):
			if f := strings.SplitN(s, " ", 9); len(f) == 9 {
				w.entries = append(w.entries, entry{path: f[8], dirty: len(f[1]) == 2 && f[1][1] != '.'})
			}
		case strings.HasPrefix(s, "u "):
			if f := strings.SplitN(s, " ", 11); len(f) == 11 {
				w.entries = append(w.entries, entry{path: f[10], unmerged: true})
			}
		}
	}
	return w
}

// change is one path that differs between two trees.
type change struct {
	path             string
	oldMode, newMode string
	oldID, newID     string
}

// parseRaw reads the NUL-separated raw format of git's diff commands up to its end or an empty field.
func parseRaw(out []byte) []change {
	var list []change
	for len(out) > 0 && out[0] == ':' {
		head, rest, _ := bytes.Cut(out, []byte{0})
		name, after, _ := bytes.Cut(rest, []byte{0})
		f := strings.Fields(string(head[1:]))
		if len(f) < 5 {
			break
		}
		list = append(list, change{path: string(name), oldMode: f[0], newMode: f[1], oldID: f[2], newID: f[3]})
		out = after
	}
	return list
}

// indexInfo is what `git update-index -z --index-info` takes to give each path its new (or old) side. Deletions come
// first, so that a file may take the place of a directory.
func indexInfo(list []change, old bool) []byte {
	var gone, set bytes.Buffer
	for _, c := range list {
		mode, id := c.newMode, c.newID
		if old {
			mode, id = c.oldMode, c.oldID
		}
		if strings.Trim(mode, "0") == "" {
			gone.WriteString("0 " + strings.Repeat("0", len(id)) + "\t" + c.path + "\x00")
		} else {
			set.WriteString(mode + " " + id + "\t" + c.path + "\x00")
		}
	}
	return append(gone.Bytes(), set.Bytes()...)
}

// orEmptyTree is the commit id, or on an unborn branch ("") the tree without entries in the hash of the repository.
func (r *repo) orEmptyTree(ctx context.Context, commit string) (string, error) {
	if commit != "" {
		return commit, nil
	}
	out, err := r.must(ctx, "", []byte{}, "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

func nulList(paths []string) []byte {
	var b bytes.Buffer
	for _, p := range paths {
		b.WriteString(p)
		b.WriteByte(0)
	}
	return b.Bytes()
}
