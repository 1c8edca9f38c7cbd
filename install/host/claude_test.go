package host

import (
	"strings"
	"testing"

	"viber/hooksimpl"
	"viber/install/settings"
)

func TestParseVersion(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]Version{
		"2.1.332 (Claude Code)\n": {2, 1, 332},
		"v1.0.85":                 {1, 0, 85},
		"claude 3.0.0-beta.1":     {3, 0, 0},
		"":                        {},
		"unknown option":          {},
		"1.2":                     {},
	} {
		if got := ParseVersion(out); got != want {
			t.Errorf("ParseVersion(%q) = %v", out, got)
		}
	}
}

func TestAtLeast(t *testing.T) {
	t.Parallel()
	v := Version{2, 1, 139}
	for w, want := range map[Version]bool{{2, 1, 139}: true, {2, 1, 140}: false, {2, 1, 9}: true, {2, 0, 500}: true, {1, 9, 9}: true, {3, 0, 0}: false, {2, 2, 0}: false} {
		if v.AtLeast(w) != want {
			t.Errorf("%v at least %v: want %v", v, w, want)
		}
	}
}

func entriesFor(t *testing.T, v Version, w Wiring, regs ...hooksimpl.Registration) []settings.Hook {
	t.Helper()
	hooks, err := Claude{v}.Entries(w, regs)
	if err != nil {
		t.Fatal(err)
	}
	return hooks
}

func TestEntriesFollowTheClientsVersion(t *testing.T) {
	t.Parallel()
	reg := hooksimpl.Registration{Event: "PreToolUse", Matcher: "Bash", If: "Bash(*kill*)", Timeout: 10, Args: []string{"hook", "PreToolUse"}}
	for _, c := range []struct {
		version Version
		command string
		args    bool
		rule    any
	}{
		{Version{2, 1, 332}, "/a b/viber", true, "Bash(*kill*)"},
		{Version{2, 1, 139}, "/a b/viber", true, "Bash(*kill*)"},
		{Version{}, "/a b/viber", true, "Bash(*kill*)"},
		{Version{2, 1, 138}, "'/a b/viber' hook PreToolUse", false, "Bash(*kill*)"},
		{Version{2, 1, 84}, "'/a b/viber' hook PreToolUse", false, nil},
	} {
		h := entriesFor(t, c.version, Wiring{Program: "/a b/viber"}, reg)[0]
		if field(h, "command") != c.command || (field(h, "args") != nil) != c.args || field(h, "if") != c.rule || field(h, "timeout") != 10 {
			t.Errorf("client %v: %v", c.version, h.Fields)
		}
	}
}

func TestOnlyEventsTheClientKnows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version Version
		event   string
		knows   bool
	}{
		{Version{1, 0, 61}, "SessionStart", false},
		{Version{1, 0, 62}, "SessionStart", true},
		{Version{2, 1, 88}, "PermissionDenied", false},
		{Version{}, "PermissionDenied", true},
		{Version{}, "PostToolBatch", true},
		{Version{}, "MessageDisplay", false},
		{Version{2, 1, 332}, "MessageDisplay", true},
		{Version{2, 1, 332}, "Nonsense", false},
	} {
		hooks := entriesFor(t, c.version, Wiring{Program: "/x/viber"}, hooksimpl.Registration{Event: c.event, Args: []string{"hook", c.event}})
		if (len(hooks) == 1) != c.knows {
			t.Errorf("client %v, %s: %v", c.version, c.event, hooks)
		}
	}
}

func TestEntriesThatDifferOnlyByRuleAreOneForOldClients(t *testing.T) {
	t.Parallel()
	a := hooksimpl.Registration{Event: "PreToolUse", Matcher: "Bash", If: "Bash(*kill*)"}
	b := hooksimpl.Registration{Event: "PreToolUse", Matcher: "Bash", If: "Bash(*git*)"}
	if n := len(entriesFor(t, Version{2, 1, 332}, Wiring{Program: "/x/viber"}, a, b)); n != 2 {
		t.Errorf("new client: %d entries", n)
	}
	if n := len(entriesFor(t, Version{2, 1, 84}, Wiring{Program: "/x/viber"}, a, b)); n != 1 {
		t.Errorf("old client: %d entries", n)
	}
}

func TestProgramsThatCannotBeWrittenAreRefused(t *testing.T) {
	t.Parallel()
	for _, w := range []Wiring{
		{Program: ""}, {Program: "viber"}, {Program: "bin/viber"}, {Program: "~/bin/viber"}, {Program: "$HOME/bin/viber"},
		{Program: "/a\nb/viber"}, {Program: "/a\xff/viber"}, {Program: "/a/${CLAUDE_PLUGIN_ROOT}/viber"},
		{Program: `viber.exe`, Windows: true}, {Program: `\viber.exe`, Windows: true},
	} {
		if _, err := (Claude{}).Entries(w, nil); err == nil {
			t.Errorf("%q is not refused", w.Program)
		}
	}
}

func TestProjectEntriesNameNoPath(t *testing.T) {
	t.Parallel()
	h := entriesFor(t, Version{}, Wiring{Program: "viber", Project: true}, hooksimpl.Registration{Event: "Stop", Args: []string{"hook", "Stop"}})[0]
	if got := settingsText(t, h); !strings.Contains(got, `"command":"viber","args":["hook","Stop","--scope","project"]`) {
		t.Errorf("%s", got)
	}
}

func settingsText(t *testing.T, h settings.Hook) string {
	t.Helper()
	f, err := settings.Parse("settings.json", []byte(`{"a":1}`))
	if err != nil {
		t.Fatal(err)
	}
	res, err := f.Apply(settings.Change{Hooks: []settings.Hook{h}, Own: Recogniser{}.Own})
	if err != nil {
		t.Fatal(err)
	}
	return string(res.Text)
}
