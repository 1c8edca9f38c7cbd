package host

import (
	"strings"
	"testing"

	"viber/internal/exit"
)

func TestWhatTheClientIgnores(t *testing.T) {
	t.Parallel()
	good := `{"type": "command", "command": "x"}`
	for _, c := range []struct {
		name, event, groups string
		want                string // empty: nothing is ignored
		whole               bool
	}{
		{"good", "PreToolUse", `[{"matcher": "Bash", "hooks": [` + good + `]}]`, "", false},
		{"unknown keys", "PreToolUse", `[{"_note": 1, "hooks": [{"_x": 1, "type": "command", "command": "x"}]}]`, "", false},
		{"every type", "Stop", `[{"hooks": [` + good + `, {"type": "http", "url": "http://localhost/x", "args": 1}, {"type": "mcp_tool", "server": "s", "tool": "t"}, {"type": "prompt", "prompt": "p"}, {"type": "agent", "prompt": "p"}]}]`, "", false},
		{"all fields", "PreToolUse", `[{"hooks": [{"type": "command", "command": "x", "args": ["a"], "timeout": 1.5, "if": "Bash", "shell": "bash", "async": true, "onFailure": "block", "statusMessage": "s"}]}]`, "", false},
		{"handler for a group", "PreToolUse", `[` + good + `]`, "2:18: PreToolUse: a group needs a list", true},
		{"string for a group", "PreToolUse", `["x"]`, "must be an object, not a string", true},
		{"hooks object", "PermissionRequest", `[{"hooks": {}}]`, "must be a list, not an object", true},
		{"matcher list", "PreToolUse", `[{"matcher": ["Bash"], "hooks": []}]`, `"matcher" must be a string`, true},
		{"string handler", "PreToolUse", `[{"hooks": ["x"]}]`, "a hook must be an object", true},
		{"no type", "PreToolUse", `[{"hooks": [{"command": "x"}]}]`, `needs a "type"`, true},
		{"unknown type", "PreToolUse", `[{"hooks": [{"type": "shell", "command": "x"}]}]`, `type "shell" is unknown`, true},
		{"no command", "PreToolUse", `[{"hooks": [{"type": "command"}]}]`, `needs "command"`, true},
		{"command number", "PreToolUse", `[{"hooks": [{"type": "command", "command": 1}]}]`, `"command" must be a string`, true},
		{"timeout string", "PreToolUse", `[{"hooks": [{"type": "command", "command": "x", "timeout": "5"}]}]`, `"timeout" must be a number`, true},
		{"args string", "PreToolUse", `[{"hooks": [{"type": "command", "command": "x", "args": "a"}]}]`, `"args" must be a list`, true},
		{"args numbers", "PreToolUse", `[{"hooks": [{"type": "command", "command": "x", "args": [1]}]}]`, `strings only`, true},
		{"onFailure", "PreToolUse", `[{"hooks": [{"type": "command", "command": "x", "onFailure": "deny"}]}]`, `"onFailure" must be`, true},
		{"shell", "PreToolUse", `[{"hooks": [{"type": "command", "command": "x", "shell": "zsh"}]}]`, `"shell" must be`, true},
		{"harmless event", "Stop", `[{"hooks": [{"type": "command"}]}]`, "drops this entry", false},
		{"unknown event", "Nonsense", `[{"hooks": [` + good + `]}]`, `does not know the event "Nonsense"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "{\"hooks\": {\n  \"" + c.event + "\": " + c.groups + "}}"
			f, found, err := Claude{Version{2, 1, 332}}.Read("settings.json", []byte(text))
			switch {
			case c.want == "" && (err != nil || len(found) > 0):
				t.Fatalf("%v %v", found, err)
			case c.whole && (exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("got %v, want a refusal with %q", err, c.want)
			case c.want != "" && !c.whole && (f == nil || len(found) != 1 || !strings.Contains(found[0].String(), c.want)):
				t.Fatalf("got %v %v, want %q", found, err, c.want)
			}
		})
	}
}

func TestUnknownEventBeforeItWasHarmless(t *testing.T) {
	t.Parallel()
	text := []byte(`{"hooks": {"PostToolBatch": []}}`)
	if _, _, err := (Claude{Version{2, 1, 100}}).Read("settings.json", text); exit.Code(err) != exit.Refused {
		t.Errorf("2.1.100: got %v", err)
	}
	if _, found, err := (Claude{}).Read("settings.json", text); err != nil || len(found) != 0 {
		t.Errorf("unknown version: %v %v", found, err)
	}
}

func TestHooksSwitchedOffAreNamed(t *testing.T) {
	t.Parallel()
	_, found, err := Claude{}.Read("settings.json", []byte("{\n  \"disableAllHooks\": true\n}"))
	if err != nil || len(found) != 1 || !found[0].HooksOff || found[0].Line != 2 {
		t.Fatalf("%v %v", found, err)
	}
	if _, found, _ := (Claude{}).Read("settings.json", []byte(`{"disableAllHooks": false}`)); len(found) != 0 {
		t.Fatalf("%v", found)
	}
}

// TestWrittenEntriesAreGoodForTheClient reads what viber writes as the client would.
func TestWrittenEntriesAreGoodForTheClient(t *testing.T) {
	t.Parallel()
	for _, v := range []Version{{}, {2, 1, 332}, {2, 1, 100}, {1, 0, 40}} {
		c := Claude{v}
		hooks, err := c.Entries(Wiring{Program: "/a b/viber"}, c.Registrations(func(string) string { return "on" }))
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range hooks {
			if _, found, err := c.Read("settings.json", []byte(settingsText(t, h))); err != nil || len(found) > 0 {
				t.Errorf("client %s: %v %v", v, found, err)
			}
		}
	}
}
