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
	if branch != ".invalid" { // what HEAD says where refs live in a table
		return branch, ok
	}
	branch, err = g.Out(ctx, "symbolic-ref", "--short", "HEAD")
	return branch, err == nil && branch != ""
}
