//go:build unix

package program

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestFindOutside: neither a program in the project nor a link in it is taken, nor a link elsewhere that leads into it.
func TestFindOutside(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, links, outside := filepath.Join(base, "project"), filepath.Join(base, "links"), filepath.Join(base, "outside")
	for _, dir := range []string{project, links, outside} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{project, outside} {
		if err := os.WriteFile(filepath.Join(dir, "git"), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(project, "git"), filepath.Join(links, "git")); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + project + ":" + links + ":.:" + outside}
	if got, ok := FindOutside(project, "git", environ); !ok || got != filepath.Join(outside, "git") {
		t.Errorf("found %q, want the one outside", got)
	}
	if got, ok := Find("git", environ); !ok || got != filepath.Join(project, "git") {
		t.Errorf("without a project: %q, want the first", got)
	}
	if got, ok := FindOutside(base, "git", environ); ok {
		t.Errorf("found %q inside", got)
	}
}

// TestOutputIsBounded: what a program writes past the bound is an error, and is not kept.
func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	res, err := Run(t.Context(), Call{Path: "/bin/sh", Args: []string{"-c", "head -c 100000 /dev/zero"}, Env: []string{"PATH=/usr/bin:/bin"}, MaxOutput: 1000})
	if !errors.Is(err, ErrTooLong) || len(res.Stdout) > 1000 {
		t.Errorf("%d bytes are kept: %v", len(res.Stdout), err)
	}
}
