package run_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/run"
)

const tinyPlan = `# %s

## Acceptance criteria

1. x

## Tasks

<!-- TASK -->
### T1 - Write
- TDD: required
- Covers: #1
- Uses: none
- Files: a.go
- Delivers: x
- Verification: go test
- DoD: x
<!-- /TASK -->
`

// project is a throw-away root with a plan beside it.
type project struct {
	t         *testing.T
	root, out string
	env       []string
}

func newProject(t *testing.T, git bool) *project {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &project{t: t, root: filepath.Join(base, "repo"), out: filepath.Join(base, "out"), env: cleanEnv(base)}
	for _, d := range []string{p.root, p.out, filepath.Join(base, "home")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if git {
		p.git("init", "-q", "-b", "main", "--template=")
	}
	return p
}

func (p *project) git(args ...string) string {
	p.t.Helper()
	out, errs, code := runGit(p.root, p.env, args...)
	if code != 0 {
		p.t.Fatalf("git %q: %s", args, errs)
	}
	return out
}

func (p *project) write(name, text string) string {
	p.t.Helper()
	full := filepath.Join(p.root, name)
	if filepath.IsAbs(name) {
		full = name
	}
	writeFile(p.t, full, text)
	return full
}

type answer struct {
	out, err string
	code     int
	calls    int
}

// call runs a command of the package with a fixed clock; change may set more of the call.
func (p *project) call(command func(context.Context, run.Call) error, change func(*run.Call), args ...string) answer {
	var out, errb bytes.Buffer
	var a answer
	c := run.Call{Args: args, Dir: p.root, Environ: p.env, Out: &out, Err: &errb, GitCalls: &a.calls,
		Now: func() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }}
	if change != nil {
		change(&c)
	}
	err := command(context.Background(), c)
	a.out, a.err, a.code = out.String(), errb.String(), exit.Code(err)
	return a
}

func (p *project) runs() []string {
	var names []string
	entries, _ := os.ReadDir(filepath.Join(p.root, "docs", "_specs"))
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestTwoLandingsInOneSecondAreTwoRuns(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	const many = 6
	answers := make([]answer, 2*many)
	var all sync.WaitGroup
	for i := range answers {
		title := fmt.Sprintf("Plan %d", i/2) // each title twice: the second landing of it finds the first
		plan := p.write(filepath.Join(p.out, fmt.Sprintf("%d.md", i)), fmt.Sprintf(tinyPlan, title))
		all.Add(1)
		go func() {
			defer all.Done()
			answers[i] = p.call(run.PlanPath, nil, "--land", plan)
		}()
	}
	all.Wait()
	states := map[string]int{}
	for i, a := range answers {
		if a.code != 0 {
			t.Fatalf("landing %d ended %d: %s", i, a.code, a.err)
		}
		for _, s := range []string{"new", "existing"} {
			states[s] += strings.Count(a.out, "state: "+s+"\n")
		}
	}
	if len(p.runs()) != many || states["new"] != many || states["existing"] != many {
		t.Errorf("%d runs, %v", len(p.runs()), states)
	}
}

func TestATakenSecondIsNotWrittenOver(t *testing.T) {
	t.Parallel()
	p := newProject(t, false)
	plan := p.write(filepath.Join(p.out, "a.md"), fmt.Sprintf(tinyPlan, "Same"))
	for want := 1; want <= 3; want++ {
		if a := p.call(run.PlanPath, nil, "--land", plan); a.code != 0 || !strings.Contains(a.out, "state: new") {
			t.Fatalf("landing %d: %+v", want, a)
		}
		runs := p.runs()
		if len(runs) != want {
			t.Fatalf("%d runs after landing %d: %v", len(runs), want, runs)
		}
		p.write("docs/_specs/"+runs[want-1]+"/status.md", "done: T1\n")
	}
}

// killedAt stands for kill -9 at the n-th file operation.
type killedAt int

func killer(n int) fsx.Door {
	at := 0
	return fsx.Door{Step: func(op, path string) error {
		if at++; at == n {
			panic(killedAt(n))
		}
		return nil
	}}
}

// survives calls f and reports whether the kill came.
func survives(f func()) (killed bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(killedAt); !ok {
				panic(r)
			}
			killed = true
		}
	}()
	f()
	return false
}

