package hooksimpl

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"viber/internal/fsx"
	"viber/run"
)

func (w *guardWorld) stop(active bool, more ...any) Verdict {
	return w.ask(w.payload(EventStop, "", nil, append([]any{"stop_hook_active", active, "background_tasks", []any{}}, more...)...))
}

func (w *guardWorld) transcript(line string) {
	w.t.Helper()
	f, err := os.OpenFile(w.path(".git/t.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line + "\n"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *guardWorld) stored() run.Stored {
	return run.StateCall{Call: run.Call{Files: w.Files, Now: w.Now}}.Stored(w.root, guardRun)
}

func TestRunStopBlocksThreeTimesAndRecordsTheHalt(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	for i := range 3 {
		v := w.stop(i > 0)
		if v.Decision != Deny || !strings.Contains(v.Reason, "VG-401") || !strings.Contains(v.Reason, "2 of 3 tasks left: T2, T3") {
			t.Fatalf("stop %d: %+v", i+1, v)
		}
		if !strings.Contains(v.Reason, "viber plan-index docs/_specs/"+guardRun+"/plan.md") {
			t.Errorf("no next command: %s", v.Reason)
		}
	}
	if v := w.stop(true); !v.silent() {
		t.Errorf("the fourth: %+v", v)
	}
	state, _, err := w.stored().File.Read()
	if err != nil || state.Status != "stopped" {
		t.Errorf("state %q %v", state.Status, err)
	}
	events, err := w.stored().Events()
	if err != nil || len(events) != 1 || events[0].Name != "run.halt" {
		t.Errorf("events %v %v", events, err)
	}
	if v := w.stop(false); !v.silent() {
		t.Errorf("a later turn of the halted run: %+v", v)
	}
	w.progress("T1 T2", "none")
	if v := w.stop(false); v.Decision != Deny {
		t.Errorf("after the run moved on: %+v", v)
	}
}

func TestRunStopCountsAnewAfterAToolCall(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	w.transcript(`{"type":"user","message":{"content":"go"}}`)
	for i := range 6 {
		if v := w.stop(i > 0); v.Decision != Deny {
			t.Fatalf("stop %d: %+v", i+1, v)
		}
		w.transcript(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{}}]}}`)
	}
}

func TestRunStopLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(w *guardWorld)
		active  bool
		more    []any
	}{
		"a subagent":          {more: []any{"agent_id", "a1", "agent_type", "viber:task-coder"}},
		"background work":     {more: []any{"background_tasks", []any{map[string]any{"id": "b"}}}},
		"another hook's loop": {active: true},
		"no owned run":        {prepare: func(w *guardWorld) { w.session = "other" }},
		"all done":            {prepare: func(w *guardWorld) { w.progress("T1 T2 T3", "none") }},
		"done and skipped":    {prepare: func(w *guardWorld) { w.progress("T1 T2", "T3") }},
		"the user broke in": {prepare: func(w *guardWorld) {
			w.transcript(`{"type":"user","message":{"content":[{"type":"text","text":"[Request interrupted by user]"}]}}`)
		}},
		"a plan that is gone":  {prepare: func(w *guardWorld) { _ = os.Remove(w.path("docs/_specs/" + guardRun + "/plan.md")) }},
		"a question to answer": {prepare: func(w *guardWorld) { w.state(run.Tree{"status": "waiting"}) }},
		"the user gave it up":  {prepare: func(w *guardWorld) { w.state(run.Tree{"status": "stopped", "stoppedBy": "user"}) }},
		"no project":           {prepare: func(w *guardWorld) { _ = os.Remove(w.path(".claude/viber.yml")) }},
		"a session without id": {prepare: func(w *guardWorld) { w.session = "" }},
	} {
		w := newGuardWorld(t, "").own()
		if c.prepare != nil {
			c.prepare(w)
		}
		if v := w.stop(c.active, c.more...); !v.silent() {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func (w *guardWorld) state(patch run.Tree) {
	w.t.Helper()
	if _, err := w.stored().File.Merge(-1, patch); err != nil {
		w.t.Fatal(err)
	}
}

func TestRunStopCountsParallelStopsOnce(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	w.stop(false)
	denied := make([]bool, 16)
	together(16, func(i int) { denied[i] = w.stop(true).Decision == Deny })
	n := 0
	for _, d := range denied {
		if d {
			n++
		}
	}
	if s := run.ReadStops(w.root, w.session); n != 2 || s.Blocks != stopBlocks {
		t.Errorf("%d denied, %+v", n, s)
	}
	if events, _ := w.stored().Events(); len(events) != 1 {
		t.Errorf("halted %d times", len(events))
	}
}

// TestStateOutlivesAKill stops the program before every file operation of every guard that keeps state, and asks again.
func TestStateOutlivesAKill(t *testing.T) {
	t.Parallel()
	calls := map[string]func(w *guardWorld) *Payload{
		"mirror": func(w *guardWorld) *Payload { return w.createTask("2", "Two") },
		"stop":   func(w *guardWorld) *Payload { return w.payload(EventStop, "", nil, "stop_hook_active", false) },
		"end":    func(w *guardWorld) *Payload { return w.payload(EventSessionEnd, "", nil) },
		"context": func(w *guardWorld) *Payload {
			return w.payload(EventPostToolUse, ToolRead, map[string]any{"file_path": w.path("src/b.go")})
		},
	}
	for name, call := range calls {
		for step := 1; ; step++ {
			w := newGuardWorld(t, "").own()
			w.ask(w.createTask("1", "One"))
			if name == "end" {
				w.session = "unowned"
				w.transcript(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`)
			}
			n, killed := 0, false
			w.Files = fsx.Door{Step: func(op, path string) error {
				if n++; n == step {
					killed = true
					panic(fmt.Sprintf("killed at %s", op))
				}
				return nil
			}}
			w.ask(call(w))
			w.Files = fsx.Door{}
			w.ask(call(w))
			if m := w.mirror(); len(m.Tasks) == 0 || m.Tasks[0].Subject != "One" || name == "mirror" && len(m.Tasks) != 2 {
				t.Errorf("%s, killed at step %d: %+v", name, step, m)
			}
			if notes, err := run.ReadSessionNotes(w.root); err != nil || name == "end" && len(notes) != 1 {
				t.Errorf("%s, killed at step %d: %v %v", name, step, notes, err)
			}
			if !killed {
				break
			}
		}
	}
}
