package e2e

import (
	"encoding/json"

	"viber/e2e/harness/fakeapi"
)

// The scripted model of a build plays by the implementor's and the agents' texts: what it calls are the command lines that
// stand there, and what it sends to an agent are the label lines of its dispatch.

const (
	captureDir     = `(docs/_specs/\d[^/\s"\\]+)`
	captureStarted = `started: (\d+)`
)

func say(text string) fakeapi.Block { return fakeapi.Block{Type: "text", Text: text} }

func use(tool string, input map[string]any) fakeapi.Block {
	return fakeapi.Block{Type: "tool_use", Name: tool, Input: input}
}

func bash(command string) fakeapi.Block {
	return use("Bash", map[string]any{"command": command, "description": "as the text says"})
}

// write writes a file of the project; a path that starts with <<DIR>> is one of the run.
func write(path, content string) fakeapi.Block {
	return use("Write", map[string]any{"file_path": "{{PROJECT}}/" + path, "content": content})
}

func look(path string) fakeapi.Block { return use("Read", map[string]any{"file_path": path}) }

func agent(name, model, prompt string) fakeapi.Block {
	input := map[string]any{"subagent_type": "viber:" + name, "description": name, "prompt": prompt, "run_in_background": false}
	if model != "" {
		input["model"] = model
	}
	return use("Agent", input)
}

func skill(name, args string) fakeapi.Block {
	return use("Skill", map[string]any{"skill": "viber:" + name, "args": args})
}

func turn(blocks ...fakeapi.Block) fakeapi.Turn {
	return fakeapi.Turn{Content: blocks, Capture: map[string]string{"DIR": captureDir, "STARTED": captureStarted}}
}

// lane answers one agent; role is a sentence of its text, about is in its dispatch.
func lane(name, role, about string, turns ...fakeapi.Turn) fakeapi.Lane {
	sub := true
	return fakeapi.Lane{Name: name, Match: fakeapi.Match{Subagent: &sub, System: role, FirstUser: about}, Turns: turns, Strict: true}
}

// Sentences by which the harness knows whose request it answers.
const (
	coderRole    = "You write the code of one task"
	reviewerRole = "You decide whether one task is done"
	arbiterRole  = "You choose one option from the list"
	testerRole   = "You run the tests and report"
	finalRole    = "only shows when they stand together"
	closeRole    = "You close a run"
	memoryRole   = "You keep the project's `CLAUDE.md` files true"
	rulesRole    = "You keep `.claude/rules` short and true"
)

const refs = "{{HOME}}/.claude/skills/viber/references"

func coderLines(id, more string) string {
	return "task: <<DIR>>/tasks/" + id + ".md\nnotes: <<DIR>>/work/" + id + "-coder.md\nout: .temp/viber/" + id + "/\nrefs: " + refs +
		"\nextras: <<DIR>>/work/" + id + "-extra.md\ndecide-file: <<DIR>>/work/" + id + "-options.md" + more
}

func reviewerLines(id, round string) string {
	return "task: <<DIR>>/tasks/" + id + ".md\nnotes: <<DIR>>/work/" + id + "-coder.md\nout: .temp/viber/" + id + "/\nrefs: " + refs +
		"\nreport: <<DIR>>/work/review-" + id + "-" + round + ".md\nextras: <<DIR>>/work/" + id + "-extra-review.md\n" +
		`scope: viber plan-index "<<DIR>>/plan.md" --extra "` + id + `"`
}

// handOff is how a coder accounts for what it changed.
func handOff(id, path, reason string) []fakeapi.Turn {
	record, _ := json.Marshal(map[string]any{"files": []map[string]string{{"path": path, "reason": reason}}, "notDone": []any{}})
	out := ".temp/viber/" + id + "/"
	return []fakeapi.Turn{
		turn(write(out+"changed.txt", path+"\n"), write(out+"scope.json", string(record))),
		turn(bash(`viber gate scope --check "` + out + `scope.json" --diff-files "` + out + `changed.txt"`)),
		turn(write("<<DIR>>/work/"+id+"-coder.md", "Built "+path+".\n")),
	}
}

