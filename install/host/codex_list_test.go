package host

import (
	"strings"
	"testing"
)

// TestCodexOldListMoves is F5: the list of before 0.124.0 goes to hooks.json, and nothing else changes.
func TestCodexOldListMoves(t *testing.T) {
	t.Parallel()
	const config = "# mine\nmodel = \"x\"   # kept\n\n[[hooks]]\nevent = \"SessionStart\"\ncommand = \"node a.js\"\n\n[features]\ncodex_hooks = true\n\n[[ hooks ]] # two\nevent = \"Stop\"\ncommand = \"b\"\ntimeout = 5\n"
	gotConfig, gotHooks, err := MoveCodexList([]byte(config), []byte(`{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := "# mine\nmodel = \"x\"   # kept\n\n[features]\ncodex_hooks = true\n\n"; string(gotConfig) != want {
		t.Errorf("%q", gotConfig)
	}
	entries, err := CodexEntries(gotHooks)
	if err != nil || len(entries) != 3 {
		t.Fatalf("%v %v\n%s", entries, err, gotHooks)
	}
	for _, e := range entries {
		if e.Command == "b" && (e.Event != "Stop" || e.Group != 1 || e.Timeout != 5) || e.Command == "node a.js" && e.Event != "SessionStart" {
			t.Errorf("%+v", e)
		}
	}
	for name, bad := range map[string]string{
		"inline":            "hooks = [{ event = \"Stop\", command = \"b\" }]\n",
		"without a command": "[[hooks]]\nevent = \"Stop\"\n",
		"in a text":         "a = \"\"\"\n[[hooks]]\n\"\"\"\n[[hooks]]\nevent = \"Stop\"\ncommand = \"b\"\n",
		"a table below it":  "[[hooks]]\nevent = \"Stop\"\ncommand = \"b\"\n[hooks.env]\nA = \"1\"\n",
		"not TOML":          "a =\n",
	} {
		if _, _, err := MoveCodexList([]byte(bad), nil); err == nil {
			t.Errorf("%s is moved", name)
		} else if strings.Contains(err.Error(), "panic") {
			t.Error(err)
		}
	}
}
