package commit_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/internal/fsx"
)

// At most ten git processes make a commit, whatever its form.
func TestGitProcesses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scene func(w world)
		line  []string
		most  int
	}{
		"task":             {func(w world) { w.write("lib/store.py", "1\n") }, []string{"commit-task", planPath, "T1"}, 8},
		"task beside work": {func(w world) { w.write("lib/store.py", "1\n"); w.write("x", "1\n"); w.git("add", "x") }, []string{"commit-task", planPath, "T1"}, 8},
		"task with a path git does not know": {func(w world) { w.write("lib/view.py", "1\n") },
			[]string{"commit-task", planPath, "T2"}, 9},
		"landed": {func(w world) { w.write("lib/store.py", "1\n"); w.commitAll("by hand") },
			[]string{"commit-task", planPath, "T1", "--landed", "HEAD"}, 9},
		"chore":   {func(w world) { w.write("CLAUDE.md", "1\n") }, []string{"commit-task", "--chore", planPath, "CLAUDE.md"}, 7},
		"outside": {func(w world) { w.write("a", "1\n") }, []string{"commit-task", "--outside", planPath, "a"}, 6},
		"archive": {func(w world) {
			w.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: T1 T2", 1))
			w.commitAll("done")
		}, []string{"archive-run", runDir}, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withRun(t)
			c.scene(w)
			n := 0
			if s := callWith(w, fsx.Door{}, &n, c.line...); s.code != 0 {
				t.Fatalf("exit %d: %s", s.code, s.err)
			}
			if n > c.most || n > 10 {
				t.Errorf("%d git processes, want at most %d", n, c.most)
			}
		})
	}
}

// A change within the same tick of the clock, of the same size, is seen: git trusts a file's time only when it is older
// than the index.
func TestChangeInTheSameTick(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "1\n")
	w.commitAll("store")
	tick := time.Now().Add(-time.Hour)
	for _, name := range []string{"lib/store.py", ".git/index"} {
		if err := os.Chtimes(w.path(name), tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	w.git("update-index", "--refresh")
	w.write("lib/store.py", "2\n")
	for _, name := range []string{"lib/store.py", ".git/index"} {
		if err := os.Chtimes(w.path(name), tick, tick); err != nil {
			t.Fatal(err)
		}
	}
	w.must("commit-task", planPath, "T1")
	if got := w.git("show", "HEAD:lib/store.py"); got != "2\n" {
		t.Errorf("committed %q", got)
	}
}

func TestTwoCallsAtOnce(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "1\n")
	w.write("lib/view.py", "1\n")
	w.write("lib/render.py", "1\n")
	w.write("mine.txt", "mine\n")
	w.git("add", "mine.txt")
	w.hook("pre-commit", "sleep 0.2\n")
	var calls sync.WaitGroup
	for _, id := range []string{"T1", "T2"} {
		calls.Go(func() {
			if s := w.call("commit-task", planPath, id); s.code != 0 {
				t.Errorf("%s: exit %d: %s", id, s.code, s.err)
			}
		})
	}
	calls.Wait()
	if n := strings.Count(w.git("log", "--format=%s"), "\n"); n != 3 {
		t.Errorf("%d commits, want 3", n)
	}
	status := w.read(runDir + "/status.md")
	if !strings.Contains(status, "progress: 2/2\n") {
		t.Errorf("status.md: %q", status)
	}
	if got := w.git("status", "--porcelain"); got != "A  mine.txt\n" {
		t.Errorf("git status afterwards: %q", got)
	}
}

