//go:build !windows

package commit_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// What git cannot read is no lack of changes: the call is refused, and nobody is asked where the work went.
func TestAFileThatCannotBeReadIsNoLackOfChanges(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "1\n")
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	w.write("../bin/git", "#!/bin/sh\ncase \"$*\" in *update-index*) echo 'error: open(\"lib/store.py\"): Permission denied' >&2\n"+
		"echo 'fatal: Unable to process path lib/store.py' >&2; exit 128;; esac\nexec "+real+" \"$@\"\n")
	if err := os.Chmod(w.path("../bin/git"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := w.picture()
	broken := w
	broken.env = append([]string{"PATH=" + w.path("../bin") + ":" + os.Getenv("PATH")}, w.env[1:]...)
	s := broken.call("commit-task", planPath, "T1")
	for _, line := range []string{"warning: could not stage lib/store.py - error: open", "error: nothing could be staged: lib/store.py\n", "error: not committed - status rolled back"} {
		if s.code != 5 || !strings.Contains(s.err, line) {
			t.Errorf("exit %d, stderr lacks %q: %q", s.code, line, s.err)
		}
	}
	if w.picture() != before || w.read(runDir+"/status.md") != fresh {
		t.Error("the refusal left something")
	}
	noLeftovers(w)
}

// A run whose plan cannot be read is named, and the others are found.
func TestARunThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("docs/_specs/2026-05-05-05-05-05_loop/status.md", fresh)
	if err := os.Symlink("plan.md", w.path("docs/_specs/2026-05-05-05-05-05_loop/plan.md")); err != nil {
		t.Fatal(err)
	}
	w.write("docs/_specs/notes/plan.txt", "no run\n")
	s := w.must("plan-path")
	if !strings.HasPrefix(s.out, "path: "+planPath+"\n") || !strings.Contains(s.err, "warning: docs/_specs/2026-05-05-05-05-05_loop/plan.md: too many levels of symbolic links") {
		t.Errorf("stdout %q, stderr %q", s.out, s.err)
	}
	if strings.Contains(s.err, "notes") {
		t.Errorf("a folder without a plan is named: %q", s.err)
	}
}
