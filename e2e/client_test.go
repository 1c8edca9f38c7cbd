package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viber/e2e/harness/run"
)

// realClient returns the path of the client, or skips the test with one clear line where there is none.
func realClient(t *testing.T) string {
	t.Helper()
	claude := os.Getenv("VIBER_E2E_CLAUDE")
	if claude == "" {
		t.Skip("no client: set VIBER_E2E_CLAUDE to the path of the client's binary")
	}
	return claude
}

// TestScenarios plays scenarios/*.json with the real client named by VIBER_E2E_CLAUDE. In a scenario {{VIBER}} is the
// freshly built program, installed where a user would have it.
func TestScenarios(t *testing.T) {
	claude := realClient(t)
	files, err := filepath.Glob("scenarios/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	viber := buildViber(t, "linux")
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			play(t, file, claude, viber)
		})
	}
}

func play(t *testing.T, file, claude, viber string) {
	sc, err := run.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	failures := playScenario(t, sc, dir, claude, viber).Failures
	if len(failures) > 0 && onTerminal(sc) {
		t.Logf("played a second time, since a terminal's timing is the machine's; the first time:\n%s", strings.Join(failures, "\n"))
		failures = playScenario(t, sc, dir, claude, viber).Failures
	}
	for _, failure := range failures {
		t.Error(failure)
	}
}

// onTerminal reports whether sc has a step that types and reads a screen.
func onTerminal(sc *run.Scenario) bool {
	return slices.ContainsFunc(sc.Steps, func(s run.Step) bool { return len(s.TTY) > 0 })
}

// workDir returns the folder a scenario is played in: a fresh one that is removed, or one below VIBER_E2E_WORK that stays,
// with the requests, the client's log and its transcripts.
func workDir(t *testing.T, name string) string {
	t.Helper()
	kept := os.Getenv("VIBER_E2E_WORK")
	if kept == "" {
		return t.TempDir()
	}
	dir := filepath.Join(kept, name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// playScenario plays sc, whose folder is dir, with a copy of viber where a user would have it.
func playScenario(t *testing.T, sc *run.Scenario, dir, claude, viber string) *run.Report {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	work := workDir(t, sc.Name)
	installed := filepath.Join(work, "opt", "viber")
	if err := copyFile(viber, installed); err != nil {
		t.Fatal(err)
	}
	rep, err := run.Run(sc, run.Options{
		Claude: claude, HookBin: self, Work: work, Dir: dir,
		Path: filepath.Dir(claude) + ":/usr/bin:/bin",
		Vars: map[string]string{"VIBER": installed},
	})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}