func TestAKilledLandingLeavesNoHalfRun(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		p := newProject(t, false)
		p.write("mock.html", "<p>")
		plan := p.write(filepath.Join(p.out, "a.md"), "---\nprototype: mock.html\n---\n"+fmt.Sprintf(tinyPlan, "Same"))
		killed := survives(func() {
			p.call(run.PlanPath, func(c *run.Call) { c.Files = killer(n) }, "--land", plan)
		})
		for _, key := range p.runs() {
			if strings.HasPrefix(key, ".") {
				continue
			}
			for _, file := range []string{"plan.md", "prototype.html"} {
				if _, err := os.Stat(filepath.Join(p.root, "docs", "_specs", key, file)); err != nil {
					t.Errorf("killed at operation %d: %v", n, err)
				}
			}
		}
		if a := p.call(run.PlanPath, nil, "--land", plan); a.code != 0 || len(p.runs()) != 1 {
			t.Errorf("killed at operation %d, then landed again: %+v, runs %v", n, a, p.runs())
		}
		if !killed {
			if n < 5 {
				t.Errorf("only %d operations seen", n)
			}
			return
		}
	}
}

func TestAKilledRoundLeavesTheOldPlanOrTheNew(t *testing.T) {
	t.Parallel()
	const key = "2026-01-01-00-00-00_same"
	draft := "# Same\n"
	for n := 1; ; n++ {
		p := newProject(t, false)
		target := p.write("docs/_specs/"+key+"/plan.md", draft)
		p.write("mock.html", "<p>")
		source := "---\nprototype: mock.html\n---\n" + fmt.Sprintf(tinyPlan, "Same")
		plan := p.write(filepath.Join(p.out, "a.md"), source)
		killed := survives(func() {
			p.call(run.PlanPath, func(c *run.Call) { c.Files = killer(n) }, "--land", plan, "--into", key)
		})
		if got := readFile(t, target); got != draft && got != source {
			t.Errorf("killed at operation %d: plan.md holds\n%s", n, got)
		}
		a := p.call(run.PlanPath, nil, "--land", plan, "--into", key)
		if a.code != 0 || readFile(t, target) != source || readFile(t, filepath.Join(filepath.Dir(target), "prototype.html")) != "<p>" {
			t.Errorf("killed at operation %d, then landed again: %+v", n, a)
		}
		if !killed {
			return
		}
	}
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestLinksOutOfTheRepositoryAreRefused(t *testing.T) {
	t.Parallel()
	const key = "2026-01-01-00-00-00_same"
	for name, c := range map[string]struct {
		lay  func(p *project)
		args []string
		code int
	}{
		"runs directory": {func(p *project) { p.link("docs/_specs", p.out) }, []string{"--land"}, 5},
		"round": {func(p *project) {
			p.write(filepath.Join(p.out, "run", "plan.md"), "# Same\n")
			p.link("docs/_specs/"+key, filepath.Join(p.out, "run"))
		},
			[]string{"--land", "--into"}, 5},
		"plan of a round": {func(p *project) {
			p.write("docs/_specs/"+key+"/x", "")
			p.write(filepath.Join(p.out, "victim.md"), "# Same\n")
			p.link("docs/_specs/"+key+"/plan.md", filepath.Join(p.out, "victim.md"))
		}, []string{"--land", "--into"}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, false)
			plan := p.write(filepath.Join(p.out, "in", "a.md"), fmt.Sprintf(tinyPlan, "Same"))
			c.lay(p)
			before := tree(t, p.out)
			args := []string{"--land", plan}
			if len(c.args) == 2 {
				args = append(args, "--into", key)
			}
			if a := p.call(run.PlanPath, nil, args...); a.code != c.code || !strings.Contains(a.err, "out of the repository") {
				t.Errorf("got %+v", a)
			}
			if after := tree(t, p.out); after != before {
				t.Errorf("something was written outside:\n%s", after)
			}
		})
	}
}

