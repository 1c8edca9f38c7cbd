package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func runCases() []benchCase {
	return []benchCase{
		{name: "plan-index, 300 tasks, 300 KB", limit: 15, runs: 60, prepare: largePlan},
		{name: "plan-path, 500 runs of 2 KB", limit: 18, runs: 60, prepare: manyRuns},
	}
}

// largePlan is a plan of 300 tasks and 300 KB in a project without a repository: git's own time is no part of the budget.
func largePlan(w *world) (viber, reference command, err error) {
	var b strings.Builder
	b.WriteString("# Large\n\n## Goal\n\nSpeed.\n\n## Acceptance criteria\n\n")
	for i := 1; i <= 300; i++ {
		fmt.Fprintf(&b, "%d. Criterion number %d holds.\n", i, i)
	}
	b.WriteString("\n## Tasks\n\n")
	for i := 1; i <= 300; i++ {
		task(&b, i, 1040)
	}
	b.WriteString("## Contracts\n\n### C1 - Shape\n\nFile: lib/f1.go\n\nid;name\n")
	name := "docs/_specs/2026-01-01-00-00-00_large/plan.md"
	dir := filepath.Join(w.dir, "large")
	if err := layPlan(filepath.Join(dir, name), b.String()); err != nil {
		return command{}, command{}, err
	}
	return command{argv: []string{w.viber, "plan-index", name}, dir: dir, says: "T300"}, command{}, nil
}

// task writes block i with about size bytes of text.
func task(b *strings.Builder, i, size int) {
	dep := "none"
	if i > 1 {
		dep = fmt.Sprintf("T%d", i-1)
	}
	fmt.Fprintf(b, "<!-- TASK -->\n### T%d - Task number %d\n- TDD: required\n- Covers: #%d\n- Uses: C1\n- Depends-on: %s\n"+
		"- Files: lib/f%d.go, lib/f%d_test.go\n- Delivers: part %d\n- Verification: go test ./lib -run F%d -> ok\n"+
		"- DoD: part %d is there; it is tested\n\n%s\n<!-- /TASK -->\n\n", i, i, i, dep, i, i, i, i, i,
		strings.Repeat("What the task has to do, said at length.\n", max(0, size-300)/41))
}

// manyRuns are 500 run directories, every plan 2 KB, each half done.
func manyRuns(w *world) (viber, reference command, err error) {
	dir := filepath.Join(w.dir, "many")
	for i := range 500 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Run %d\n\n## Acceptance criteria\n\n1. One\n\n## Tasks\n\n", i)
		for t := 1; t <= 4; t++ {
			task(&b, t, 570)
		}
		run := filepath.Join(dir, "docs", "_specs", fmt.Sprintf("2026-01-01-00-%02d-%02d_run-%d", i/60, i%60, i))
		if err := layPlan(filepath.Join(run, "plan.md"), b.String()); err != nil {
			return command{}, command{}, err
		}
		if err := layPlan(filepath.Join(run, "status.md"), "# status\n\nprogress: 2/4\ndone: T1 T2\nskipped: none\n"); err != nil {
			return command{}, command{}, err
		}
	}
	return command{argv: []string{w.viber, "plan-path"}, dir: dir, says: "run-499"}, command{}, nil
}

func layPlan(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
