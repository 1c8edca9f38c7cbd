package commit_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// buildPlan is a plan of twelve tasks: chains, an exclusive one, a hard one, two that depend on the one that is skipped.
func buildPlan() string {
	type task struct{ id, title, deps, files, extra string }
	tasks := []task{
		{"T1", "lay out the store", "", "lib/store.py", ""},
		{"T2", "read parcels", "T1", "lib/read.py", ""},
		{"T3", "write parcels", "T1", "lib/write.py", "- Hard: true\n"},
		{"T4", "sort parcels", "T2, T3", "lib/sort.py", ""},
		{"T5", "show parcels", "T2", "lib/view.py, lib/render.py", ""},
		{"T6", "print labels", "T5", "lib/label.py", ""},
		{"T7", "print in colour", "T6", "lib/colour.py", ""},
		{"T8", "colour by weight", "T7", "lib/weight.py", ""},
		{"T9", "rename the package", "", "setup.cfg", "- Exclusive: true\n"},
		{"T10", "count parcels", "T4", "lib/count.py", ""},
		{"T11", "report counts", "T10", "lib/report.py", ""},
		{"T12", "document parcels", "T11", "docs/parcels.md", ""},
	}
	var b strings.Builder
	b.WriteString("---\nissue: https://github.com/acme/post/issues/42\n---\n\n# Parcel desk\n\n## Goal\n\nParcels are kept.\n\n" +
		"## Acceptance criteria\n\n1. Parcels are kept.\n\n## Tasks\n")
	for _, t := range tasks {
		fmt.Fprintf(&b, "\n<!-- TASK -->\n### %s - %s\n- TDD: none\n%s- Covers: #1\n- Uses: none\n", t.id, t.title, t.extra)
		if t.deps != "" {
			fmt.Fprintf(&b, "- Depends-on: %s\n", t.deps)
		}
		fmt.Fprintf(&b, "- Files: %s\n- Delivers: %s\n- Verification: python -m unittest -> OK\n- DoD: it works\n<!-- /TASK -->\n", t.files, t.title)
	}
	return b.String()
}

const (
	buildKey = "2026-03-04-05-06-07_parcel-desk"
	buildRun = "docs/_specs/" + buildKey
	buildMD  = buildRun + "/plan.md"
)

// move is one turn of a build: what the agents leave in the tree, then one command.
type move struct {
	do   func(w world)
	line []string
	code int
}