func (p *project) link(name, to string) {
	p.t.Helper()
	full := filepath.Join(p.root, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Symlink(to, full); err != nil {
		p.t.Fatal(err)
	}
}

// tree lists the files below dir with their content.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if e.Type()&os.ModeSymlink != 0 {
			to, err := os.Readlink(path)
			fmt.Fprintf(&b, "%s -> %s\n", strings.TrimPrefix(path, dir), to)
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s: %q\n", strings.TrimPrefix(path, dir), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAPrototypeIsNotCopiedThroughALinkOutOfTheRepository(t *testing.T) {
	t.Parallel()
	p := newProject(t, false)
	p.write(filepath.Join(p.out, "secret"), "s")
	p.link("mock.html", filepath.Join(p.out, "secret"))
	plan := p.write(filepath.Join(p.out, "a.md"), "---\nprototype: mock.html\n---\n"+fmt.Sprintf(tinyPlan, "Same"))
	a := p.call(run.PlanPath, nil, "--land", plan)
	if a.code != 0 || !strings.Contains(a.err, "warning: prototype mock.html was not copied: a link leads out of the repository") {
		t.Errorf("got %+v", a)
	}
	if _, err := os.Stat(filepath.Join(p.root, "docs", "_specs", p.runs()[0], "prototype.html")); err == nil {
		t.Error("the prototype was copied")
	}
}

func TestOddNamesLand(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"-rf.md", "my plan.md", "[a].md", "zażółć.md", "--into"} {
		p := newProject(t, true)
		p.write(name, fmt.Sprintf(tinyPlan, "Same"))
		if a := p.call(run.PlanPath, nil, "--land", name); a.code != 0 || !strings.Contains(a.out, "state: new") {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

func TestALandingThatCannotLockWritesNothing(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	plan := p.write(filepath.Join(p.out, "a.md"), fmt.Sprintf(tinyPlan, "Same"))
	p.write(".git/viber", "a file where the lock's directory belongs")
	if a := p.call(run.PlanPath, nil, "--land", plan); a.code != 7 || len(p.runs()) != 0 {
		t.Errorf("got %+v, runs %v", a, p.runs())
	}
}

func TestRequiredKnowsTheBaseDespiteATagOfItsName(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	p.write(".claude/viber.yml", "branching:\n  mode: required\n  work:\n    f:\n      base: main\n      name: 'f/{slug}'\n      target: main\n")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "seed")
	p.git("tag", "main")
	plan := p.write(filepath.Join(p.out, "a.md"), fmt.Sprintf(tinyPlan, "Same"))
	a := p.call(run.PlanPath, nil, "--land", plan)
	if a.code != 0 || !strings.Contains(a.out, "branch: f/same (created)\n") {
		t.Errorf("the run is not on a branch of its own: %+v", a)
	}
	if head := p.git("symbolic-ref", "HEAD"); head != "refs/heads/f/same\n" {
		t.Errorf("HEAD is %s", head)
	}
}

func TestTheRunsDirectoryIsTheRepositorysFromASubdirectoryToo(t *testing.T) {
	t.Parallel()
	p := newProject(t, true)
	p.write(".claude/viber.yml", "directories:\n  runs: builds\n")
	p.write("sub/a.md", fmt.Sprintf(tinyPlan, "Same"))
	a := p.call(run.PlanPath, func(c *run.Call) { c.Dir = filepath.Join(p.root, "sub") }, "--land", "a.md")
	if a.code != 0 || !strings.Contains(a.out, "path: docs/builds/2026-03-04-05-06-07_same/plan.md\n") {
		t.Errorf("got %+v", a)
	}
}
