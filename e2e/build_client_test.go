package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viber/e2e/harness/fakeapi"
	"viber/e2e/harness/run"
)

const greetings = `---
source: {{HOME}}/.claude/plans/greetings.md
---

# Greetings that name the person

Build: skill implementor

## Goal

Scripts greet a person by name.

## Acceptance criteria

1. hello.sh greets the given name.
2. bye.sh says goodbye to the given name.
3. all.sh does both.

## Scope

### Out of scope

- Other languages

## Tasks

<!-- TASK -->
### T1 - The greeting names the person

- TDD: none
- Covers: #1
- Uses: none
- Files: hello.sh
- Delivers: hello.sh NAME
- Verification: sh hello.sh Ann -> hello Ann
- DoD: prints hello; names the person
<!-- /TASK -->

<!-- TASK -->
### T2 - The farewell names the person

- TDD: none
- Covers: #2
- Uses: none
- Files: bye.sh
- Delivers: bye.sh NAME
- Verification: sh bye.sh Ann -> bye Ann
- DoD: names the person
<!-- /TASK -->

<!-- TASK -->
### T3 - One script does both

- TDD: none
- Covers: #3
- Uses: none
- Depends-on: T1, T2
- Files: all.sh
- Delivers: all.sh NAME
- Verification: sh all.sh Ann -> hello Ann, bye Ann
- DoD: prints both lines
<!-- /TASK -->
`

var runKey = regexp.MustCompile(`\d{4}(-\d\d){5}_greetings-that-name-the-person`)

// buildRefused are words of an answer that a command line of the texts, or a path they name, must never get.
var buildRefused = []string{"permissions to use", "Permission to use", "haven't granted", "Exit code 2", "Exit code 64", "no such command", "usage:", "No such tool", "File does not exist"}

// TestClientBuildsAPlan plays a whole build by the texts of the plugin: land, split, two coders at once, a review that fails
// and then passes, attempts one tier up, an arbiter's ruling, commits, a failing test run with its repair, memory, closeout
// and archive. The repository afterwards is the golden one.
func TestClientBuildsAPlan(t *testing.T) {
	sc := buildScenario("22-build")
	sc.Lanes = append(buildLanes(), fakeapi.Lane{Name: "main", Match: fakeapi.Match{Tool: "Agent", FirstUser: "BUILD-RUN"},
		Turns: append(buildTurns(), closeTurns()...), Strict: true})
	sc.Steps = append(sc.Steps, session("BUILD-RUN"))
	report := playBuild(t, sc, "build.golden")

	models := map[string]string{"coder T1": "haiku", "coder T2": "sonnet", "reviewer T1": "sonnet", "final": "opus"}
	for name, want := range models {
		if got := firstModel(report, name); !strings.Contains(got, want) {
			t.Errorf("%s ran first on %q, not on %s", name, got, want)
		}
	}
}

// TestClientResumesABuild stops the same build after T1 and T2 are committed and goes on in a new session: the repository
// ends as it does without the stop.
func TestClientResumesABuild(t *testing.T) {
	sc := buildScenario("23-resume")
	resume := append([]fakeapi.Turn{
		turn(skill("implementor", "<<DIR>>/plan.md")),
		turn(bash("viber plan-path")),
		turn(bash(`viber plan-index "<<DIR>>/plan.md" --split`)),
	}, closeTurns()...)
	sc.Lanes = append(buildLanes(),
		fakeapi.Lane{Name: "main", Match: fakeapi.Match{Tool: "Agent", FirstUser: "BUILD-RUN"}, Turns: append(buildTurns(), stops("stopped")...), Strict: true},
		fakeapi.Lane{Name: "resume", Match: fakeapi.Match{Tool: "Agent", FirstUser: "# resume"}, Turns: resume, Strict: true})
	sc.Steps = append(sc.Steps, session("BUILD-RUN"), session("/viber:resume"))
	playBuild(t, sc, "build.golden")
}

// stops are the last words of a session that leaves tasks of its run: run-stop holds it three times, then lets it go.
func stops(words string) []fakeapi.Turn {
	return slices.Repeat([]fakeapi.Turn{turn(say(words))}, 4)
}

// buildScenario has a project with one commit, set up, and the approved plan in the user's plans.
func buildScenario(name string) *run.Scenario {
	return &run.Scenario{
		Name: name, Git: true,
		Home:    map[string]any{".claude/plans/greetings.md": greetings},
		Project: map[string]any{"lib/readme.txt": "a library\n"},
		Steps: []run.Step{
			{Name: "identity", Cmd: []string{"git", "config", "user.name", "A"}},
			{Name: "identity", Cmd: []string{"git", "config", "user.email", "a@example.com"}},
			{Name: "setup", Cmd: []string{"{{VIBER}}", "setup", "--yes"}},
			{Name: "first commit", Cmd: []string{"sh", "-c", "git add -A && git commit -qm start"}},
		},
	}
}

