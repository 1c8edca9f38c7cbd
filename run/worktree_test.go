package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// worktreeWorld is a repository with a pushed branch in a work tree of its own, in which a run has left files.
type worktreeWorld struct {
	t          *testing.T
	main, tree string
	call       StateCall
	run        Stored
}

func newWorktreeWorld(t *testing.T) worktreeWorld {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := worktreeWorld{t: t, main: filepath.Join(base, "shop")}
	w.git(base, "init", "-q", "--bare", "origin.git")
	w.git(base, "init", "-q", "-b", "main", "shop")
	w.write(filepath.Join(w.main, "a.txt"), "a\n")
	w.git(w.main, "add", ".")
	w.git(w.main, "commit", "-q", "-m", "first")
	w.git(w.main, "remote", "add", "origin", filepath.Join(base, "origin.git"))
	w.call = StateCall{Call: Call{Dir: w.main, Environ: w.env(), Out: os.Stdout, Err: os.Stderr, Now: time.Now}}
	w.run, err = w.call.FindOrBegin("k1", 0)
	if err != nil {
		t.Fatal(err)
	}
	if w.tree, err = w.call.AddWorktree(context.Background(), w.run, "feature/x", "main", ""); err != nil {
		t.Fatal(err)
	}
	w.git(w.tree, "push", "-q", "-u", "origin", "feature/x")
	w.write(filepath.Join(w.tree, "docs/_specs/k1/work/triage-output.json"), "{}\n")
	return w
}

func (w worktreeWorld) env() []string {
	env := []string{"HOME=" + w.t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull}
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		env = append(env, "GIT_"+who+"_NAME=A", "GIT_"+who+"_EMAIL=a@example.com")
	}
	return append(env, "PATH="+os.Getenv("PATH"))
}

