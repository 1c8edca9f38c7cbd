package install

import (
	"slices"
	"strings"
	"testing"

	"viber/install/settings"
)

func TestVerdictOf(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]string{
		"":     saysNothing,
		" \n ": saysNothing,
		"{}":   saysNothing,
		`{"hookSpecificOutput":{"permissionDecision":"deny"}}`:  saysDeny,
		`{"hookSpecificOutput":{"permissionDecision":"ask"}}`:   saysAsk,
		`{"hookSpecificOutput":{"permissionDecision":"allow"}}`: saysAllow,
		`{"hookSpecificOutput":{"additionalContext":"x"}}`:      saysContext,
		`{"systemMessage":"x"}`:                                 saysContext,
		`{"decision":"block"}`:                                  saysDeny,
	} {
		if got, err := verdictOf([]byte(out)); err != nil || got != want {
			t.Errorf("%q: %q %v, want %q", out, got, err, want)
		}
	}
	for _, out := range []string{"hello", `{} {}`, "banner\n{}", "[]", `"deny"`} {
		if got, err := verdictOf([]byte(out)); err == nil {
			t.Errorf("%q: taken for %q", out, got)
		}
	}
}

func TestSamplesFollowTheMatcher(t *testing.T) {
	t.Parallel()
	for matcher, want := range map[string][]string{
		"":                {"Bash", "PowerShell", "ExitPlanMode"},
		"*":               {"Bash", "PowerShell", "ExitPlanMode"},
		"Bash|PowerShell": {"Bash", "PowerShell"},
		"ExitPlanMode":    {"ExitPlanMode"},
		"BashOutput":      {},
		"Edit|Write":      {},
	} {
		if got := matched(matcher); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", matcher, got, want)
		}
	}
}

func TestReportHidesWhoAndWhere(t *testing.T) {
	t.Parallel()
	in := `"where": "/home/jane/work/shop/.claude/settings.json"` + "\n" + `"exe": "/home/jane/bin/viber"` + "\n" +
		`"windows": "C:\\Users\\jane\\x"` + "\n" + `"token": "ghp_` + "k3J9xQ2mT7vB1nC8w" + "Z4rL6pD0sF5hG2yU9eA" + `"` + "\n" + `"other": "/srv/jane/x"` + "\n"
	out := string(redact(in, "/home/jane/work/shop", "/home/jane"))
	want := `"where": "<project>/.claude/settings.json"` + "\n" + `"exe": "~/bin/viber"` + "\n"
	if !strings.HasPrefix(out, want) {
		t.Errorf("got %s", out)
	}
	for _, secret := range []string{"ghp_", "/srv/jane/"} {
		if strings.Contains(out, secret) {
			t.Errorf("%q is still there:\n%s", secret, out)
		}
	}
}

func TestDoubledEntries(t *testing.T) {
	t.Parallel()
	entry := func(scope, program string, args ...string) registered {
		return registered{examined{scope: scope, path: scope}, settings.Handler{Event: "Stop", Command: program, Args: args, HasArgs: true}, true}
	}
	for _, c := range []struct {
		name  string
		found []registered
		level string
	}{
		{"one", []registered{entry(ScopeUser, "/a/viber", "hook", "Stop")}, ""},
		{"the same in two files", []registered{entry(ScopeUser, "/a/viber", "hook", "Stop"), entry(ScopeLocal, "/a/viber", "hook", "Stop")}, LevelNote},
		{"by two paths", []registered{entry(ScopeUser, "/a/viber", "hook", "Stop"), entry(ScopeLocal, "/b/viber", "hook", "Stop")}, LevelWarning},
		{"in the plugin too", []registered{entry(ScopeUser, "/a/viber", "hook", "Stop"), entry(scopePlugin, "/a/viber", "hook", "Stop")}, LevelWarning},
		{"shared by the project", []registered{entry(ScopeUser, "/a/viber", "hook", "Stop"), entry(ScopeProject, "viber", "hook", "Stop", "--scope", "project")}, ""},
	} {
		x := &exam{d: &Diagnosis{}, found: c.found}
		x.doubled()
		var level string
		for _, f := range x.d.Findings {
			level = f.Level
		}
		if level != c.level || len(x.d.Findings) > 1 {
			t.Errorf("%s: %v", c.name, x.d.Findings)
		}
	}
}
