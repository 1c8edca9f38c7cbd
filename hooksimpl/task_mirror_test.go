package hooksimpl

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viber/gate"
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

func TestTaskMirrorDropsWhatWasFinishedFirst(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	add := func(id, state, at string) {
		if err := run.MirrorTaskChange(w.Files, w.root, guardRun, w.session, run.MirrorTask{ID: id, State: state, At: gate.Stamp(at)}); err != nil {
			t.Fatal(err)
		}
	}
	full := run.Mirror{Session: w.session}
	for i := range 1000 {
		full.Tasks = append(full.Tasks, run.MirrorTask{ID: fmt.Sprint(i), State: "pending", At: "2026-01-01T00:00:00Z"})
	}
	full.Tasks[7].State, full.Tasks[7].At = "completed", "2026-01-03T00:00:00Z"
	full.Tasks[9].State, full.Tasks[9].At = "deleted", "2026-01-02T00:00:00Z"
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Files.WriteOwn(filepath.Join(run.StateDir(w.root, guardRun), run.TasksName), text, nil); err != nil {
		t.Fatal(err)
	}
	add(strings.Repeat("x", 65), "pending", "")
	for _, id := range []string{"new-1", "new-2", "new-3"} {
		add(id, "pending", "2026-01-04T00:00:00Z")
	}
	tasks := w.mirror().Tasks
	if has := func(id string) bool {
		return slices.ContainsFunc(tasks, func(t run.MirrorTask) bool { return t.ID == id })
	}; len(tasks) != 1000 || has("9") || has("7") || !has("8") || !has("new-2") || has("new-3") {
		t.Errorf("%d tasks; 9 %t, 7 %t, 8 %t, new-2 %t, new-3 %t", len(tasks), has("9"), has("7"), has("8"), has("new-2"), has("new-3"))
	}
}

func TestWhatAKilledHookLeftGoesWithALaterWrite(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	dir := run.StateDir(w.root, guardRun)
	old, young := filepath.Join(dir, ".tasks.json.viber-123"), filepath.Join(dir, ".tasks.json.viber-456")
	for _, path := range []string{old, young} {
		if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(old, long, long); err != nil {
		t.Fatal(err)
	}
	w.ask(w.createTask("1", "One"))
	if _, err := os.Stat(old); err == nil {
		t.Error("what a killed hook left an hour ago is still there")
	}
	if _, err := os.Stat(young); err != nil {
		t.Error("a write that may be under way lost its file")
	}
}