// buildLanes are the agents of the build: T1 needs a second attempt after a review, T2 two more and a ruling.
func buildLanes() []fakeapi.Lane {
	t1 := append([]fakeapi.Turn{turn(look("{{PROJECT}}/<<DIR>>/tasks/T1.md")), turn(write("hello.sh", "echo hello\n")), turn(bash("sh hello.sh Ann"))},
		append(handOff("T1", "hello.sh", "it is the greeting the task asks for"), turn(say("VERDICT: PASS\nDOD: 2/2")))...)
	t1 = append(t1, turn(look("{{PROJECT}}/<<DIR>>/work/review-T1-1.md")), turn(write("hello.sh", "echo \"hello $1\"\n")))
	t1 = append(append(t1, handOff("T1", "hello.sh", "it is the greeting the task asks for")...), turn(say("VERDICT: PASS\nDOD: 2/2")))

	t2 := []fakeapi.Turn{
		turn(say("VERDICT: FAIL\nREASON: the task does not say what a missing name means\nDOD: 0/1")),
		turn(write("<<DIR>>/work/T2-options.md", "DECIDE: say goodbye to nobody | end with an error\n")),
		turn(say("VERDICT: FAIL\nREASON: two answers to a missing name are defensible\nDECIDE: say goodbye to nobody | end with an error\nDOD: 0/1")),
		turn(write("bye.sh", "echo \"bye $1\"\n")),
	}
	t2 = append(append(t2, handOff("T2", "bye.sh", "it is the farewell the task asks for")...), turn(say("VERDICT: PASS\nDOD: 1/1")))

	t3 := []fakeapi.Turn{turn(write("all.sh", "sh hello.sh \"$1\"\nsh bye.sh\n"))}
	t3 = append(append(t3, handOff("T3", "all.sh", "it joins both as the task asks")...), turn(say("VERDICT: PASS\nDOD: 1/1")))

	return []fakeapi.Lane{
		lane("coder T1", coderRole, "tasks/T1.md", t1...),
		lane("coder T2", coderRole, "tasks/T2.md", t2...),
		lane("coder T3", coderRole, "tasks/T3.md", t3...),
		lane("repair", coderRole, "spec: ",
			turn(look("{{PROJECT}}/<<DIR>>/work/tests-1.md")), turn(write("all.sh", "sh hello.sh \"$1\"\nsh bye.sh \"$1\"\n")),
			turn(write("<<DIR>>/work/repair-1-coder.md", "Passed the name on.\n")), turn(say("VERDICT: PASS\nFILES: all.sh"))),
		lane("reviewer T1", reviewerRole, "tasks/T1.md",
			turn(bash(`viber plan-index "<<DIR>>/plan.md" --extra "T1"`), bash("git diff")),
			turn(write("<<DIR>>/work/review-T1-1.md", "# Review T1, round 1\n\n## Blocking\n- hello.sh:1 | Ann is not named | print the first argument\n\n## Minor\n- none\n")),
			turn(say("VERDICT: FAIL\nREVIEW: <<DIR>>/work/review-T1-1.md")),
			turn(bash("sh hello.sh Ann")), turn(say("VERDICT: PASS"))),
		lane("arbiter", arbiterRole, "case: decide",
			turn(look("{{PROJECT}}/<<DIR>>/tasks/T2.md")),
			turn(write("<<DIR>>/work/ruling-T2.md", "RULING: say goodbye to nobody\nWHY: the criterion names no error\nCOST: a caller who forgets the name sees no failure\n")),
			turn(say("VERDICT: RULED\nRULING: say goodbye to nobody\nWHY: the criterion names no error\nCOST: a caller who forgets the name sees no failure"))),
		lane("final", finalRole, "tasks: T1 T2 T3", turn(bash("git log --oneline")), turn(write("<<DIR>>/work/final-1/reviewer-1.json", `{"reviewer": "1", "approved": true, "findings": []}`)),
			turn(say("VERDICT: PASS\nOWNER: the greetings are in English only"))),
		lane("tests", testerRole, "work/tests-",
			turn(bash("sh all.sh Ann")), turn(write("<<DIR>>/work/tests-1.md", "status: fail\nall | all.sh | expected bye Ann\n")),
			turn(say("VERDICT: FAIL\nREPORT: <<DIR>>/work/tests-1.md")),
			turn(bash("sh all.sh Ann")), turn(write("<<DIR>>/work/tests-2.md", "status: pass\n")), turn(say("VERDICT: PASS"))),
		lane("memory", memoryRole, "spec: ", turn(write("lib/CLAUDE.md", "- all.sh passes its first argument on to both scripts.\n")), turn(say("VERDICT: UPDATED\nFILES: lib/CLAUDE.md"))),
		lane("rules", rulesRole, "spec: ", turn(say("VERDICT: NONE"))),
		lane("closeout", closeRole, "run: ",
			turn(write("<<DIR>>/outcome.md", "# Outcome\n\n3/3 tasks committed\n")), turn(bash(`viber flush "<<DIR>>"`)), turn(bash("viber debt list")), turn(bash(`viber archive-run "<<DIR>>"`)),
			turn(say("VERDICT: ARCHIVED\nDRIFT: none\nPATH: docs/specs/key (3 files)"))),
	}
}

