package run_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viber/internal/fsx"
	"viber/run"
)

const runDir = "docs/_specs/2026-03-04-05-06-07_same/"

func TestAbsolutePlanPathExcludesItsRun(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	plan := p.write(runDir+"plan.md", fmt.Sprintf(tinyPlan, "Same"))
	p.write("free.txt", "x")
	a := p.call(run.PlanIndex, nil, plan)
	if a.code != 0 || !strings.Contains(a.out, "\norphan: free.txt\n") {
		t.Errorf("got %+v", a)
	}
}

// The git processes a call starts: plan-index one read, --split three more.
func TestGitProcessesAreCounted(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	plan := runDir + "plan.md"
	p.write(plan, fmt.Sprintf(tinyPlan, "Same"))
	for _, c := range []struct {
		what    string
		command string
		args    []string
		want    int
	}{
		{"plan-index", "index", []string{plan}, 1},
		{"plan-index --extra", "index", []string{plan, "--extra", "T1"}, 0},
		{"plan-index --split", "index", []string{plan, "--split"}, 4},
		{"plan-index --split again", "index", []string{plan, "--split"}, 3},
		{"plan-path", "path", nil, 0},
		{"plan-path --land", "path", []string{"--land", plan}, 0},
	} {
		command := run.PlanIndex
		if c.command == "path" {
			command = run.PlanPath
		}
		if a := p.call(command, nil, c.args...); a.code != 0 || a.calls != c.want {
			t.Errorf("%s starts git %d times, want %d: %+v", c.what, a.calls, c.want, a)
		}
	}
}

func TestAKilledSplitIsFinishedByTheNext(t *testing.T) {
	t.Parallel()
	whole := newProject(t, false)
	text := strings.Replace(fmt.Sprintf(tinyPlan, "Same"), "## Acceptance", "## Roadmap\n\n1. A (this plan)\n2. B\n\n## Acceptance", 1)
	lay := func(p *project) {
		p.write(runDir+"plan.md", text)
		p.write(runDir+"tasks/OLD.md", "gone")
	}
	lay(whole)
	whole.call(run.PlanIndex, nil, runDir+"plan.md", "--split")
	want := tree(t, filepath.Join(whole.root, "docs"))
	for n := 1; ; n++ {
		p := newProject(t, false)
		lay(p)
		killed := survives(func() {
			p.call(run.PlanIndex, func(c *run.Call) { c.Files = killer(n) }, runDir+"plan.md", "--split")
		})
		a := p.call(run.PlanIndex, nil, runDir+"plan.md", "--split")
		if got := tree(t, filepath.Join(p.root, "docs")); a.code != 0 || withoutTemporary(got) != want {
			t.Errorf("killed at operation %d, then again: %+v\n%s\nwant\n%s", n, a, got, want)
		}
		if !killed {
			return
		}
	}
}

// withoutTemporary drops the temporary file a killed write leaves: its name starts with a dot and ends in .viber-*.
func withoutTemporary(tree string) string {
	var kept []string
	for _, line := range strings.SplitAfter(tree, "\n") {
		if !strings.Contains(line, ".viber-") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestSplitRefusesWhatItCannotWriteBeforeWriting(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lay  func(p *project)
		says string
	}{
		"status.md is a directory": {func(p *project) { p.write(runDir+"status.md/x", "") }, "status.md: not a regular file"},
		"spec.md is a link":        {func(p *project) { p.link(runDir+"spec.md", filepath.Join(p.out, "x")) }, "spec.md: a link stands"},
		"the run is a link out": {func(p *project) {
			p.write(filepath.Join(p.out, "run", "plan.md"), fmt.Sprintf(tinyPlan, "Same"))
			p.link("docs/_specs/linked", filepath.Join(p.out, "run"))
		}, "a link leads out"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, true)
			plan := runDir + "plan.md"
			p.write(plan, fmt.Sprintf(tinyPlan, "Same"))
			c.lay(p)
			if strings.Contains(name, "link out") {
				plan = "docs/_specs/linked/plan.md"
			}
			before := tree(t, p.root) + tree(t, p.out)
			a := p.call(run.PlanIndex, nil, plan, "--split")
			if a.code != 1 || a.out != "" || !strings.Contains(a.err, c.says) {
				t.Errorf("got %+v", a)
			}
			if after := tree(t, p.root) + tree(t, p.out); after != before {
				t.Errorf("something was written")
			}
		})
	}
}

