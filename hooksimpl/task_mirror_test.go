package hooksimpl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/run"
)

func (w *guardWorld) createTask(id, subject string) *Payload {
	return w.payload(EventPostToolUse, ToolTaskCreate, map[string]any{"subject": subject, "description": "d"},
		"tool_response", map[string]any{"task": map[string]any{"id": id, "subject": subject}})
}

func (w *guardWorld) updateTask(id string, change map[string]any) *Payload {
	change["taskId"] = id
	return w.payload(EventPostToolUse, ToolTaskUpdate, change, "tool_response", map[string]any{"success": true, "taskId": id})
}

func (w *guardWorld) mirror() run.Mirror {
	w.t.Helper()
	m, err := run.ReadMirror(w.root, guardRun)
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

func TestTaskMirrorFollowsTheClientsList(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	for _, p := range []*Payload{
		w.createTask("1", "One"), w.createTask("2", "Two"),
		w.updateTask("1", map[string]any{"status": "in_progress"}),
		w.updateTask("1", map[string]any{"status": "completed", "subject": "Renamed"}),
		w.updateTask("2", map[string]any{"status": "deleted"}),
		w.updateTask("9", map[string]any{"status": "in_progress"}), // made before the run was claimed
	} {
		if v := w.ask(p); !v.silent() {
			t.Errorf("%s says %v", p.Tool, v)
		}
	}
	want := "1 Renamed completed, 2 Two deleted, 9  in_progress"
	var got []string
	for _, task := range w.mirror().Tasks {
		got = append(got, task.ID+" "+task.Subject+" "+task.State)
	}
	if strings.Join(got, ", ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestTaskMirrorStaysOutWhereNoRunIsOwned(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]*guardWorld{
		"no run":     newGuardWorld(t, ""),
		"off":        newGuardWorld(t, "").own(),
		"no project": newGuardWorld(t, "").own(),
	} {
		switch name {
		case "off": // only the user's own file may loosen it
			config := t.TempDir()
			if err := os.WriteFile(filepath.Join(config, "viber.yml"), []byte("guards:\n  task-mirror: off\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			w.ConfigDir = func() string { return config }
		case "no project":
			if err := os.Remove(w.path(".claude/viber.yml")); err != nil {
				t.Fatal(err)
			}
		}
		w.ask(w.createTask("1", "One"))
		if n := len(w.mirror().Tasks); n != 0 {
			t.Errorf("%s: %d tasks", name, n)
		}
	}
}

func TestTaskMirrorLosesNothingOfParallelCalls(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	together(16, func(i int) { w.ask(w.createTask(fmt.Sprint(i), "s")) })
	if n := len(w.mirror().Tasks); n != 16 {
		t.Errorf("%d of 16", n)
	}
	together(16, func(i int) { w.ask(w.updateTask(fmt.Sprint(i), map[string]any{"status": "completed"})) })
	for _, task := range w.mirror().Tasks {
		if task.State != "completed" {
			t.Errorf("%v", task)
		}
	}
}

func TestTaskMirrorOfANewSessionBeginsAnew(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	w.ask(w.createTask("1", "old"))
	w.session = "00000002-0000-4000-8000-000000000002"
	w.own()
	w.ask(w.createTask("1", "new"))
	if m := w.mirror(); len(m.Tasks) != 1 || m.Tasks[0].Subject != "new" || m.Session != w.session {
		t.Errorf("%+v", m)
	}
}

func TestTaskMirrorHoldsNoCredential(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	key := "AKIA" + "Z7QWERTYUIOPASDF"
	w.ask(w.createTask("1", "use "+key))
	if all := files(t, w.path(".git")); strings.Contains(all, key) {
		t.Errorf("%s", all)
	}
}

// TestExplainingWritesNothing asks every guard with state about a payload it would act on.
func TestExplainingWritesNothing(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  read-size: observe\n").own()
	w.write("big.txt", strings.Repeat("x\n", 5000))
	before := files(t, w.root)
	for _, p := range []*Payload{
		w.createTask("1", "One"),
		w.payload(EventStop, "", nil, "stop_hook_active", false),
		w.payload(EventSessionEnd, "", nil, "reason", "other"),
		w.payload(EventPreCompact, "", nil),
		w.payload(EventPostToolUse, ToolRead, map[string]any{"file_path": w.path("src/b.go")}),
		w.payload(EventPreToolUse, ToolRead, map[string]any{"file_path": w.path("big.txt")}),
	} {
		Explain(w.World, p)
	}
	if after := files(t, w.root); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}