// buildTurns is the implementor up to the point where T1 and T2 are settled.
func buildTurns() []fakeapi.Turn {
	plan := `"<<DIR>>/plan.md"`
	return []fakeapi.Turn{
		turn(skill("implementor", "{{HOME}}/.claude/plans/greetings.md")),
		turn(bash(`viber plan-path --land "{{HOME}}/.claude/plans/greetings.md"`)),
		turn(bash("viber plan-index " + plan + " --split")),
		turn(agent("task-coder", "haiku", coderLines("T1", "")), agent("task-coder", "sonnet", coderLines("T2", ""))),
		turn(agent("task-reviewer", "sonnet", reviewerLines("T1", "1")),
			agent("task-coder", "opus", coderLines("T2", "\nreason: the task does not say what a missing name means"))),
		turn(agent("task-coder", "sonnet", coderLines("T1", "\nreport: <<DIR>>/work/review-T1-1.md")),
			agent("arbiter", "", "case: decide\noptions: say goodbye to nobody | end with an error\ntask: <<DIR>>/tasks/T2.md\nreport: <<DIR>>/work/T2-coder.md\n"+
				"reason: two answers to a missing name are defensible\nruling: <<DIR>>/work/ruling-T2.md")),
		turn(agent("task-reviewer", "sonnet", reviewerLines("T1", "2")), bash("viber commit-task --rule "+plan+` "T2" --from "<<DIR>>/work/ruling-T2.md"`)),
		turn(bash("viber commit-task --decide " + plan + ` "T2" --from "<<DIR>>/work/ruling-T2.md"`)),
		turn(agent("task-coder", "opus", coderLines("T2", "\ndecision: T2: say goodbye to nobody")), bash("viber commit-task "+plan+` "T1"`)),
		turn(bash("viber commit-task " + plan + ` "T2"`)),
	}
}

// closeTurns is the rest of a build, from T3 to the last line.
func closeTurns() []fakeapi.Turn {
	plan := `"<<DIR>>/plan.md"`
	return []fakeapi.Turn{
		turn(agent("task-coder", "haiku", coderLines("T3", "\nprior: <<DIR>>/work/T1-coder.md, <<DIR>>/work/T2-coder.md\ndecision: T2: say goodbye to nobody"))),
		turn(bash("viber commit-task " + plan + ` "T3"`)),
		turn(bash(`viber rework status --run "<<DIR>>"`)),
		turn(agent("final-reviewer", "opus", "run: <<DIR>>\ntasks: T1 T2 T3\nreport: <<DIR>>/work/final-review-1.md\ndata: <<DIR>>/work/final-1/reviewer-1.json\nrefs: "+refs+"\nmemory: true")),
		turn(bash(`viber gate reviewer "<<DIR>>/work/final-1/reviewer-1.json" --repo "." --apply`)),
		turn(agent("test-runner", "", "<<DIR>>/work/tests-1.md\nrun: <<DIR>>")),
		turn(agent("task-coder", "sonnet", "spec: <<DIR>>/spec.md\nreport: <<DIR>>/work/tests-1.md\nnotes: <<DIR>>/work/repair-1-coder.md\nout: .temp/viber/repair-1/\nrefs: "+refs)),
		turn(bash("viber commit-task " + plan + ` "T3" "1" "all.sh"`)),
		turn(agent("test-runner", "", "<<DIR>>/work/tests-2.md\nrun: <<DIR>>")),
		turn(agent("memory-writer", "", "spec: <<DIR>>/spec.md\nnotes: <<DIR>>/work/\nrefs: "+refs), agent("rules-writer", "", "spec: <<DIR>>/spec.md\nnotes: <<DIR>>/work/\nrefs: "+refs)),
		turn(bash("viber commit-task --chore " + plan + ` "lib/CLAUDE.md"`)),
		turn(bash(`viber run-clock "<<STARTED>>"`)),
		turn(agent("closeout", "", "run: <<DIR>>\nsummary: 3/3 tasks committed")),
		turn(say("3/3 tasks committed, tests PASS\nSummary: docs/specs/key/outcome.md")),
	}
}
