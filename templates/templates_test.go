package templates_test

import (
	"slices"
	"strings"
	"testing"

	"viber/templates"
)

func TestRulesAreNarrow(t *testing.T) {
	allow, ask := templates.AllowRules("Bash"), templates.AskRules("Bash")
	for _, rule := range slices.Concat(allow, ask) {
		spec := strings.TrimSuffix(strings.TrimPrefix(rule, "Bash(viber "), ")")
		if spec == rule || spec == "" || strings.HasPrefix(spec, "*") || strings.HasPrefix(spec, ":") {
			t.Errorf("%s names no command of viber", rule)
		}
	}
	for _, rule := range allow {
		for _, asked := range ask {
			if strings.HasPrefix(strings.TrimSuffix(asked, ":*)")+" ", strings.TrimSuffix(rule, ":*)")+" ") {
				t.Errorf("%s allows what %s asks for", rule, asked)
			}
		}
	}
}

func TestControlCommandsAreAsked(t *testing.T) {
	ask := templates.AskRules("Bash")
	for _, command := range []string{
		"setup", "uninstall", "undo", "upgrade", "migrate", "hooks off", "plugin add", "plugin update", "plugin remove",
		"answer", "run answer", "rework clear", "ledger add", "ledger forget", "forge add", "review post",
	} {
		if !slices.Contains(ask, "Bash(viber "+command+":*)") {
			t.Errorf("no ask rule for viber %s", command)
		}
	}
}

func TestGitignoreHoldsTheNeededLines(t *testing.T) {
	lines := strings.Split(templates.Gitignore(), "\n")
	for _, want := range []string{templates.IgnoreTemp, templates.IgnoreLocal, ".claude/settings.local.json"} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %s", want)
		}
	}
}

func TestReadRulesNameTheFolder(t *testing.T) {
	for _, c := range []struct{ home, folder, want string }{
		{"/home/u", "/home/u/.claude/skills/viber", "Read(~/.claude/skills/viber/**)"},
		{"/home/u/", "/home/u/.local/state/viber/plugin/", "Read(~/.local/state/viber/plugin/**)"},
		{"/home/u", "/home/user/x", "Read(//home/user/x/**)"},
		{"/home/u", "/opt/conf", "Read(//opt/conf/**)"},
		{"", "/opt/conf", "Read(//opt/conf/**)"},
		{`C:\Users\u`, `C:\Users\u\.claude\skills\viber`, "Read(~/.claude/skills/viber/**)"},
		{`C:\Users\u`, `D:\conf\viber`, "Read(//d/conf/viber/**)"},
	} {
		if got := templates.ReadRules(c.home, c.folder); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s below %s: %v, want %s", c.folder, c.home, got, c.want)
		}
	}
}