// The user's hooks see the index of the commit alone, ordinary pathspecs, and none of the variables that tie git down.
func TestHooksSeeACleanWorld(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.env = append(w.env, "GIT_LITERAL_PATHSPECS=1", "GIT_PREFIX=lib/")
	w.write("lib/store.py", "1\n")
	w.write("mine.py", "mine\n")
	w.git("add", "mine.py")
	w.hook("pre-commit", "git diff --cached --name-only -- '*.py' > .git/seen; git diff --name-only >> .git/seen; "+
		"echo lit=$GIT_LITERAL_PATHSPECS lc=$LC_ALL >> .git/seen\n")
	w.hook("commit-msg", "echo 'Reviewed-by: nobody' >> \"$1\"\n")
	w.must("commit-task", planPath, "T1")
	if got := w.read(".git/seen"); got != "lib/store.py\nlit= lc=C.UTF-8\n" {
		t.Errorf("the hook saw %q", got)
	}
	if body := w.git("log", "-1", "--format=%B"); !strings.Contains(body, "Reviewed-by: nobody") {
		t.Errorf("message %q", body)
	}
	if got := w.git("status", "--porcelain"); got != "A  mine.py\n" {
		t.Errorf("git status afterwards: %q", got)
	}
}

// A hook that formats what is committed and stages it again: the formatted text lands and nothing is left over.
func TestHookThatFormats(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "raw\n")
	w.hook("pre-commit", "echo formatted > lib/store.py; git add lib/store.py\n")
	w.must("commit-task", planPath, "T1")
	if got := w.git("show", "HEAD:lib/store.py"); got != "formatted\n" {
		t.Errorf("committed %q", got)
	}
	if got := w.git("status", "--porcelain"); got != "" {
		t.Errorf("git status afterwards: %q", got)
	}
}

