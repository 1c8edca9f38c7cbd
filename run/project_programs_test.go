//go:build unix

package run

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A project's settings can set PATH: a browser opener or a playwright-cli that the project brings is not started.
func TestProgramsOfTheProjectAreNotStarted(t *testing.T) {
	t.Parallel()
	project, outside := t.TempDir(), t.TempDir()
	started := filepath.Join(outside, "started")
	script := "#!/bin/sh\necho 1.2.3\n: > '" + started + "'\n"
	for _, name := range []string{"open", "wslview", "xdg-open", "playwright-cli"} {
		file := filepath.Join(project, "bin", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(project, "bin"), filepath.Join(outside, "link")); err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(project, "page.html")
	if err := os.WriteFile(page, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{filepath.Join(project, "bin"), filepath.Join(outside, "link")} {
		var out bytes.Buffer
		c := Call{Args: []string{page}, Dir: project, Environ: []string{"PATH=" + dir, "DISPLAY=:0"}, Out: &out, Err: &out}
		if err := OpenPage(context.Background(), c); err != nil {
			t.Log(err)
		}
		if err := CheckPlaywright(context.Background(), c); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(started); err == nil {
			t.Errorf("PATH %s: a program of the project was started", dir)
		}
		if !strings.Contains(out.String(), "playwright-cli: found (version unknown)") {
			t.Errorf("%s", out.String())
		}
	}
}