func TestALinkedTasksDirectoryIsNotEmptied(t *testing.T) {
	t.Parallel()
	p := newProject(t, false)
	p.write(runDir+"plan.md", fmt.Sprintf(tinyPlan, "Same"))
	victim := p.write(filepath.Join(p.out, "dear.md"), "x")
	p.link(runDir+"tasks", p.out)
	if a := p.call(run.PlanIndex, nil, runDir+"plan.md", "--split"); a.code != 0 {
		t.Errorf("got %+v", a)
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(filepath.Join(p.root, runDir, "tasks")); err != nil || !info.IsDir() {
		t.Errorf("tasks is no directory of the run: %v", err)
	}
}

// A commit that git refuses is told with its cause and the way out; the files are written all the same.
func TestSplitTellsWhyGitDidNotCommit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lay  func(p *project)
		says []string
	}{
		"index.lock": {func(p *project) { p.write(".git/index.lock", "") }, []string{"index.lock", "another git is at work"}},
		"merge": {func(p *project) {
			p.git("checkout", "-q", "-b", "b")
			p.write("seed", "b")
			p.git("commit", "-q", "-a", "-m", "b")
			p.git("checkout", "-q", "main")
			p.write("seed", "c")
			p.git("commit", "-q", "-a", "-m", "c")
			if _, _, code := runGit(p.root, p.env, "merge", "b"); code == 0 {
				p.t.Fatal("the merge does not conflict")
			}
		}, []string{"not committed", "merge"}},
		"sparse checkout": {func(p *project) { p.git("sparse-checkout", "set", "--cone", "lib") }, []string{"not committed", "git sparse-checkout add"}},
		"no identity": {func(p *project) {
			p.env = append(p.env, "GIT_AUTHOR_NAME=", "GIT_AUTHOR_EMAIL=", "GIT_COMMITTER_NAME=", "GIT_COMMITTER_EMAIL=")
			p.git("config", "user.useConfigOnly", "true")
		}, []string{"not committed", "user.name and user.email"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, true)
			p.write("seed", "a")
			p.git("add", "-A")
			p.git("commit", "-q", "-m", "seed")
			p.write(runDir+"plan.md", fmt.Sprintf(tinyPlan, "Same"))
			c.lay(p)
			head := p.git("rev-parse", "HEAD")
			a := p.call(run.PlanIndex, nil, runDir+"plan.md", "--split")
			if a.code != 0 || p.git("rev-parse", "HEAD") != head {
				t.Errorf("got %+v", a)
			}
			warning := ""
			for _, line := range strings.Split(a.err, "\n") {
				if strings.HasPrefix(line, "warning:") {
					warning = line
				}
			}
			for _, s := range c.says {
				if !strings.Contains(warning, s) {
					t.Errorf("the warning lacks %q: %s", s, a.err)
				}
			}
			readFile(t, filepath.Join(p.root, runDir, "tasks", "T1.md"))
		})
	}
}

// What a killed --split was writing goes with the next one, and it does not run into a commit of the run.
func TestSplitSweepsAndWaits(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	p.write(runDir+"plan.md", fmt.Sprintf(tinyPlan, "Same"))
	left := []string{runDir + ".spec.md.viber-123", runDir + "tasks/.T1.md.viber-456"}
	for _, name := range left {
		p.write(name, "half")
	}
	unlock, err := fsx.Lock(filepath.Join(p.root, ".git/viber/commit.lock"), 0)
	if err != nil {
		t.Fatal(err)
	}
	const held = 200 * time.Millisecond
	time.AfterFunc(held, unlock)
	began := time.Now()
	if a := p.call(run.PlanIndex, nil, runDir+"plan.md", "--split"); a.code != 0 {
		t.Fatalf("got %+v", a)
	}
	if waited := time.Since(began); waited < held {
		t.Errorf("it did not wait for the commit under way: %v", waited)
	}
	for _, name := range left {
		if _, err := os.Stat(filepath.Join(p.root, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestUnicodeSpellingsOfAPathAreOne(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	composed, decomposed := "lib/\u00e9.go", "lib/e\u0301.go"
	p.write(runDir+"plan.md", strings.Replace(fmt.Sprintf(tinyPlan, "Same"), "a.go", composed, 1))
	p.write(decomposed, "x")
	a := p.call(run.PlanIndex, nil, runDir+"plan.md")
	if !strings.Contains(a.out, "\ndirty: T1 | "+composed+"\n") || strings.Contains(a.out, "orphan") {
		t.Errorf("got %+v", a)
	}
}

func TestPlanIndexOutsideAWorkTree(t *testing.T) {
	t.Parallel()
	p := newProject(t, false)
	p.git("init", "-q", "--bare", "-b", "main", "--template=", ".")
	p.write(runDir+"plan.md", fmt.Sprintf(tinyPlan, "Same"))
	if a := p.call(run.PlanIndex, nil, runDir+"plan.md"); a.code != 0 || a.calls != 0 {
		t.Errorf("in a bare repository: %+v", a)
	}
}

// What is staged while a merge is in progress goes with it when it is aborted: a run decomposed in between stays.
func TestAnAbortedMergeLeavesTheRun(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	p.write("seed", "a")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "seed")
	p.git("checkout", "-q", "-b", "b")
	p.git("commit", "-q", "--allow-empty", "-m", "b")
	p.git("checkout", "-q", "main")
	p.git("merge", "-q", "--no-ff", "--no-commit", "b")
	p.write(runDir+"plan.md", fmt.Sprintf(tinyPlan, "Same"))
	if a := p.call(run.PlanIndex, nil, runDir+"plan.md", "--split"); a.code != 0 || !strings.Contains(a.err, "a merge is in progress") {
		t.Errorf("got %+v", a)
	}
	p.git("merge", "--abort")
	for _, name := range []string{"plan.md", "spec.md", "status.md", "tasks/T1.md"} {
		readFile(t, filepath.Join(p.root, runDir, name))
	}
}
