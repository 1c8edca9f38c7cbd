package install

import (
	"maps"
	"slices"
	"strings"
)

// sample is a payload with the answer it must get.
type sample struct {
	name    string
	want    string
	payload map[string]any
}

// samplesFor returns the payloads a registered line is tried with: for a check that can refuse, one that must be denied
// and those that must pass.
func (b *bench) samplesFor(r registered) []sample {
	var list []sample
	switch r.Event {
	case "PreToolUse":
		for _, tool := range matched(r.Matcher) {
			list = append(list, b.toolSamples(tool)...)
		}
	case "UserPromptSubmit":
		list = append(list, sample{"an ordinary prompt", saysNothing, b.payload(r.Event, map[string]any{"prompt": "hello", "permission_mode": "default"})})
	case "SessionStart":
		list = append(list, sample{"a new session", saysContext, b.payload(r.Event, map[string]any{"source": "startup"})})
	default:
		list = append(list, sample{"an ordinary event", saysNothing, b.payload(r.Event, nil)})
	}
	return list
}

// matched lists the tools with samples that a matcher names; an empty one means all of them.
func matched(matcher string) []string {
	tools := []string{"Bash", "PowerShell", "ExitPlanMode"}
	if matcher == "" || matcher == "*" {
		return tools
	}
	named := strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' || r == ' ' })
	return slices.DeleteFunc(tools, func(tool string) bool { return !slices.Contains(named, tool) })
}

func (b *bench) toolSamples(tool string) []sample {
	switch tool {
	case "Bash":
		return b.shellSamples(tool, "killall node", "ls -la")
	case "PowerShell":
		return b.shellSamples(tool, "Stop-Process -Name node", "Get-ChildItem")
	}
	exit := func(transcript string) map[string]any {
		return b.payload("PreToolUse", map[string]any{
			"tool_name": tool, "tool_input": map[string]any{}, "tool_use_id": "toolu_9", "permission_mode": "plan", "transcript_path": transcript,
		})
	}
	return []sample{
		{"leaving plan mode with a plan nobody reviewed", saysDeny, exit(b.planned)},
		{"leaving plan mode without a plan", saysAllow, exit(b.plain)},
	}
}

func (b *bench) shellSamples(tool, kill, harmless string) []sample {
	call := func(command, agent string) map[string]any {
		more := map[string]any{"tool_name": tool, "tool_input": map[string]any{"command": command}, "tool_use_id": "toolu_9", "permission_mode": "default"}
		if agent != "" {
			more["agent_id"], more["agent_type"] = "a1", agent
		}
		return b.payload("PreToolUse", more)
	}
	return []sample{
		{"an agent of viber runs " + kill, saysDeny, call(kill, "viber:task-coder")},
		{"an agent of viber runs " + harmless, saysNothing, call(harmless, "viber:task-coder")},
		{"the main session runs " + kill, saysNothing, call(kill, "")},
	}
}

// payload is what every event carries, and more.
func (b *bench) payload(event string, more map[string]any) map[string]any {
	p := map[string]any{
		"session_id": "00000000-0000-4000-8000-000000000000", "transcript_path": b.plain, "cwd": b.project, "hook_event_name": event,
	}
	maps.Copy(p, more)
	return p
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