func TestWorkTreeSubmoduleSparse(t *testing.T) {
	t.Parallel()
	t.Run("linked work tree", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		linked := filepath.Join(filepath.Dir(w.dir), "linked")
		w.git("worktree", "add", "-q", "-b", "side", linked)
		w.dir = linked
		w.write("lib/store.py", "1\n")
		w.must("commit-task", planPath, "T1")
		if got := w.git("status", "--porcelain"); got != "" {
			t.Errorf("git status afterwards: %q", got)
		}
	})
	t.Run("submodule moved on", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		sub := newWorld(t)
		sub.write("a", "1\n")
		sub.commitAll("one")
		w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, "vendor/sub")
		w.commitAll("submodule")
		inner := world{T: t, dir: w.path("vendor/sub"), env: w.env}
		inner.write("a", "2\n")
		inner.commitAll("two")
		w.must("commit-task", "--outside", planPath, "vendor/sub")
		if got, want := w.git("rev-parse", "HEAD:vendor/sub"), inner.git("rev-parse", "HEAD"); got != want {
			t.Errorf("submodule at %s, want %s", got, want)
		}
	})
	t.Run("path of a submodule", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		sub := newWorld(t)
		sub.write("a", "1\n")
		sub.commitAll("one")
		w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.dir, "vendor/sub")
		w.commitAll("submodule")
		w.write("vendor/sub/in/a", "2\n")
		s := w.call("commit-task", "--outside", planPath, "vendor/sub/in/a")
		if s.code != 4 || !strings.Contains(s.err, "vendor/sub/in/a - it belongs to the repository vendor/sub: commit it there") {
			t.Errorf("ends %d: %s", s.code, s.err)
		}
	})
	t.Run("repository inside is not taken", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.git("init", "-q", w.path("lib/inner"))
		inner := world{T: t, dir: w.path("lib/inner"), env: w.env}
		inner.write("a", "1\n")
		inner.commitAll("one")
		w.write("lib/store.py", "1\n")
		s := w.must("commit-task", "--outside", planPath, "lib")
		if !strings.Contains(s.err, "could not stage lib/inner/ - it is a git repository of its own") {
			t.Errorf("stderr %q", s.err)
		}
	})
	t.Run("sparse checkout", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.write("far/away.txt", "1\n")
		w.commitAll("far")
		w.git("sparse-checkout", "set", "--no-cone", "/*", "!/far/")
		w.write("lib/store.py", "1\n")
		w.must("commit-task", planPath, "T1")
		if got := w.git("ls-tree", "-r", "--name-only", "HEAD"); !strings.Contains(got, "far/away.txt") {
			t.Errorf("the commit lost what is not checked out:\n%s", got)
		}
		if got := w.git("status", "--porcelain"); got != "" {
			t.Errorf("git status afterwards: %q", got)
		}
	})
	t.Run("from a subdirectory", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.write("lib/store.py", "1\n")
		inside := w
		inside.dir = w.path("lib")
		inside.must("commit-task", "../"+planPath, "T1")
		if got := w.git("log", "-1", "--format=%b"); got != "Refs: ../"+planPath+" task T1\n\n" {
			t.Errorf("footer %q", got)
		}
		if got := w.git("status", "--porcelain"); got != "" {
			t.Errorf("git status afterwards: %q", got)
		}
	})
	t.Run("line ends are the repository's business", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.git("config", "core.autocrlf", "true")
		w.write("lib/store.py", "1\r\n2\r\n")
		w.must("commit-task", planPath, "T1")
		if got := w.git("show", "HEAD:lib/store.py"); got != "1\n2\n" {
			t.Errorf("committed %q", got)
		}
	})
	t.Run("modes are not the repository's business", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.write("lib/store.py", "1\n")
		w.commitAll("store")
		w.git("config", "core.fileMode", "false")
		if err := os.Chmod(w.path("lib/store.py"), 0o755); err != nil {
			t.Fatal(err)
		}
		if s := w.call("commit-task", planPath, "T1"); s.code != 4 {
			t.Errorf("a mode alone: code %d, %s", s.code, s.err)
		}
		w.write("lib/store.py", "2\n")
		w.must("commit-task", planPath, "T1")
		if got := w.git("ls-tree", "HEAD", "lib/store.py"); !strings.HasPrefix(got, "100644 ") {
			t.Errorf("committed %q", got)
		}
	})
	t.Run("another case of the name, where names have none", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.write("Lib/store.py", "1\n")
		w.commitAll("store")
		w.git("config", "core.ignoreCase", "true")
		w.write("Lib/store.py", "2\n")
		s := w.call("commit-task", planPath, "T1")
		if s.code == 0 && strings.Contains(w.git("ls-tree", "-r", "--name-only", "HEAD"), "lib/store.py") {
			t.Errorf("one file under two names:\n%s", w.git("ls-tree", "-r", "--name-only", "HEAD"))
		}
		if s.code != 0 && w.git("status", "--porcelain") != " M Lib/store.py\n" {
			t.Errorf("code %d, git status afterwards: %q", s.code, w.git("status", "--porcelain"))
		}
	})
	t.Run("a directory takes the place of a file", func(t *testing.T) {
		t.Parallel()
		w := withRun(t)
		w.write("x", "file\n")
		w.commitAll("x")
		if err := os.Remove(w.path("x")); err != nil {
			t.Fatal(err)
		}
		w.write("x/y", "in it\n")
		w.must("commit-task", "--outside", planPath, "x")
		if got := w.git("status", "--porcelain"); got != "" {
			t.Errorf("git status afterwards: %q", got)
		}
	})
}

// .temp under another name is still machine state.
func TestMachineStateUnderAnotherName(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("links need a right of their own there")
		return
	}
	w := withRun(t)
	w.write(".temp/x", "1\n")
	if err := os.Symlink(".temp", w.path("state")); err != nil {
		t.Fatal(err)
	}
	s := w.call("commit-task", "--outside", planPath, "state/x", w.path(".temp/x"), "state")
	if s.code != 4 || strings.Count(s.err, ".temp is machine state") != 3 {
		t.Errorf("exit %d, stderr %q", s.code, s.err)
	}
}

func TestManyPaths(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	line := []string{"commit-task", "--outside", planPath}
	for i := range 600 {
		name := strings.Repeat("long-", 8) + strings.Repeat("x", i%7) + "/" + time.Duration(i).String() + ".txt"
		w.write(name, "1\n")
		line = append(line, name)
	}
	n := 0
	if s := callWith(w, fsx.Door{}, &n, line...); s.code != 0 || n > 10 {
		t.Fatalf("exit %d with %d git processes: %s", s.code, n, s.err)
	}
	if got := w.git("status", "--porcelain"); got != "" {
		t.Errorf("git status afterwards: %q", got)
	}
}