// theBuild is a whole run without a model.
func theBuild() []move {
	write := func(pairs ...string) func(w world) {
		return func(w world) {
			for i := 0; i < len(pairs); i += 2 {
				w.write(strings.ReplaceAll(pairs[i], "RUN", buildRun), pairs[i+1])
			}
		}
	}
	task := func(id string, more ...string) []string {
		return append([]string{"commit-task", buildMD, id}, more...)
	}
	ruling := "VERDICT: RULED\nRULING: skip\nWHY: it never worked\nCOST: no colours\n"
	return []move{
		{write("plan-draft.md", buildPlan()), []string{"plan-path", "--land", "plan-draft.md"}, 0},
		{func(w world) { _ = os.Remove(w.path("plan-draft.md")) }, []string{"plan-index", buildMD, "--split"}, 0},
		{write("lib/store.py", "store\n", "RUN/work/T1-coder.md", "notes\n", "RUN/work/review-T1-1.md", "pass\n"), task("T1"), 0},
		{write("lib/read.py", "read\n", "lib/store.py", "store, for reading\n", "RUN/work/T2-extra.md", "EXTRA: lib/store.py\n"),
			task("T2", "--defer", "T4:lib/sort.py"), 0},
		{write(), task("T3"), 4}, // a failed attempt left nothing
		{write("RUN/work/T3-options.md", "DECIDE: one file a parcel | one file in all\n"),
			[]string{"commit-task", "--decide", buildMD, "T3", "--first-of", buildRun + "/work/T3-options.md"}, 0},
		{write("lib/write.py", "write\n", "RUN/work/review-T3-1.md", "fail\n", "RUN/work/review-T3-2.md", "pass\n"), task("T3"), 0},
		{write("lib/sort.py", "sort\n"), task("T4"), 0},
		{write("lib/view.py", "view\n", "lib/render.py", "render\n"), task("T5", "--unreviewed"), 0},
		{write("lib/label.py", "half\n", "RUN/work/ruling-T6.md", ruling),
			[]string{"commit-task", "--rule", buildMD, "T6", "--from", buildRun + "/work/ruling-T6.md"}, 0},
		{write(), []string{"commit-task", "--skip", buildMD, "T6"}, 0},
		{write(), []string{"commit-task", "--skip", buildMD, "T7"}, 0},
		{write(), []string{"commit-task", "--skip", buildMD, "T8"}, 0},
		{write("setup.cfg", "name = parcels\n"), task("T9"), 0},
		{func(w world) { w.write("lib/count.py", "count\n"); w.commitAll("count by hand") }, task("T10", "--landed", "HEAD"), 0},
		{write("lib/report.py", "report\n"), task("T11"), 0},
		{write("docs/parcels.md", "parcels\n"), task("T12"), 0},
		{write("lib/report.py", "report, repaired\n", "RUN/work/tests-1.md", "red\n"), task("T11", "1", "lib/report.py"), 0},
		{write("lib/fixture.py", "fixture\n"), []string{"commit-task", "--repair", buildMD, "1", "lib/fixture.py"}, 0},
		{write(), []string{"commit-task", "--rule", buildMD, "tests", "accept", "one is flaky", "a red run hidden"}, 0},
		{write("CLAUDE.md", "memory\n", ".claude/rules/naming.md", "rule\n"),
			[]string{"commit-task", "--chore", buildMD, "CLAUDE.md", ".claude/rules/naming.md"}, 0},
		{write("RUN/qa.md", "qa\n"), []string{"commit-task", "--qa", buildMD, buildRun + "/qa.md"}, 0},
		{write("RUN/outcome.md", "outcome\n"), []string{"archive-run", buildRun}, 0},
	}
}

// play plays the build; before is called ahead of each command, after what the agents did, and says whether it ran it whole.
func play(t *testing.T, before func(w world, i int, m move) (done bool)) (w world, status string) {
	t.Helper()
	w = newWorld(t)
	w.write("README.md", "parcels\n")
	w.commitAll("seed")
	for i, m := range theBuild() {
		m.do(w)
		if m.line[0] == "archive-run" {
			status = w.read(buildRun + "/status.md")
		}
		if before != nil && before(w, i, m) {
			continue
		}
		if s := w.call(m.line...); s.code != m.code {
			t.Fatalf("move %d, %q: exit %d, want %d\n%s%s", i, m.line, s.code, m.code, s.out, s.err)
		}
	}
	return w, status
}

func outcomeOf(w world, status string) string {
	return "history\n\n" + w.history() + "\ntree\n\n" + w.git("ls-tree", "-r", "--name-only", "HEAD") +
		"\nstatus.md before the archive\n\n" + status + "\ngit status\n\n" + w.git("status", "--porcelain", "--untracked-files=all")
}

// TestWholeBuild plays a run of twelve tasks from landing to archive. History, tree and status are golden.
func TestWholeBuild(t *testing.T) {
	t.Parallel()
	got := outcomeOf(play(t, nil))
	golden := filepath.Join("testdata", "build.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the build differs from %s:\n%s", golden, got)
	}
}

// TestInterruptedBuild kills every command of the build once, each at another of its steps, and runs it again: the build
// ends as if nothing had happened.
func TestInterruptedBuild(t *testing.T) {
	t.Parallel()
	got := outcomeOf(play(t, func(w world, i int, m move) bool {
		return (m.line[0] == "commit-task" || m.line[0] == "archive-run") && killed(w, 1+i*7%31, m.line...)
	}))
	want, err := os.ReadFile(filepath.Join("testdata", "build.golden"))
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the interrupted build differs:\n%s", got)
	}
}