func (w worktreeWorld) git(dir string, args ...string) {
	w.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, w.env()
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (w worktreeWorld) write(path, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func TestFinalizeSkipsWhatWouldBeLost(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		spoil  func(w worktreeWorld) FinalizeOptions
		reason string
	}{
		"an untracked file": {func(w worktreeWorld) FinalizeOptions {
			w.write(filepath.Join(w.tree, "new.txt"), "x")
			return FinalizeOptions{}
		}, "uncommitted change: new.txt"},
		"a change": {func(w worktreeWorld) FinalizeOptions {
			w.write(filepath.Join(w.tree, "a.txt"), "x")
			return FinalizeOptions{}
		}, "uncommitted change: a.txt"},
		"a commit that is not pushed": {func(w worktreeWorld) FinalizeOptions {
			w.git(w.tree, "commit", "-q", "--allow-empty", "-m", "more")
			return FinalizeOptions{}
		}, "1 commits of feature/x are not pushed"},
		"no upstream": {func(w worktreeWorld) FinalizeOptions {
			w.git(w.tree, "branch", "--unset-upstream")
			return FinalizeOptions{}
		}, "has no upstream"},
		"detached": {func(w worktreeWorld) FinalizeOptions {
			w.git(w.tree, "checkout", "-q", "--detach")
			return FinalizeOptions{}
		}, "HEAD is detached"},
		"local":      {func(worktreeWorld) FinalizeOptions { return FinalizeOptions{Local: true} }, "--local"},
		"preference": {func(worktreeWorld) FinalizeOptions { return FinalizeOptions{Keep: true} }, "preference"},
		"the main tree": {func(w worktreeWorld) FinalizeOptions { return FinalizeOptions{Dir: w.main} },
			"own work tree"},
	} {
		w := newWorktreeWorld(t)
		o := c.spoil(w)
		w.finalizeSkips(what, w.call, o, c.reason)
	}
	w := newWorktreeWorld(t)
	inside := w.call
	inside.Dir = filepath.Join(w.tree, "docs")
	w.finalizeSkips("inside", inside, FinalizeOptions{}, "working directory is inside")
}

func (w worktreeWorld) finalizeSkips(what string, c StateCall, o FinalizeOptions, reason string) {
	w.t.Helper()
	_, err := c.Finalize(context.Background(), w.run, o)
	var skipped *SkipError
	if !errors.As(err, &skipped) || !strings.Contains(err.Error(), reason) {
		w.t.Errorf("%s: %v", what, err)
	}
	if _, err := os.Stat(filepath.Join(w.tree, "docs/_specs/k1/work/triage-output.json")); err != nil {
		w.t.Errorf("%s: %v", what, err)
	}
}

func TestFinalizeSalvagesAndKeepsTheBranch(t *testing.T) {
	t.Parallel()
	w := newWorktreeWorld(t)
	done, err := w.call.Finalize(context.Background(), w.run, FinalizeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(w.tree); !os.IsNotExist(err) {
		t.Errorf("the work tree is still there: %v", err)
	}
	w.git(w.main, "rev-parse", "--verify", "refs/heads/feature/x")
	if _, err := os.Stat(filepath.Join(done.ArtifactsPath, "run/work/triage-output.json")); err != nil {
		t.Error(err)
	}
	copied, _, err := StateFile{Path: filepath.Join(done.ArtifactsPath, StateName)}.Read()
	if err != nil || copied.ArtifactsPath != done.ArtifactsPath || copied.WorktreePath != "" {
		t.Errorf("the salvaged state: %+v %v", copied, err)
	}
	if live, _, err := w.run.Load(); err != nil || live.WorktreePath == "" {
		t.Errorf("the state itself was stamped: %+v %v", live, err)
	}
	if triage, _ := w.run.LearningFiles(); !strings.Contains(triage, "salvage") {
		t.Errorf("the ledgers would read %s", triage)
	}
}

// A finalize that is stopped at any step loses nothing, and the next one finishes.
func TestFinalizeStoppedAnywhere(t *testing.T) {
	t.Parallel()
	stop := errors.New("stopped")
	w := newWorktreeWorld(t)
	for n := 1; n < 100; n++ {
		left := n
		broken := w.call
		broken.Files.Step = func(string, string) error {
			if left--; left == 0 {
				return stop
			}
			return nil
		}
		_, err := broken.Finalize(context.Background(), w.run, FinalizeOptions{})
		if left > 0 { // fewer steps than n: all of them have been tried
			if err != nil || n < 10 {
				t.Fatalf("%d steps: %v", n, err)
			}
			return
		}
		done, err := w.call.Finalize(context.Background(), w.run, FinalizeOptions{})
		if err != nil {
			t.Fatalf("step %d: %v", n, err)
		}
		if _, err := os.Stat(filepath.Join(done.ArtifactsPath, "run/work/triage-output.json")); err != nil {
			t.Fatalf("step %d: the run's file is lost", n)
		}
		w.again(done)
	}
	t.Fatal("no end of steps")
}

// again makes the work tree anew, as if nothing had been salvaged.
func (w worktreeWorld) again(done Finalized) {
	w.t.Helper()
	if err := os.RemoveAll(done.ArtifactsPath); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.call.AddWorktree(context.Background(), w.run, "feature/x", "main", ""); err != nil {
		w.t.Fatal(err)
	}
	w.write(filepath.Join(w.tree, "docs/_specs/k1/work/triage-output.json"), "{}\n")
}

func TestResumeOffers(t *testing.T) {
	t.Parallel()
	w := newWorktreeWorld(t)
	offer := func(o ResumeOptions) Offer {
		t.Helper()
		got, err := w.call.Resumable(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	set := func(patch Tree) {
		t.Helper()
		if _, err := w.run.File.Merge(-1, patch); err != nil {
			t.Fatal(err)
		}
	}
	if one := offer(ResumeOptions{}); len(one.Candidates) != 1 || one.WayOut == nil || one.WayOut.Command != "viber resume --all" {
		t.Errorf("one stopped run: %+v", one)
	}
	set(Tree{"status": "running", "owner": map[string]any{"pid": 1<<22 + 9}})
	if one := offer(ResumeOptions{}); one.Candidates[0].Status != "stopped" {
		t.Errorf("a dead owner: %+v", one.Candidates)
	}
	if _, err := w.run.File.Ask(-1, Question{ID: "q", Text: "Ship?", Kind: "single", Options: []Option{{"yes", "Yes"}}}); err != nil {
		t.Fatal(err)
	}
	if one := offer(ResumeOptions{}); one.Candidates[0].Status != "waiting" || !strings.Contains(one.Text(), "Ship?") || !strings.Contains(one.Text(), "--answer ID") {
		t.Errorf("a parked question: %s", one.Text())
	}
	set(Tree{"status": "done"})
	if none := offer(ResumeOptions{}); len(none.Candidates) != 0 || !strings.Contains(none.Text(), "nothing to resume") {
		t.Errorf("none: %+v", none)
	}
	if all := offer(ResumeOptions{All: true}); len(all.Candidates) != 1 {
		t.Errorf("every run: %+v", all)
	}
	w.git(w.main, "checkout", "-q", "-b", "fix/y")
	w.write(filepath.Join(w.main, "b.txt"), "b\n")
	w.git(w.main, "add", ".")
	w.git(w.main, "commit", "-q", "-m", "more")
	branch := offer(ResumeOptions{})
	if len(branch.Candidates) != 1 || branch.Candidates[0].Kind != "branch" || branch.WayOut == nil || branch.WayOut.Command != "viber resume --runs" || !strings.Contains(branch.Text(), "no tests present") {
		t.Errorf("the branch's own changes: %+v", branch)
	}
	set(Tree{"status": "stopped"})
	if two := offer(ResumeOptions{}); len(two.Candidates) != 2 || two.WayOut != nil {
		t.Errorf("many: %+v", two)
	}
}

// TestWorktreeRunsTheUsersHooks: a post-checkout hook sees the git the user knows, pathspecs and all.
func TestWorktreeRunsTheUsersHooks(t *testing.T) {
	w := newWorktreeWorld(t)
	hook := filepath.Join(w.main, ".git", "hooks", "post-checkout")
	w.write(hook, "#!/bin/sh\ngit ls-files '*.txt' >\"$(git rev-parse --git-common-dir)/seen\"\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	other, err := w.call.FindOrBegin("k2", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.call.AddWorktree(context.Background(), other, "feature/y", "main", ""); err != nil {
		t.Fatal(err)
	}
	if seen, err := os.ReadFile(filepath.Join(w.main, ".git", "seen")); err != nil || string(seen) != "a.txt\n" {
		t.Errorf("the hook saw %q, %v", seen, err)
	}
}
