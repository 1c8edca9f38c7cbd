package commit_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestRefusalsLeaveEverythingAlone compares git status, the index's entries, HEAD and status.md before and after each
// refusal.
func TestRefusalsLeaveEverythingAlone(t *testing.T) {
	t.Parallel()
	staged := func(w world) {
		w.write("other.txt", "mine\n")
		w.git("add", "other.txt")
		w.write("other.txt", "mine, later\n")
	}
	for name, c := range map[string]struct {
		scene func(w world)
		line  []string
		code  int
		says  string
	}{
		"usage":        {staged, []string{"commit-task", planPath}, 2, "usage: commit-task"},
		"no plan":      {staged, []string{"commit-task", "none.md", "T1"}, 2, "plan file not found"},
		"unknown task": {staged, []string{"commit-task", planPath, "T7"}, 3, "no task 'T7'"},
		"no changes":   {staged, []string{"commit-task", planPath, "T1"}, 4, "produced no changes"},
		"a staged change that the tree took back": {func(w world) {
			w.write("lib/store.py", "1\n")
			w.commitAll("store")
			w.write("lib/store.py", "2\n")
			w.git("add", "lib/store.py")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 4, "produced no changes"},
		"ignored file": {func(w world) {
			w.write(".gitignore", "lib/\n")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 4, "could not stage lib/store.py"},
		"machine state": {func(w world) {
			w.write(".temp/x", "1\n")
			w.git("add", "-f", ".temp/x")
		}, []string{"commit-task", "--outside", planPath, "lib/../.temp/x", "././.temp"}, 4, ".temp is machine state"},
		"the whole tree holds nothing but machine state": {func(w world) { w.write(".temp/x", "1\n") },
			[]string{"commit-task", "--outside", planPath, "."}, 4, "produced no changes"},
		"held index lock": {func(w world) { w.write("lib/store.py", "1\n"); w.write(".git/index.lock", "") },
			[]string{"commit-task", planPath, "T1"}, 5, "index.lock"},
		"merge": {func(w world) {
			w.git("checkout", "-q", "-b", "side")
			w.write("side.txt", "s\n")
			w.commitAll("side")
			w.git("checkout", "-q", "main")
			w.write("m.txt", "m\n")
			w.commitAll("m")
			w.git("merge", "-q", "--no-commit", "--no-ff", "side")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 5, "a merge is in progress"},
		"cherry-pick that stopped": {func(w world) { conflict(w, "cherry-pick", "side"); w.write("lib/store.py", "1\n") },
			[]string{"commit-task", planPath, "T1"}, 5, "a cherry-pick is in progress"},
		"rebase that stopped": {func(w world) { conflict(w, "rebase", "side"); w.write("lib/store.py", "1\n") },
			[]string{"commit-task", planPath, "T1"}, 5, "a rebase is in progress"},
		"revert that stopped": {func(w world) {
			w.write("README.md", "one\n")
			w.commitAll("one")
			w.write("README.md", "two\n")
			w.commitAll("two")
			_, _ = w.try("revert", "--no-edit", "HEAD~1")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 5, "a revert is in progress and this commit would conclude it - finish it first: 'git revert"},
		"revert that was not committed": {func(w world) {
			w.write("one.txt", "one\n")
			w.commitAll("one")
			w.git("revert", "--no-commit", "HEAD")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 5, "a revert is in progress"},
		"rebase that waits for an edit": {func(w world) {
			w.write("one.txt", "one\n")
			w.commitAll("one")
			_, _ = w.try("-c", "sequence.editor=sed -i -e s/^pick/edit/", "rebase", "-i", "HEAD~1")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 5, "a rebase is in progress"},
		"patch that does not apply": {func(w world) {
			w.write("README.md", "one\n")
			w.commitAll("one")
			w.write(".temp/one.patch", w.git("format-patch", "-1", "--stdout"))
			w.write("README.md", "two\n")
			w.commitAll("two")
			_, _ = w.try("am", ".temp/one.patch")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}, 5, "a rebase or am is in progress"},
		"archive while a rebase waits": {func(w world) {
			w.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: T1 T2", 1))
			w.commitAll("done")
			conflict(w, "rebase", "side")
		}, []string{"archive-run", runDir}, 5, "a rebase is in progress"},
		"unmerged path": {func(w world) {
			w.write("lib/store.py", "1\n")
			w.commitAll("store")
			w.write("lib/store.py", "2\n")
			w.git("stash", "-q")
			w.write("lib/store.py", "3\n")
			w.commitAll("store again")
			_, _ = w.try("stash", "pop")
		}, []string{"commit-task", planPath, "T1"}, 5, "lib/store.py is unmerged"},
		"landed elsewhere": {func(w world) { w.write("lib/store.py", "1\n") },
			[]string{"commit-task", planPath, "T1", "--landed", "HEAD"}, 4, "touches none of task T1's files"},
		"archives where a file is": {func(w world) {
			w.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: T1 T2", 1))
			w.commitAll("done")
			w.write("docs/specs", "a file\n")
		}, []string{"archive-run", runDir}, 5, "nothing was moved: docs/specs is no directory"},
		"archive of an unfinished run": {staged, []string{"archive-run", runDir}, 4, "the run is unfinished"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withRun(t)
			c.scene(w)
			lock := w.path(".git/index.lock")
			_, held := os.Lstat(lock)
			before, status := unlocked(w), w.read(runDir+"/status.md")
			s := w.call(c.line...)
			if s.code != c.code || !strings.Contains(s.err, c.says) || s.out != "" {
				t.Errorf("exit %d, stdout %q, stderr %q", s.code, s.out, s.err)
			}
			if _, now := os.Lstat(lock); (now == nil) != (held == nil) {
				t.Error("index.lock came or went")
			}
			if after := unlocked(w); after != before {
				t.Errorf("the repository changed\nbefore:\n%s\nafter:\n%s", before, after)
			}
			if now := w.read(runDir + "/status.md"); now != status {
				t.Errorf("status.md changed: %q", now)
			}
			noLeftovers(w)
		})
	}
}

// unlocked takes the picture with git's lock out of the way, as git status does not need it.
func unlocked(w world) string {
	lock := w.path(".git/index.lock")
	if err := os.Rename(lock, lock+".held"); err == nil {
		defer func() { _ = os.Rename(lock+".held", lock) }()
	}
	return w.picture()
}

func conflict(w world, verb, ref string) {
	w.git("checkout", "-q", "-b", "side")
	w.write("README.md", "side\n")
	w.commitAll("side")
	w.git("checkout", "-q", "main")
	w.write("README.md", "main\n")
	w.commitAll("main")
	_, _ = w.try(verb, ref)
}

// noLeftovers: no index, journal or temporary file of a call that is over.
func noLeftovers(w world) {
	w.Helper()
	for _, dir := range []string{".git", ".git/viber", runDir} {
		entries, err := os.ReadDir(w.path(dir))
		if os.IsNotExist(err) {
			continue
		}
		for _, e := range entries {
			name := e.Name()
			if strings.HasPrefix(name, "index.commit") || strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".pid") ||
				strings.Contains(name, ".viber-") {
				w.Errorf("left behind: %s/%s", dir, name)
			}
		}
	}
}

// A path that is read from the working directory by mistake is said to be one.
func TestAPathThatIsMeantFromHere(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "1\n")
	here := w
	here.dir = w.path("lib")
	s := here.call("commit-task", "--outside", "../"+planPath, "store.py")
	if s.code != 4 || !strings.Contains(s.err, "could not stage store.py - paths are read from the top of the repository: lib/store.py\n") {
		t.Errorf("exit %d, stderr %q", s.code, s.err)
	}
	if s := w.call("commit-task", "--outside", planPath, "store.py"); !strings.Contains(s.err, "could not stage store.py\n") {
		t.Errorf("at the top: stderr %q", s.err)
	}
}

// A commit that git or a hook refused leaves the paths asked for staged (commit contract, 1.6), and nothing else changed.
func TestRefusedByHook(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Log("hooks are shell scripts")
	}
	w := withRun(t)
	w.write("other.txt", "mine\n")
	w.git("add", "other.txt")
	w.write("lib/store.py", "1\n")
	w.write(runDir+"/work/T1-coder.md", "notes\n")
	w.hook("pre-commit", "exit 1\n")
	before := sortedLines(w.git("ls-files", "-s"))
	head := w.git("rev-parse", "HEAD")
	s := w.call("commit-task", planPath, "T1", "--unreviewed")
	if s.code != 5 || !strings.Contains(s.err, "error: not committed - status rolled back, task T1 is NOT marked done\n") {
		t.Fatalf("exit %d, stderr %q", s.code, s.err)
	}
	if w.git("rev-parse", "HEAD") != head || w.read(runDir+"/status.md") != fresh {
		t.Error("HEAD or status.md moved")
	}
	var after []string
	for _, l := range sortedLines(w.git("ls-files", "-s")) {
		if !strings.HasSuffix(l, "\tlib/store.py") {
			after = append(after, l)
		}
	}
	if strings.Join(after, "\n") != strings.Join(before, "\n") {
		t.Errorf("entries of other paths changed:\n%s", strings.Join(after, "\n"))
	}
	noLeftovers(w)
	w.hook("pre-commit", "exit 0\n")
	w.must("commit-task", planPath, "T1", "--unreviewed")
	if got := w.git("diff", "--cached", "--name-only"); got != "other.txt\n" {
		t.Errorf("staged afterwards: %q", got)
	}
}

func TestSecretsRefuseTheCommit(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("other.py", credential())
	w.git("add", "other.py")
	w.write("lib/store.py", credential())
	before := w.picture()
	w.scan = true
	s := w.call("commit-task", planPath, "T1")
	if s.code != 5 || !strings.Contains(s.err, "lib/store.py:1: looks like a credential") || strings.Contains(s.err, "other.py") {
		t.Fatalf("exit %d, stderr %q", s.code, s.err)
	}
	if after := w.picture(); after != before {
		t.Errorf("the repository changed\nbefore:\n%s\nafter:\n%s", before, after)
	}
	if w.read(runDir+"/status.md") != fresh {
		t.Error("status.md changed")
	}
	noLeftovers(w)
	w.write("lib/store.py", "nothing to hide\n")
	w.must("commit-task", planPath, "T1")
}

// credential is put together here, so that the sources hold none.
func credential() string {
	return "token = \"" + "ghp_" + "x7Kq2LmN9pRs4TuV6wYz8AbC1dEf3GhJ5kMn" + "\"\n"
}

func TestAnArchivedRunIsSaidToBeOne(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: T1 T2", 1))
	w.write(runDir+"/spec.md", "spec\n")
	w.commitAll("done")
	w.must("archive-run", runDir)
	s := w.call("archive-run", runDir)
	if want := "error: run directory not found: " + runDir + " - it is archived: docs/specs/2026-03-04-05-06-07_parcels\n"; s.code != 2 || s.err != want {
		t.Errorf("exit %d, stderr %q", s.code, s.err)
	}
}