func session(prompt string) run.Step {
	return run.Step{Name: prompt, Prompt: prompt, TimeoutS: 600,
		Args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Agent,Skill,Bash(sh:*)"}}
}

// playBuild plays the scenario and compares the repository it leaves with the golden one.
func playBuild(t *testing.T, sc *run.Scenario, golden string) *run.Report {
	t.Helper()
	claude := realClient(t)
	viber := buildViber(t, "linux")
	sc.Steps = append(sc.Steps,
		run.Step{Name: "history", Cmd: []string{"git", "log", "--reverse", "--format=%s"}},
		run.Step{Name: "tree", Cmd: []string{"git", "ls-files"}},
		run.Step{Name: "left", Cmd: []string{"git", "status", "--short"}})
	work := t.TempDir()
	installed := filepath.Join(work, "opt", "viber")
	if err := copyFile(viber, installed); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	report, err := run.Run(sc, run.Options{Claude: claude, HookBin: self, Work: work, Path: filepath.Dir(claude) + ":/usr/bin:/bin",
		Vars: map[string]string{"VIBER": installed}})
	if err != nil {
		t.Fatal(err)
	}
	for _, failure := range report.Failures {
		t.Error(failure)
	}
	checkAnswers(t, report)
	checkRepository(t, report, golden)
	return report
}

// checkAnswers holds every answer a tool gave against the words it must not hold.
func checkAnswers(t *testing.T, report *run.Report) {
	t.Helper()
	for _, answer := range toolAnswers(report) {
		for _, bad := range buildRefused {
			if strings.Contains(answer, bad) {
				t.Errorf("a tool answered %q", answer)
				break
			}
		}
	}
}

func toolAnswers(report *run.Report) []string {
	var all []string
	for _, line := range report.Transcript {
		message, _ := line["message"].(map[string]any)
		blocks, _ := message["content"].([]any)
		for _, b := range blocks {
			block, _ := b.(map[string]any)
			if block["type"] == "tool_result" {
				all = append(all, fakeapi.Flat(block["content"]))
			}
		}
	}
	return all
}

func checkRepository(t *testing.T, report *run.Report, golden string) {
	t.Helper()
	var got strings.Builder
	for _, step := range report.Steps[len(report.Steps)-3:] {
		got.WriteString("-- " + step.Name + " --\n" + runKey.ReplaceAllString(step.Stdout, "KEY"))
	}
	path := filepath.Join("testdata", golden)
	if os.Getenv("VIBER_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("the repository after the build is\n%swant\n%s", got.String(), want)
	}
}

func firstModel(report *run.Report, lane string) string {
	for _, r := range report.Requests {
		if r.Lane == lane {
			var body struct{ Model string }
			if json.Unmarshal(r.Body, &body) == nil {
				return body.Model
			}
		}
	}
	return ""
}

// TestClientAsksAboutARefusedTool: a coder whose command the client refuses ends with DENIED and the refused call, and the
// implementor puts the question to the user, who gives up; the build ends without a commit and says what was refused.
func TestClientAsksAboutARefusedTool(t *testing.T) {
	sc := buildScenario("24-denied")
	question := map[string]any{"questions": []map[string]any{{
		"question": "T1: Bash was refused: npm publish", "header": "T1", "multiSelect": false,
		"options": []map[string]any{
			{"label": "permission added and retry", "description": "dispatch the coder again"},
			{"label": "skip", "description": "leave the task out"}, {"label": "abort", "description": "end the build"}},
	}}}
	sc.Lanes = []fakeapi.Lane{
		lane("coder T1", coderRole, "tasks/T1.md", turn(bash("npm publish")), turn(say("VERDICT: DENIED\nREASON: Bash: npm publish"))),
		{Name: "main", Match: fakeapi.Match{Tool: "Agent", FirstUser: "BUILD-RUN"}, Strict: true, Turns: []fakeapi.Turn{
			turn(skill("implementor", "{{HOME}}/.claude/plans/greetings.md")),
			turn(bash(`viber plan-path --land "{{HOME}}/.claude/plans/greetings.md"`)),
			turn(bash(`viber plan-index "<<DIR>>/plan.md" --split`)),
			turn(agent("task-coder", "haiku", coderLines("T1", ""))),
			turn(use("AskUserQuestion", question)),
			turn(bash(`viber run-clock "<<STARTED>>"`)),
		}},
	}
	main := &sc.Lanes[len(sc.Lanes)-1]
	main.Turns = append(main.Turns, stops("0/3 tasks committed\nT1 was refused: npm publish")...)
	build := session("BUILD-RUN")
	build.Host = "deny"
	sc.Steps = append(sc.Steps, build)
	report := playBuild(t, sc, "denied.golden")

	requests := map[string]string{}
	for _, r := range report.Requests {
		requests[r.Lane] = string(r.Body)
	}
	if !strings.Contains(requests["coder T1"], "denied") && !strings.Contains(requests["coder T1"], "reject") {
		t.Error("the coder's command was not refused")
	}
	if !strings.Contains(requests["main"], "VERDICT: DENIED") {
		t.Error("the implementor did not see the verdict")
	}
	if !strings.Contains(requests["main"], "elapsed: ") {
		t.Error("the build did not reach its close")
	}
}
