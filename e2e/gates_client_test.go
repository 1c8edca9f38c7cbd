package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"viber/e2e/harness/fakeapi"
	"viber/e2e/harness/run"
)

// onePlan is a plan with one task, so that a scenario of the final review begins with little.
var onePlan = greetings[:strings.Index(greetings, "2. bye.sh")] + greetings[strings.Index(greetings, "\n## Scope"):strings.Index(greetings, "<!-- TASK -->\n### T2")]

// reviewOne is the data of the first round's only slice.
const reviewOne = "<<DIR>>/work/final-1/reviewer-1.json"

// gateScenario builds T1 and comes to the final review; end plays from there in the same session.
func gateScenario(name string, lanes []fakeapi.Lane, end ...fakeapi.Turn) *run.Scenario {
	sc := buildScenario(name)
	sc.Home[".claude/plans/greetings.md"] = onePlan
	coder := append([]fakeapi.Turn{turn(write("hello.sh", "echo hello\n"))}, handOff("T1", "hello.sh", "it is the greeting the task asks for")...)
	sc.Lanes = append([]fakeapi.Lane{lane("coder T1", coderRole, "tasks/T1.md", append(coder, turn(say("VERDICT: PASS\nDOD: 2/2")))...)}, lanes...)
	main := []fakeapi.Turn{
		turn(skill("implementor", "{{HOME}}/.claude/plans/greetings.md")),
		turn(bash(`viber plan-path --land "{{HOME}}/.claude/plans/greetings.md"`)),
		turn(bash(`viber plan-index "<<DIR>>/plan.md" --split`)),
		turn(agent("task-coder", "sonnet", coderLines("T1", ""))),
		turn(bash(`viber commit-task "<<DIR>>/plan.md" "T1"`)),
		turn(bash(`viber rework status --run "<<DIR>>"`)),
		turn(agent("final-reviewer", "opus", "run: <<DIR>>\ntasks: T1\nreport: <<DIR>>/work/final-review-1.md\ndata: "+reviewOne+"\nrefs: "+refs+"\nmemory: true")),
		turn(bash(`viber gate reviewer "` + reviewOne + `" --repo "." --apply`)),
	}
	sc.Lanes = append(sc.Lanes, fakeapi.Lane{Name: "main", Match: fakeapi.Match{Tool: "Agent", FirstUser: "BUILD-RUN"}, Turns: append(main, end...), Strict: true})
	sc.Steps = append(sc.Steps, session("BUILD-RUN"))
	return sc
}

