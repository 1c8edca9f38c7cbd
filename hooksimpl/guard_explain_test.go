package hooksimpl

import (
	"strings"
	"testing"
)

// TestGuardsSayWhy asks each guard about a payload it acts on, one it passes over, and one while it is off.
func TestGuardsSayWhy(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  read-size: enforce\n  syntax: on\n").own()
	w.write("big.txt", strings.Repeat("x\n", 5000))
	w.write("broken.json", "{")
	w.write("docs/_specs/"+guardRun+"/scope.yml", "tools:\n  mcp__a__*: T1\n")
	other := newGuardWorld(t, "")
	for _, c := range []struct {
		world       *guardWorld
		guard, says string
		payload     *Payload
	}{
		{w, "read-size", "big.txt has 10000 bytes, 5000 lines", w.payload(EventPreToolUse, ToolRead, map[string]any{"file_path": w.path("big.txt")})},
		{w, "read-size", "nothing over a limit", w.shellCall("ls")},
		{other, "read-size", "guards.read-size is off here", other.shellCall("cat big.txt")},
		{w, "syntax", "broken.json: parsed as JSON, 1 error", w.payload(EventPostToolUse, ToolWrite, map[string]any{"file_path": w.path("broken.json")})},
		{w, "file-context", "notes about src/b.go", w.readCall("src/b.go")},
		{w, "file-context", "nothing is known about big.txt", w.readCall("big.txt")},
		{other, "file-context", "no run of this project", other.readCall("src/b.go")},
		{w, "task-mirror", "task 1 is copied into tasks.json", w.createTask("1", "One")},
		{w, "run-scope", "scope.yml:2 of the run " + guardRun, w.payload(EventPreToolUse, "mcp__a__b", map[string]any{})},
		{w, "run-scope", "no line of the run's scope.yml (1)", w.payload(EventPreToolUse, "mcp__b__b", map[string]any{})},
		{w, "run-stop", "refusal 1 of 3 in a row", w.payload(EventStop, "", nil, "stop_hook_active", false)},
		{w, "run-stop", "another hook keeps the turn going", w.payload(EventStop, "", nil, "stop_hook_active", true)},
		{other, "run-stop", "no run of this project", other.payload(EventStop, "", nil)},
		{w, "capture", "what the run " + guardRun + " found", w.payload(EventPreCompact, "", nil)},
		{other, "capture", "the session has no run", other.payload(EventSessionEnd, "", nil)},
	} {
		if got := c.world.because(c.guard, c.payload); !strings.Contains(got, c.says) {
			t.Errorf("%s: %s, want %s", c.guard, got, c.says)
		}
	}
}

func (w *guardWorld) shellCall(command string) *Payload {
	return w.payload(EventPreToolUse, ToolBash, map[string]any{"command": command})
}
