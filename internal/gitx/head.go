package gitx

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Branch returns the branch HEAD of the repository l names; an unborn branch has its name. It is read in process, git is
// asked only where refs are not files. ok is false on a detached HEAD.
func (g Git) Branch(ctx context.Context, l Layout) (branch string, ok bool) {
	text, err := os.ReadFile(filepath.Join(l.GitDir, "HEAD"))
	if err != nil {
		return "", false
	}
	branch, ok = strings.CutPrefix(strings.TrimSpace(string(text)), "ref: refs/heads/")
	if branch != refsInTable {
		return branch, ok
	}
	branch, err = g.Out(ctx, "symbolic-ref", "--short", "HEAD")
	return branch, err == nil && branch != ""
}

// refsInTable is the branch that HEAD names where refs are not files but rows of a table.
const refsInTable = ".invalid"

// KeepsBranch reports whether a branch stands in a file of its own. One that does not may still be there: git knows.
func (l Layout) KeepsBranch(name string) bool {
	info, err := os.Lstat(filepath.Join(l.CommonDir, "refs", "heads", filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular()
}

// HeadID returns the commit HEAD of the repository l is at, "" on an unborn branch, without starting git. ok is false
// where that cannot be read from files.
func (l Layout) HeadID() (id string, ok bool) {
	text, err := os.ReadFile(filepath.Join(l.GitDir, "HEAD"))
	if err != nil {
		return "", false
	}
	head := strings.TrimSpace(string(text))
	ref, symbolic := strings.CutPrefix(head, "ref: ")
	if !symbolic {
		return head, head != ""
	}
	if ref == "refs/heads/"+refsInTable {
		return "", false
	}
	if text, err := os.ReadFile(filepath.Join(l.CommonDir, filepath.FromSlash(ref))); err == nil {
		id := strings.TrimSpace(string(text))
		return id, id != "" && !strings.HasPrefix(id, "ref: ")
	}
	packed, err := os.ReadFile(filepath.Join(l.CommonDir, "packed-refs"))
	if err != nil {
		return "", os.IsNotExist(err)
	}
	for line := range strings.Lines(string(packed)) {
		if id, found := strings.CutSuffix(strings.TrimSpace(line), " "+ref); found {
			return id, true
		}
	}
	return "", true
}
