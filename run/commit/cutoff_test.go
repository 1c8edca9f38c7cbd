package commit_test

import (
	"os"
	"strings"
	"testing"

	"viber/internal/fsx"
	"viber/run"
)

const validPlan = "# Parcels\n\n## Acceptance criteria\n\n1. x\n\n## Tasks\n\n<!-- TASK -->\n### T1 - store parcels\n- TDD: none\n- Covers: 1\n- Uses: none\n" +
	"- Files: lib/store.py\n- Delivers: x\n- Verification: x\n- DoD: x\n<!-- /TASK -->\n"

// Whatever moment a commit is killed at, plan-index, the list of runs and the panel call the task done exactly
// when its commit is there.
func TestAKilledCommitIsNotCountedBeforeItIsMade(t *testing.T) {
	t.Parallel()
	scene := newWorld(t)
	scene.write(planPath, validPlan)
	scene.write(runDir+"/status.md", strings.Replace(fresh, "0/2", "0/1", 1))
	scene.commitAll("run")
	scene.write("lib/store.py", "1\n")
	stride := 2
	if testing.Short() {
		stride = 4
	}
	for n := 1; ; n += stride {
		w := scene.copied(t)
		if killed(w, n, "commit-task", planPath, "T1") {
			return
		}
		s := w.call("plan-index", planPath)
		made := strings.Contains(w.history(), "T1 - store parcels")
		if s.code != 0 || strings.Contains(s.out, "\nT1 | done |") != made {
			t.Errorf("killed before step %d, commit made: %t\n%s%s", n, made, s.out, s.err)
		}
		if list, err := run.Summaries(w.dir); err != nil || len(list) != 1 || (list[0].Done == 1) != made {
			t.Errorf("killed before step %d, commit made: %t: the runs are %+v, %v", n, made, list, err)
		}
		if p := run.ReadPanel(w.dir, nil); p == nil == !made || p != nil && p.Done == 1 {
			t.Errorf("killed before step %d, commit made: %t: the panel shows %+v", n, made, p)
		}
		if r, err := run.LoadRun(w.dir, runDir); err != nil || (len(r.Status.Done.IDs()) == 1) != made {
			t.Errorf("killed before step %d, commit made: %t: %v %+v", n, made, err, r)
		}
	}
}

// Whatever moment a commit or an archive is killed at, what it left is named with the command that settles it, and that
// command does.
func TestWhatWasCutOffIsNamedWithItsWayOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		done string
		line []string
		want run.CutOff
	}{
		"archive": {"T1", []string{"archive-run", "./" + runDir + "/"},
			run.CutOff{What: "archive", Key: "2026-03-04-05-06-07_parcels", Command: "viber archive-run ./" + runDir + "/"}},
		"task": {"none", []string{"commit-task", planPath, "T1"},
			run.CutOff{What: "commit", Key: "2026-03-04-05-06-07_parcels", Command: "viber commit-task " + planPath + " T1"}},
		"e2e": {"none", []string{"commit-task", "--e2e", "lib/store.py"},
			run.CutOff{What: "commit", Command: "viber commit-task --e2e lib/store.py"}},
		"free": {"none", []string{"commit", `say "$5"`, "lib/store.py"},
			run.CutOff{What: "commit", Command: `viber commit "say \"\$5\"" lib/store.py`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scene := newWorld(t)
			scene.write(planPath, validPlan)
			scene.write(runDir+"/spec.md", "spec\n")
			scene.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: "+c.done, 1))
			scene.commitAll("run")
			scene.write("lib/store.py", "1\n")
			seen := false
			for n := 2; ; n += 3 {
				w := scene.copied(t)
				if killed(w, n, c.line...) {
					break
				}
				_, err := os.Stat(w.path(".git/viber/commit.json"))
				cut, ok := run.FindCutOff(w.dir)
				if ok != (err == nil) || ok && cut != c.want {
					t.Fatalf("killed before step %d: %+v %t, journal: %v", n, cut, ok, err)
				}
				seen = seen || ok
				s := w.call("plan-path")
				if named := strings.Contains(s.err, c.want.Command); named != ok {
					t.Errorf("killed before step %d: plan-path ended with %d and said %q", n, s.code, s.err)
				}
				w.must(c.line...)
				if cut, ok := run.FindCutOff(w.dir); ok {
					t.Errorf("killed before step %d, the same call again: still %+v", n, cut)
				}
			}
			if !seen {
				t.Error("nothing was ever cut off")
			}
		})
	}
}

func TestACommitUnderWayIsNotCutOff(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write(".git/viber/commit.json", `{"args":["`+runDir+`"],"from":"`+runDir+`"}`)
	unlock, err := fsx.Lock(w.path(".git/viber/commit.lock"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if cut, ok := run.FindCutOff(w.dir); ok {
		t.Errorf("a commit under way: %+v", cut)
	}
	unlock()
	if _, ok := run.FindCutOff(w.dir); !ok {
		t.Error("nobody is at work and nothing is named")
	}
}
