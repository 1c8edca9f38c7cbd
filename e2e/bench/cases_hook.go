package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Calls whose budget is "viber version plus half an empty program" are compared with `viber version`: it takes about 2.5
// times an empty program, so half of one is a fifth of it.
const versionPlusHalf = 1.2

func hookCases() []benchCase {
	return []benchCase{
		hookCase("hook: Bash in the main session", 3.4, shellPayload("", "go test ./...")),
		hookCase("hook: Bash with kill in the main session", 3.4, shellPayload("", "pkill node")),
		hookCase("hook: prompt outside plan mode", 3.4, payload{"hook_event_name": "UserPromptSubmit", "permission_mode": "default", "prompt": "go"}),
		hookCase("hook: viber agent, allowed kill", 3.4, shellPayload("viber:task-coder", "sleep 5 & kill $!; xargs -0 rm < list")),
		hookCase("hook: viber agent, refused command", 3.4, shellPayload("viber:task-coder", "cd web && pkill node"), `"deny"`),
		startCase(),
		gateCase("hook: plan-gate, small transcript", versionPlusHalf, 5, false),
		gateCase("hook: plan-gate, 20 MB, signs at the end", 12, 7280, false),
		gateCase("hook: plan-gate, 20 MB, plan at the start", 12, 7280, true),
		gateCase("hook: plan-gate, 200 MB, plan at the start", 12, 72800, true),
		longCommandCase(),
		sessionCase(),
		guardedSessionCase(),
		bareSessionCase(),
	}
}

type payload map[string]any

func (p payload) text() string {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

func (p payload) event() string { return p["hook_event_name"].(string) }

func shellPayload(agent, text string) payload {
	return payload{"session_id": "s", "transcript_path": "/nowhere/s.jsonl", "cwd": "/nowhere", "hook_event_name": "PreToolUse",
		"permission_mode": "default", "agent_type": agent, "tool_name": "Bash", "tool_input": payload{"command": text}, "tool_use_id": "toolu_1"}
}

func (w *world) hook(p payload) command {
	return command{argv: []string{w.viber, "hook", p.event()}, stdin: p.text()}
}

// hookCase is one call of p and what its answer must hold: nothing where the hook has no opinion.
func hookCase(name string, limit float64, p payload, says ...string) benchCase {
	return benchCase{name: name, limit: limit, prepare: func(w *world) (command, command, error) {
		call := w.hook(p)
		call.says = strings.Join(says, "")
		return call, command{}, nil
	}}
}

func startCase() benchCase {
	return benchCase{name: "hook: session start in a git project", limit: versionPlusHalf, prepare: func(w *world) (command, command, error) {
		dir, err := w.gitProject("start")
		start := w.hook(payload{"hook_event_name": "SessionStart", "source": "startup", "cwd": dir})
		start.says = "additionalContext"
		return start, w.version(), err
	}}
}

func (w *world) gitProject(name string) (string, error) {
	dir := filepath.Join(w.dir, "hook-"+name)
	if err := os.MkdirAll(filepath.Join(dir, ".claude"), 0o755); err != nil {
		return "", err
	}
	git := exec.Command("git", "init", "-q", dir)
	git.Env = w.env
	if out, err := git.CombinedOutput(); err != nil {
		return "", fmt.Errorf("git init: %w: %s", err, out)
	}
	return dir, os.WriteFile(filepath.Join(dir, ".claude", "viber.yml"), []byte("schema: 3\nplanning:\n  plain-plan-review: true\n"), 0o644)
}

// gateCase is a reviewed plan in a transcript of records filler records; a large one is compared with `wc -l` on it.
func gateCase(name string, limit float64, records int, early bool) benchCase {
	return benchCase{name: name, limit: limit, runs: max(10, 100-records/800), memory: 32, prepare: func(w *world) (command, command, error) {
		path := filepath.Join(w.dir, fmt.Sprintf("transcript-%d-%v.jsonl", records, early))
		if err := writeTranscript(path, records, early); err != nil {
			return command{}, command{}, err
		}
		reference := w.version()
		if records > 1000 {
			reference = command{argv: []string{"wc", "-l", path}}
		}
		exit := w.hook(payload{"hook_event_name": "PreToolUse", "tool_name": "ExitPlanMode", "transcript_path": path, "cwd": w.dir})
		exit.says = `"permissionDecision"`
		return exit, reference, nil
	}}
}

// writeTranscript writes record by record: a process that is started counts the memory of the one that started it.
func writeTranscript(path string, records int, early bool) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(f)
	filler := `{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"` +
		strings.Repeat(`code with \"quotes\": func(a int) { return a:b } and more; `, 43) + `"}]},"uuid":"u","timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	plan := `{"type":"permission-mode","permissionMode":"plan","sessionId":"s"}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Skill","input":{"skill":"viber:planner"}}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_3","name":"Write","input":{"file_path":"/nowhere/plans/a.md","content":"# A"}}]}}
{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_4","name":"Agent","input":{"subagent_type":"viber:planner-review","prompt":"x"}}]}}
`
	verdict := `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_4","type":"tool_result","content":"ok\nVERDICT: PASS\n"}]},"timestamp":"2026-01-01T00:00:00.000Z"}` + "\n"
	if early {
		out.WriteString(plan)
	}
	for range records {
		out.WriteString(filler)
	}
	if !early {
		out.WriteString(plan)
	}
	out.WriteString(verdict)
	return errors.Join(out.Flush(), f.Close())
}

