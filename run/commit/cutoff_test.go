package commit_test

import (
	"strings"
	"testing"

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
