package host

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viber/install/settings"
)

// TestCodexAdapter is the table of what the adapter says about a Codex.
func TestCodexAdapter(t *testing.T) {
	t.Parallel()
	for version, want := range map[Version]struct{ edits, flag bool }{
		{}:          {true, false},
		{0, 122, 9}: {false, true},
		{0, 123, 0}: {true, true},
		{0, 124, 0}: {true, false},
		{0, 136, 0}: {true, false},
		{1, 0, 0}:   {true, false},
	} {
		c := Codex{version}
		if c.HooksEdits() != want.edits || c.NeedsFlag() != want.flag {
			t.Errorf("%s: edits %v, flag %v", version, c.HooksEdits(), c.NeedsFlag())
		}
	}
	if v := ParseVersion("codex-cli 0.136.0\n"); v != (Version{0, 136, 0}) {
		t.Errorf("%v", v)
	}
	home := filepath.FromSlash("/home/ana")
	getenv := func(dir string) func(string) string { return func(string) string { return dir } }
	if got := CodexHome(getenv(""), home); got != filepath.Join(home, ".codex") {
		t.Error(got)
	}
	if got := CodexHome(getenv("relative"), home); got != filepath.Join(home, ".codex") {
		t.Error(got)
	}
}

func codexEdit(t *testing.T, text string, w Wiring) string {
	t.Helper()
	f, err := settings.Parse("hooks.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := Codex{}.Entries(w)
	if err != nil {
		t.Fatal(err)
	}
	res, err := f.Apply(settings.Change{Hooks: entries, Own: Recogniser{}.Own})
	if err != nil {
		t.Fatal(err)
	}
	return string(res.Text)
}

// TestCodexEntriesGoToTheEnd is F2: what others have keeps its place, which is part of what Codex trusts.
func TestCodexEntriesGoToTheEnd(t *testing.T) {
	t.Parallel()
	const others = `{"hooks": {"PostToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}]}, {"hooks": [{"type": "command", "command": "yours"}]}],
  "Stop": [{"hooks": [{"type": "command", "command": "stop"}]}]}}`
	text := codexEdit(t, others, Wiring{Program: "/opt/my tools/viber"})
	if again := codexEdit(t, text, Wiring{Program: "/opt/my tools/viber"}); again != text {
		t.Errorf("not idempotent:\n%s\n%s", text, again)
	}
	all, err := CodexEntries([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b CodexEntry) int { return strings.Compare(a.Event, b.Event)*10 + a.Group - b.Group })
	var got []string
	for _, e := range all {
		got = append(got, e.Event+" "+e.Command)
	}
	want := "PostToolUse mine, PostToolUse yours, PostToolUse '/opt/my tools/viber' hook PostToolUse, Stop stop"
	if strings.Join(got, ", ") != want {
		t.Errorf("%v", got)
	}
	ours := all[2]
	if ours.Group != 2 || !ours.Last || ours.Matcher != "apply_patch" || ours.Timeout != 10 {
		t.Errorf("%+v", ours)
	}
	if moved := codexEdit(t, text, Wiring{Program: "/new/viber"}); strings.Count(moved, "hook PostToolUse") != 1 || !strings.Contains(moved, "'/new/viber' hook PostToolUse") {
		t.Errorf("a moved viber: %s", moved)
	}
}

// TestCodexEntriesOfAnOddFile: what is wrong is said in words for people, with its line.
func TestCodexEntriesOfAnOddFile(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"// mine\n{}":                      "hooks.json:1: not JSON: invalid character '/' looking for beginning of value; Codex runs no hook of it",
		"":                                 "hooks.json:1: not JSON: unexpected end of JSON input; Codex runs no hook of it",
		"[]":                               "hooks.json:1: an array, where no hooks file has one; Codex runs no hook of it",
		"{\n\"hooks\": {\"Stop\": [\n5]}}": "hooks.json:3: a number, where no hooks file has one; Codex runs no hook of it",
	} {
		if _, err := CodexEntries([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestCodexLineOnWindows(t *testing.T) {
	t.Parallel()
	text := codexEdit(t, "{}", Wiring{Program: `C:\Program Files\viber\viber.exe`, Windows: true})
	all, err := CodexEntries([]byte(text))
	if err != nil || len(all) != 1 || all[0].Command != `"C:\Program Files\viber\viber.exe" hook PostToolUse` {
		t.Fatalf("%v %v", all, err)
	}
	if !(Recogniser{}).Own(settings.Handler{Type: "command", Command: all[0].Command}) {
		t.Error("not recognised")
	}
}

func TestCodexConfig(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text    string
		hooks   CodexInline
		command string
		on, off bool
	}{
		"empty":                    {"", CodexNone, "", false, false},
		"other keys":               {"model = \"o\"\n[mcp_servers.x]\ncommand = \"y\"\n", CodexNone, "", false, false},
		"F3, an inline table":      {"hooks = { SessionStart = [{ hooks = [{ type = \"command\", command = \"a\" }] }] }\n", CodexEvents, "a", false, false},
		"F3, a dotted key":         {"hooks.SessionStart = [{ hooks = [{ type = \"command\", command = \"a\" }] }]\n", CodexEvents, "a", false, false},
		"event tables":             {"[[hooks.PostToolUse]]\nmatcher = \"x\"\n[[hooks.PostToolUse.hooks]]\ntype = \"command\"\ncommand = \"a\"\n", CodexEvents, "a", false, false},
		"F5, the old list":         {"[[hooks]]\nevent = \"SessionStart\"\ncommand = \"a\"\n", CodexList, "a", false, false},
		"F5, the old list, inline": {"hooks = [{ event = \"x\", command = \"a\" }]\n", CodexList, "", false, false},
		"state alone":              {"[hooks.state.\"/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n", CodexNone, "", false, false},
		"switched on":              {"[features]\ncodex_hooks = true\n", CodexNone, "", true, false},
		"switched off":             {"[features]\nhooks = false\n", CodexNone, "", false, true},
	} {
		got, err := ReadCodexConfig([]byte(c.text))
		if err != nil || got.Hooks != c.hooks || got.On != c.on || got.Off != c.off || c.command != "" && !slices.Contains(got.Commands, c.command) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	for name, text := range map[string]string{
		"F3, a second table": "[hooks]\nSessionStart = []\n[hooks]\n",
		"not TOML":           "a = \n",
	} {
		if _, err := ReadCodexConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), "config.toml:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCodexTrust(t *testing.T) {
	t.Parallel()
	e := CodexEntry{Event: "PostToolUse", Group: 2, Matcher: "apply_patch", Command: "'/a/viber' hook PostToolUse", Timeout: 10}
	key := `[hooks.state."/h/.codex/hooks.json:post_tool_use:2:0"]` + "\n"
	for want, state := range map[CodexTrust]string{
		CodexTrusted:   key + "trusted_hash = \"" + e.hash() + "\"\n",
		CodexChanged:   key + "trusted_hash = \"sha256:00\"\n",
		CodexDisabled:  key + "enabled = false\ntrusted_hash = \"" + e.hash() + "\"\n",
		CodexUntrusted: `[hooks.state."/h/.codex/hooks.json:post_tool_use:1:0"]` + "\ntrusted_hash = \"" + e.hash() + "\"\n",
	} {
		c, err := ReadCodexConfig([]byte(state))
		if got := c.Trust([]string{"/other/hooks.json", "/h/.codex/hooks.json"}, e); err != nil || got != want {
			t.Errorf("%s: %s %v", want, got, err)
		}
	}
	// The identity is what Codex hashes: these keys, sorted, without blanks.
	identity, _ := json.Marshal(map[string]any{"event_name": "post_tool_use", "matcher": "apply_patch",
		"hooks": []any{map[string]any{"type": "command", "command": "c", "timeout": 10, "async": false}}})
	if want := `{"event_name":"post_tool_use","hooks":[{"async":false,"command":"c","timeout":10,"type":"command"}],"matcher":"apply_patch"}`; string(identity) != want {
		t.Errorf("%s", identity)
	}
}

func FuzzCodexConfig(f *testing.F) {
	f.Add("hooks = { a = [{ hooks = [{ command = \"a\" }] }] }\n[features]\nhooks = true\n")
	f.Add("[[hooks]]\ncommand = 1\n")
	f.Add("[hooks.state.x]\nenabled = 1\n")
	f.Fuzz(func(_ *testing.T, text string) {
		if c, err := ReadCodexConfig([]byte(text)); err == nil {
			c.Trust([]string{"x"}, CodexEntry{Event: "Stop"})
		}
	})
}