// longCommandCase holds kill-guard to linear time: 200 KB against 2 KB of the same text.
func longCommandCase() benchCase {
	text := func(size int) string {
		line := "echo \"step: done\" | tee -a log # killall, pkill and taskkill are only words here\n"
		return strings.Repeat(line, size/len(line)) + "kill -0 4242\n"
	}
	return benchCase{name: "hook: viber agent, 200 KB against 2 KB", limit: 3, prepare: func(w *world) (command, command, error) {
		return w.hook(shellPayload("viber:task-coder", text(200<<10))), w.hook(shellPayload("viber:task-coder", text(2<<10))), nil
	}}
}

// shellSession is what the shell hooks took for the session below, in starts of their own interpreter: 40 calls of the
// guard, 8 prompts, a start and a compaction, 3 prompts in plan mode, 2 plan exits took 401 ms where "bash -c :" took 1.5.
const shellSession = 267

// sessionCase is the hook time of a session of 60 calls: 40 Bash calls and 5 reads and edits, which the client's filter
// keeps from starting a process, 8 prompts, a start, a compaction, 3 prompts in plan mode, 2 plan exits. It is meant to
// take a fifth of what shell hooks took; 15 starts of `viber version` take as long as this, within a tenth.
func sessionCase() benchCase {
	return benchCase{name: "hooks of a session of 60 calls", limit: 0.24, goal: 0.2, runs: 9, prepare: func(w *world) (command, command, error) {
		script, err := w.session(false)
		return command{argv: []string{"/bin/sh", "-c", script}}, repeated("/bin/bash -c :", shellSession), err
	}}
}

// guardedSessionCase is the same session with what the guards that are on by default are called for: 3 of the reads, the 11
// ends of a turn, the compaction and the end of the session. The shell hooks had no such guards. It is 31 starts.
func guardedSessionCase() benchCase {
	return benchCase{name: "hooks of a session of 60 calls, with guards", limit: 0.5, goal: 0.4, runs: 9, prepare: func(w *world) (command, command, error) {
		script, err := w.session(true)
		return command{argv: []string{"/bin/sh", "-c", script}}, repeated("/bin/bash -c :", shellSession), err
	}}
}

// bareSessionCase says what the same calls would take if the program were empty: the part of it that is not ours to save.
func bareSessionCase() benchCase {
	return benchCase{name: "the same calls with an empty program", limit: 0.2, runs: 9, prepare: func(w *world) (command, command, error) {
		return repeated(w.empty, 15), repeated("/bin/bash -c :", shellSession), nil
	}}
}

func repeated(line string, times int) command {
	script := fmt.Sprintf("i=0; while [ $i -lt %d ]; do %s; i=$((i+1)); done", times, line)
	return command{argv: []string{"/bin/sh", "-c", script}}
}

// session is a script of the calls of the session that start a process, with those of the guards or without.
func (w *world) session(guards bool) (script string, err error) {
	dir, err := w.gitProject(fmt.Sprintf("session-%v", guards))
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "session.jsonl")
	if err := writeTranscript(path, 10, false); err != nil {
		return "", err
	}
	type call struct {
		times int
		p     payload
	}
	calls := []call{
		{8, payload{"hook_event_name": "UserPromptSubmit", "permission_mode": "default", "transcript_path": path}},
		{2, payload{"hook_event_name": "SessionStart", "source": "compact", "cwd": dir}},
		{3, payload{"hook_event_name": "UserPromptSubmit", "permission_mode": "plan", "transcript_path": path}},
		{2, payload{"hook_event_name": "PreToolUse", "tool_name": "ExitPlanMode", "transcript_path": path, "cwd": dir}},
	}
	if guards {
		calls = append(calls,
			call{3, payload{"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_input": payload{"file_path": path}, "session_id": "s", "transcript_path": path, "cwd": dir}},
			call{11, payload{"hook_event_name": "Stop", "session_id": "s", "transcript_path": path, "cwd": dir}},
			call{1, payload{"hook_event_name": "PreCompact", "session_id": "s", "transcript_path": path, "cwd": dir}},
			call{1, payload{"hook_event_name": "SessionEnd", "session_id": "s", "transcript_path": path, "cwd": dir}})
	}
	var lines strings.Builder
	for i, c := range calls {
		file := filepath.Join(dir, fmt.Sprintf("payload-%d.json", i))
		if err := os.WriteFile(file, []byte(c.p.text()), 0o644); err != nil {
			return "", err
		}
		lines.WriteString(strings.Repeat(fmt.Sprintf("'%s' hook %s < '%s' > /dev/null\n", w.viber, c.p.event(), file), c.times))
	}
	return lines.String(), nil
}
