package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// windowsRepository lays a repository and a linked work tree out by hand, spelled as git for Windows does: there is no git
// in the test's Windows, and none of this needs one.
func windowsRepository(t *testing.T, w wine) {
	t.Helper()
	gitDir := strings.ReplaceAll(w.path("project", ".git"), `\`, "/")
	tree := strings.ReplaceAll(w.path("project.worktrees", "r1"), `\`, "/")
	for name, text := range map[string]string{
		"project/.git/HEAD":                   "ref: refs/heads/main\n",
		"project/.git/config":                 "[core]\n\trepositoryformatversion = 0\n",
		"project/.git/objects/info/keep":      "",
		"project/.git/refs/heads/keep":        "",
		"project/.git/worktrees/r1/HEAD":      "ref: refs/heads/topic\n",
		"project/.git/worktrees/r1/commondir": "../..\n",
		"project/.git/worktrees/r1/gitdir":    tree + "/.git\r\n",
		"project.worktrees/r1/.git":           "gitdir: " + gitDir + "/worktrees/r1\r\n",
		"project.worktrees/r1/work/a.txt":     "mine\n",
	} {
		path := filepath.Join(w.drive, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// refused runs the Windows build and wants an exit code and a text.
func (w wine) refused(code int, text string, args ...string) {
	w.t.Helper()
	stdout, stderr, got := w.viber("", args...)
	if got != code || !strings.Contains(stdout+stderr, text) {
		w.t.Errorf("viber %s: exit %d, want %d with %q\n%s%s", strings.Join(args, " "), got, code, text, stdout, stderr)
	}
}

// TestWindowsRunState parks a run and answers it, takes and gives locks, and finds every reason to leave a work tree alone,
// all by Windows paths.
func TestWindowsRunState(t *testing.T) {
	w := startWine(t)
	windowsRepository(t, w)
	w.must("", "run", "state", "set", "r1", "--if-version", "0", "status=running")
	w.must("", "run", "state", "ask", "r1", "--id", "q", "--step", "s", "--text", "Ship?", "--option", "yes=Yes", "--option", "no=No")
	w.refused(1, "is no answer", "answer", "r1", "--answer", "maybe")
	w.must("", "answer", "r1", "--answer", "yes")
	w.refused(5, "the run moved", "run", "state", "set", "r1", "--if-version", "1", "phase=x")
	if got := w.must("", "run", "state", "get", "r1", "/lastAnswer/optionIds/0"); !strings.Contains(got, "yes") {
		t.Errorf("the answer is %q", got)
	}
	if _, err := os.Stat(filepath.Join(w.drive, "project", ".git", "viber", "runs", "r1", "state.json")); err != nil {
		t.Error(err)
	}

	w.must("", "run", "lock", "acquire", "build", "--owner", "T1")
	w.refused(5, "held by T1", "run", "lock", "acquire", "build", "--owner", "T2")
	w.refused(5, "held by T1", "run", "lock", "release", "build", "--owner", "T2")
	w.must("", "run", "lock", "release", "build", "--owner", "T1")
	w.must("", "run", "lock", "acquire", "build", "--owner", "T1", "--pid", "999999")
	w.must("", "run", "lock", "acquire", "build", "--owner", "T2") // the process of the first is gone
	w.must("", "run", "lock", "release", "build", "--owner", "T2")

	tree := w.path("project.worktrees", "r1")
	w.refused(3, "no work tree of its own", "run", "worktree", "finalize", "r1")
	w.refused(3, "is not there", "run", "worktree", "finalize", "r1", "--dir", w.path("nowhere"))
	w.refused(3, "own work tree", "run", "worktree", "finalize", "r1", "--dir", w.path("project"))
	w.refused(3, "not the top", "run", "worktree", "finalize", "r1", "--dir", tree+`\work`)
	w.refused(3, "--local", "run", "worktree", "finalize", "r1", "--dir", tree, "--local")
	for _, spelled := range []string{tree, strings.ReplaceAll(tree, `\`, "/"), strings.ToLower(tree), `..\project.worktrees\r1`} {
		stdout, stderr, code := w.viber("", "run", "worktree", "finalize", "r1", "--dir", spelled)
		if code == 0 || strings.Contains(stdout+stderr, "not the top") {
			t.Errorf("finalize %s without git: exit %d\n%s%s", spelled, code, stdout, stderr)
		}
	}
	if read(t, filepath.Join(w.drive, "project.worktrees", "r1", "work", "a.txt")) != "mine\n" {
		t.Error("the work tree was touched")
	}
}