// found is a review or, with its lists, a triage as JSON.
func found(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func finding(severity, issue string, more ...string) map[string]any {
	f := map[string]any{"severity": severity, "file": "hello.sh", "line": 1, "issue": issue, "fix": "print the first argument"}
	for i := 0; i+1 < len(more); i += 2 {
		f[more[i]] = more[i+1]
	}
	return f
}

func review(name string, approved bool, findings ...any) string {
	return found(map[string]any{"reviewer": name, "approved": approved, "findings": append([]any{}, findings...)})
}

func triaged(approved bool, accepted ...any) string {
	return found(map[string]any{"accepted": append([]any{}, accepted...), "deferred": []any{}, "rejected": []any{}, "approved": approved})
}

// TestClientHaltsOnAMalformedReview: a reviewer whose data does not hold gets the errors once; when they do not hold again, the
// build stops where it can be taken up, and nothing is fixed, committed or archived on them.
func TestClientHaltsOnAMalformedReview(t *testing.T) {
	broken := strings.Replace(review("1", false, finding("blocking", "Ann is not named")), `"line":1`, `"line":"1"`, 1)
	lanes := []fakeapi.Lane{lane("final", finalRole, "tasks: T1",
		turn(write(reviewOne, broken), write("<<DIR>>/work/final-review-1.md", "# Final review, tasks T1\n\n- hello.sh:1 | Blocking | Ann is not named | print the first argument\n")),
		turn(say("VERDICT: FAIL\nREPORT: <<DIR>>/work/final-review-1.md")),
		turn(write(reviewOne, strings.Replace(broken, `"fix"`, `"fixit"`, 1))),
		turn(say("VERDICT: FAIL\nREPORT: <<DIR>>/work/final-review-1.md")),
	)}
	correct := turn(use("SendMessage", map[string]any{"to": "<<AGENT>>", "summary": "correct the review",
		"message": "Correct " + reviewOne + " and give your output lines once more: /findings/0/line: this is the text \"1\"; want: a whole number"}))
	correct.Capture["AGENT"] = `(?s).*agentId: ([a-z0-9]+)`
	sc := gateScenario("25-malformed-review", lanes, correct, turn(say("waiting for the corrected review")),
		turn(bash(`viber gate reviewer "`+reviewOne+`" --repo "." --apply`)),
		turn(bash(`viber run state set "<<DIR>>" "status=stopped" "phase=final-review"`)),
		turn(say("HALTED. /viber:resume goes on from here.")))
	sc.Steps = append(sc.Steps, run.Step{Name: "resume", Cmd: []string{"{{VIBER}}", "resume"}})
	sc.Checks = []run.Check{
		{Doc: "the errors were handed back", Request: &run.ReqCheck{Lane: "final", Contains: []string{"Correct", "want: a whole number"}, Count: run.Count{Min: ptr(1)}}},
		{Doc: "the gate refused twice", Request: &run.ReqCheck{Lane: "main", N: ptr(-1), Contains: []string{"/findings/0/fixit", "/findings/0/line"}}},
		{Doc: "the run can be taken up", Output: &run.OutCheck{Step: len(sc.Steps) - 1, Contains: []string{"stopped", "greetings-that-name-the-person"}}},
		{Doc: "nothing was archived", File: &run.FileCheck{Path: "{{PROJECT}}/docs/specs", Absent: true}},
	}
	playGates(t, sc)
}

func ptr[T any](v T) *T { return &v }

// playGates plays a scenario whose tool answers may hold what gates refuse, but no wrong command line.
func playGates(t *testing.T, sc *run.Scenario) *run.Report {
	t.Helper()
	claude := realClient(t)
	report := playScenario(t, sc, ".", claude, buildViber(t, "linux"))
	for _, failure := range report.Failures {
		t.Error(failure)
	}
	for _, answer := range toolAnswers(report) {
		for _, bad := range []string{"permissions to use", "haven't granted", "Exit code 64", "no such command", "usage:", "No such tool"} {
			if strings.Contains(answer, bad) {
				t.Errorf("a tool answered %q", answer)
			}
		}
	}
	return report
}

// Three rounds over one finding, as three reviews and what the arbiter makes of them.
type round struct {
	n        string
	review   string // what the reviewer writes as data
	verdict  string
	triage   string
	fixModel string // the fixing coder's tier; empty: the rounds are used up
}

// roundLanes are the agents of the rounds: one final reviewer, its second looks, the arbiter, the fixing coder.
func roundLanes(rounds ...round) []fakeapi.Lane {
	first := lane("final", finalRole, "tasks: T1",
		turn(write(reviewOne, rounds[0].review), write("<<DIR>>/work/final-review-1.md", "# Final review, tasks T1\n")),
		turn(say("VERDICT: "+rounds[0].verdict)))
	again := lane("recheck", finalRole, "fix: ")
	arbiter := lane("triage", arbiterRole, "case: triage")
	fixer := lane("fixer", coderRole, "triage: ")
	for i, r := range rounds {
		if i > 0 {
			again.Turns = append(again.Turns, turn(write("<<DIR>>/work/final-"+r.n+"/reviewer-recheck.json", r.review)), turn(say("VERDICT: "+r.verdict+"\nREPORT: <<DIR>>/work/final-review-recheck-"+rounds[i-1].n+".md")))
		}
		arbiter.Turns = append(arbiter.Turns, turn(write("<<DIR>>/work/triage-round-"+r.n+".json", r.triage)), turn(say("VERDICT: RULED\nRULING: triage\nWHY: it is so\nCOST: none")))
		if r.fixModel != "" {
			fixer.Turns = append(fixer.Turns, turn(write("hello.sh", "echo \"hello $"+r.n+"\"\n")), turn(say("VERDICT: PASS\nFILES: hello.sh\nFIXED: hello.sh:1 | no name | the name")))
		}
	}
	return []fakeapi.Lane{first, again, arbiter, fixer}
}

// roundTurns is the implementor over the rounds, behind the check of the first review.
func roundTurns(rounds ...round) []fakeapi.Turn {
	var all []fakeapi.Turn
	for i, r := range rounds {
		triage := "<<DIR>>/work/triage-round-" + r.n + ".json"
		if i > 0 {
			before := rounds[i-1]
			data := "<<DIR>>/work/final-" + r.n + "/reviewer-recheck.json"
			all = append(all,
				turn(agent("final-reviewer", "opus", "run: <<DIR>>\nfix: <<DIR>>/work/final-fix-coder-"+before.n+".md\nreview: <<DIR>>/work/final-review-1.md\ntriage: <<DIR>>/work/triage-round-"+before.n+".json\nreport: <<DIR>>/work/final-review-recheck-"+before.n+".md\ndata: "+data+"\nrefs: "+refs+"\nmemory: true")),
				turn(bash(`viber gate reviewer "`+data+`" --repo "." --apply`)))
		}
		all = append(all,
			turn(agent("arbiter", "", "case: triage\nreviews: <<DIR>>/work/final-"+r.n+"/\nruling: "+triage)),
			turn(bash(`viber gate triage "`+triage+`" --reviewers-dir "<<DIR>>/work/final-`+r.n+`" --repo "." --apply --output "<<DIR>>/work/triage-output.json"`)),
			turn(bash(`viber rework record --run "<<DIR>>" --triage "`+triage+`"`)))
		if r.fixModel != "" {
			all = append(all, turn(agent("task-coder", r.fixModel, "spec: <<DIR>>/spec.md\nreview: <<DIR>>/work/final-review-1.md\ntriage: "+triage+"\nnotes: <<DIR>>/work/final-fix-coder-"+r.n+".md\nout: .temp/viber/final-fix-"+r.n+"/\nrefs: "+refs)))
			continue
		}
		all = append(all, turn(bash(`viber rework rulings --run "<<DIR>>" --triage "`+triage+`"`)))
	}
	return all
}

// closeRun is the build from the commit of the final review on.
func closeRun() []fakeapi.Turn {
	return []fakeapi.Turn{
		turn(bash(`viber commit-task --review "<<DIR>>/plan.md" "hello.sh"`)),
		turn(agent("test-runner", "", "<<DIR>>/work/tests-1.md\nrun: <<DIR>>")),
		turn(bash(`viber run-clock "<<STARTED>>"`)),
		turn(agent("closeout", "", "run: <<DIR>>\nsummary: 1/1 tasks committed")),
		turn(say("1/1 tasks committed, tests PASS")),
	}
}

func closeLanes() []fakeapi.Lane {
	return []fakeapi.Lane{
		lane("tests", testerRole, "work/tests-", turn(say("VERDICT: PASS"))),
		lane("closeout", closeRole, "run: ",
			turn(write("<<DIR>>/outcome.md", "# Outcome\n\n1/1 tasks committed\n")), turn(bash(`viber flush "<<DIR>>"`)), turn(bash("viber debt list")),
			turn(bash(`viber archive-run "<<DIR>>"`)), turn(say("VERDICT: ARCHIVED\nDRIFT: none\nPATH: docs/specs/key (3 files)"))),
	}
}

// TestClientParksAfterThreeRounds: a review that approves what it found blocking is turned; two fixes on rising tiers settle
// that; what is left after the third round is not blocking, so it is parked, the build goes on, and closeout keeps the debt.
func TestClientParksAfterThreeRounds(t *testing.T) {
	slow := finding("important", "the loop is slow", "reviewer", "recheck")
	rounds := []round{
		{"1", review("1", true, finding("blocking", "the person is not named")), "PASS", triaged(true, finding("blocking", "the person is not named", "reviewer", "1")), "sonnet"},
		{"2", review("recheck", false, finding("blocking", "a missing name prints nothing")), "FAIL", triaged(false, finding("blocking", "a missing name prints nothing", "reviewer", "recheck")), "opus"},
		{"3", review("recheck", false, finding("important", "the loop is slow")), "FAIL", triaged(true, slow), ""},
	}
	end := append(roundTurns(rounds...), turn(bash(`viber rework followups --run "<<DIR>>" --triage "<<DIR>>/work/triage-round-3.json"`)))
	sc := gateScenario("26-parked", append(roundLanes(rounds...), closeLanes()...), append(end, closeRun()...)...)
	sc.Steps = append(sc.Steps, run.Step{Name: "debt", Cmd: []string{"{{VIBER}}", "debt", "list"}})
	sc.Checks = []run.Check{
		{Doc: "the approval was turned", Request: &run.ReqCheck{Lane: "main", N: ptr(8), Contains: []string{"correct approved=false"}}},
		{Doc: "so was the arbiter's", Request: &run.ReqCheck{Lane: "main", N: ptr(10), Contains: []string{"correct approved=false", "1 accepted"}}},
		{Doc: "the first round counts", Request: &run.ReqCheck{Lane: "main", N: ptr(11), Contains: []string{"round 1 of 3"}}},
		{Doc: "the third trips the breaker", Request: &run.ReqCheck{Lane: "main", Contains: []string{"the circuit breaker tripped: 3 rework cycles are used up"}}},
		{Doc: "what is left is parked", Request: &run.ReqCheck{Lane: "main", N: ptr(-1), Contains: []string{"1 parked as follow-ups", "followups: 1", "parked important hello.sh:1 the loop is slow"}}},
		{Doc: "closeout kept it", Request: &run.ReqCheck{Lane: "closeout", N: ptr(-1), Contains: []string{"debt: 1 new", "the loop is slow"}}},
		{Doc: "and it outlives the run", Output: &run.OutCheck{Step: len(sc.Steps) - 1, Contains: []string{"hello.sh:1: the loop is slow"}}},
		{Doc: "the run was archived", File: &run.FileCheck{Path: "{{PROJECT}}/docs/specs/*/outcome.md"}},
	}
	report := playGates(t, sc)
	if a, b := modelsOf(report, "fixer"); !strings.Contains(a, "sonnet") || !strings.Contains(b, "opus") {
		t.Errorf("the fixes ran on %q, then on %q", a, b)
	}
}

// modelsOf are the models of the first and the last request of a lane.
func modelsOf(report *run.Report, lane string) (first, last string) {
	for _, r := range report.Requests {
		var body struct{ Model string }
		if r.Lane != lane || json.Unmarshal(r.Body, &body) != nil {
			continue
		}
		if first == "" {
			first = body.Model
		}
		last = body.Model
	}
	return first, last
}

// TestClientWaitsForAPersonsAnswer: a finding that blocks after three rounds parks the run on a question; the answer comes
// from a second terminal, and a new session goes on with it to the end.
func TestClientWaitsForAPersonsAnswer(t *testing.T) {
	blocked := func(name string) (string, string) {
		return review(name, false, finding("blocking", "the person is not named")), triaged(false, finding("blocking", "the person is not named", "reviewer", name))
	}
	var rounds []round
	for i, model := range []string{"sonnet", "opus", ""} {
		name := "recheck"
		if i == 0 {
			name = "1"
		}
		data, triage := blocked(name)
		rounds = append(rounds, round{string(rune('1' + i)), data, "FAIL", triage, model})
	}
	end := append(roundTurns(rounds...),
		turn(bash(`viber run state ask "<<DIR>>" --id "final-review" --step "final-review" --text "1 of 1 findings need a person: hello.sh:1 the person is not named" --option "accept=Go on with these findings open" --option "abort=End the build here"`)),
		turn(bash(`viber run state get "<<DIR>>" "/lastAnswer"`)),
		turn(say("Parked. Answer with viber answer KEY --answer accept, then /viber:resume.")))
	lanes := append(roundLanes(rounds...), closeLanes()...)
	lanes = append(lanes, lane("ruling", arbiterRole, "case: final-review",
		turn(write("<<DIR>>/work/ruling-final-review.md", "RULING: accept\nWHY: a person accepted it\nCOST: scripts greet nobody by name\n")),
		turn(say("VERDICT: RULED\nRULING: accept\nWHY: a person accepted it\nCOST: scripts greet nobody by name"))))
	sc := gateScenario("27-answered", lanes, end...)
	resume := append([]fakeapi.Turn{
		turn(skill("implementor", "<<DIR>>/plan.md")),
		turn(bash("viber plan-path")),
		turn(bash(`viber plan-index "<<DIR>>/plan.md" --split`)),
		turn(bash(`viber rework status --run "<<DIR>>"`)),
		turn(bash(`viber run state get "<<DIR>>" "/lastAnswer"`)),
		turn(agent("arbiter", "", "case: final-review\noptions: accept\nreport: <<DIR>>/work/final-review-recheck-2.md\nruling: <<DIR>>/work/ruling-final-review.md")),
		turn(bash(`viber commit-task --rule "<<DIR>>/plan.md" "final-review" --from "<<DIR>>/work/ruling-final-review.md"`)),
	}, closeRun()...)
	sc.Lanes = append(sc.Lanes, fakeapi.Lane{Name: "resume", Match: fakeapi.Match{Tool: "Agent", FirstUser: "# resume"}, Turns: resume, Strict: true})
	sc.Steps = append(sc.Steps,
		run.Step{Name: "asked", Cmd: []string{"{{VIBER}}", "resume"}},
		run.Step{Name: "shown", Cmd: []string{"{{VIBER}}", "runs", "show"}},
		run.Step{Name: "no such option", Exit: ptr(1), Cmd: []string{"sh", "-c", `{{VIBER}} answer "$(ls docs/_specs)" --answer maybe`}},
		run.Step{Name: "answered", Cmd: []string{"sh", "-c", `{{VIBER}} answer "$(ls docs/_specs)" --answer accept`}},
		session("/viber:resume"))
	asked := len(sc.Steps) - 5
	sc.Checks = []run.Check{
		{Doc: "a person is needed", Request: &run.ReqCheck{Lane: "main", N: ptr(-3), Contains: []string{"1 of 1 findings need a person"}}},
		{Doc: "nobody answered yet", Request: &run.ReqCheck{Lane: "main", N: ptr(-1), Contains: []string{"there is no /lastAnswer"}}},
		{Doc: "the second terminal sees the question", Output: &run.OutCheck{Step: asked, Contains: []string{"question: 1 of 1 findings need a person", "next: ask the question, then viber answer"}}},
		{Doc: "so does who looks at the run", Output: &run.OutCheck{Step: asked + 1, Contains: []string{"accept  Go on with these findings open", "next    answer the question: viber answer"}}},
		{Doc: "only its options count", Output: &run.OutCheck{Step: asked + 2, Contains: []string{`"maybe" is no answer`}}},
		{Doc: "the answer is read", Request: &run.ReqCheck{Lane: "resume", N: ptr(5), Contains: []string{`"questionId": "final-review"`, `"accept"`}}},
		{Doc: "the run ended", File: &run.FileCheck{Path: "{{PROJECT}}/docs/specs/*/rulings.md", Contains: []string{"scripts greet nobody by name"}}},
	}
	playGates(t, sc)
}
