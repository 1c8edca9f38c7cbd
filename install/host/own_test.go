package host

import (
	"strings"
	"testing"

	"viber/install/settings"
)

func shell(line string) settings.Handler {
	return settings.Handler{Type: "command", Command: line}
}

func exec(program string, args ...string) settings.Handler {
	return settings.Handler{Type: "command", Command: program, Args: args, HasArgs: true}
}

func TestOwnEntries(t *testing.T) {
	t.Parallel()
	r := Recogniser{Programs: []string{"/tmp/a b/vb-1.2", `C:\Tools\vb.exe`}}
	for _, h := range []settings.Handler{
		exec("/opt/homebrew/bin/viber", "hook", "PreToolUse"),
		exec("/opt/homebrew/bin/viber", "hook", "SessionStart", "--scope", "project"),
		exec("viber", "hook", "PreToolUse"),
		exec(`C:\Users\Art S\viber.exe`, "hook", "PreToolUse"),
		exec(`C:\Users\Art S\VIBER.EXE`, "hook", "PreToolUse"),
		exec(PluginProgram, "hook", "PreToolUse"),
		exec("~/bin/viber", "hook", "PreToolUse"),
		exec("/a b/viber", "hook", "kill-guard"),
		exec("/usr/bin/viber-1.4.0", "hook", "Stop"),
		exec("/usr/bin/viber_v1.4.0_linux_amd64", "hook", "Stop"),
		exec("/usr/bin/viber"),
		exec("/usr/bin/viber hook PreToolUse"),
		exec("/tmp/a b/vb-1.2", "hook", "PreToolUse"),
		exec("/moved/to/vb-1.2", "hook", "PreToolUse"),
		exec(`c:/tools/vb.exe`, "hook", "PreToolUse"),
		shell("/home/u/bin/viber hook PreToolUse"),
		shell("/home/u/bin/viber hook"),
		shell("/home/u/bin/viber"),
		shell("~/bin/viber hook"),
		shell(`"$HOME/bin/viber" hook`),
		shell(`"${HOME}/bin/viber" hook Stop`),
		shell(`${HOME}/bin/viber hook Stop`),
		shell(`"${CLAUDE_PLUGIN_ROOT}/bin/viber" hook Stop`),
		shell(`$HOME/bin/viber hook Stop`),
		shell(`'/tmp/a b/viber' hook PreToolUse`),
		shell(`'/tmp/it'\''s/viber' hook PreToolUse`),
		shell(`/tmp/a\ b/viber hook PreToolUse`),
		shell(`"/tmp/a \"b\"/viber" hook PreToolUse`),
		shell(`"C:\Users\Art S\viber.exe" hook PreToolUse`),
		shell(`C:\Users\u\viber.exe hook PreToolUse`),
		shell(`& "C:\Users\Art S\viber.exe" hook PreToolUse`),
		shell(`"C:/Users/Art S/viber.exe" hook PreToolUse`),
		shell("viber hook PreToolUse --scope project"),
		shell("  viber   hook\tPreToolUse "),
		{Command: "viber hook PreToolUse"},
	} {
		if !r.Own(h) {
			t.Errorf("not taken for ours: %q %q", h.Command, h.Args)
		}
	}
}

func TestForeignEntries(t *testing.T) {
	t.Parallel()
	r := Recogniser{Programs: []string{"/opt/vb", ""}}
	for _, h := range []settings.Handler{
		shell("my-viber-wrapper --check"),
		shell("/usr/bin/my-viber hook PreToolUse"),
		shell("viber-lint hook PreToolUse"),
		shell("viberate hook PreToolUse"),
		shell("echo viber hook PreToolUse"),
		shell("/home/viber/bin/check hook PreToolUse"),
		shell("viber hook PreToolUse | tee log"),
		shell("viber hook PreToolUse; true"),
		shell("viber hook PreToolUse && notify"),
		shell("viber hook PreToolUse > log"),
		shell("viber hook PreToolUse 2>&1"),
		shell("viber hook $(echo PreToolUse)"),
		shell("viber hook `echo PreToolUse`"),
		shell(`viber hook "$(id)"`),
		shell("viber hook PreToolUse &"),
		shell("X=1 viber hook PreToolUse"),
		shell("sudo viber hook PreToolUse"),
		shell("sh -c 'viber hook PreToolUse'"),
		shell("viber hook 'PreToolUse"),
		shell(`viber hook "PreToolUse`),
		shell(`viber hook \`),
		shell("(viber hook PreToolUse)"),
		shell("{ viber hook PreToolUse; }"),
		shell("viber hook PreToolUse\nrm x"),
		shell("viber panel"),
		shell("viber explain hook x"),
		shell("viber hook ../x"),
		shell("viber hook --help"),
		shell("# viber hook PreToolUse"),
		shell(""),
		shell("   "),
		shell("''"),
		exec("/opt/vb"),
		exec("/opt/vb", "check"),
		exec("node", "/opt/viber", "hook", "PreToolUse"),
		exec("viber", "status"),
		exec("/opt/other", "hook", "PreToolUse"),
		exec("", "hook", "PreToolUse"),
		{Type: "prompt", Command: "viber hook PreToolUse"},
		{Type: "http", Command: "viber hook PreToolUse"},
	} {
		if r.Own(h) {
			t.Errorf("taken for ours: %q %q", h.Command, h.Args)
		}
	}
}

// TestRecogniserIsTheInverseOfTheWriter writes entries for awkward paths in every form and finds them again.
func TestRecogniserIsTheInverseOfTheWriter(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{
		"/usr/bin", "/tmp/a b", "/tmp/it's", `/tmp/"q"`, "/tmp/$HOME", "/tmp/a;b", "/tmp/é", "/tmp/a&b|c", "/tmp/(x)", "/tmp/[x]*?",
		`/tmp/back\slash`, "/tmp/#x", "/tmp/a=b", "/tmp/`x`", "/tmp/!x", "/tmp/{x}", "/tmp/$(id)",
	} {
		for _, version := range []Version{{2, 1, 332}, {2, 1, 100}, {1, 0, 60}, {}} {
			checkInverse(t, Claude{version}, Wiring{Program: dir + "/viber"})
		}
	}
	for _, dir := range []string{`C:\Users\Art S`, `C:\Users\it's`, `\\server\share`, "D:/x"} {
		for _, version := range []Version{{2, 1, 332}, {2, 1, 100}, {}} {
			checkInverse(t, Claude{version}, Wiring{Program: dir + `\viber.exe`, Windows: true})
		}
	}
	checkInverse(t, Claude{}, Wiring{Program: "viber", Project: true})
	checkInverse(t, Claude{Version{2, 1, 100}}, Wiring{Program: PluginProgram})
}

func checkInverse(t *testing.T, c Claude, w Wiring) {
	t.Helper()
	hooks, err := c.Entries(w, c.Registrations(func(string) string { return "on" }))
	if err != nil {
		t.Fatal(err)
	}
	f, err := settings.Parse("settings.json", nil)
	if err != nil {
		t.Fatal(err)
	}
	own := Recogniser{}.Own
	res, err := f.Apply(settings.Change{Hooks: hooks, Own: own})
	if err != nil {
		t.Fatalf("%s: %v", w.Program, err)
	}
	after, err := settings.Parse("settings.json", res.Text)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range after.Handlers() {
		argv, ok := Command(h)
		if !own(h) || !ok || strings.ReplaceAll(argv[0], `\`, "/") != strings.ReplaceAll(w.Program, `\`, "/") || argv[1] != "hook" || argv[2] != h.Event {
			t.Errorf("%s, client %s: %q %q is not read back as ours: %q", w.Program, c.Version, h.Command, h.Args, argv)
		}
	}
	if len(after.Handlers()) == 0 {
		t.Errorf("client %s: no entry written", c.Version)
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{`"a b" c`, `'a'\''b'`, `C:\x y`, "${A}b", "a | b", `"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		list, ok := words(line)
		if !ok {
			return
		}
		if len(list) == 0 {
			t.Fatalf("%q: no words", line)
		}
		quoted := make([]string, len(list))
		for i, w := range list {
			quoted[i] = shellQuote(w)
		}
		if isDrive(list[0]) || isAssignment(list[0]) || list[0] == "&" {
			return
		}
		again, ok := words(strings.Join(quoted, " "))
		if !ok || strings.Join(again, "\x00") != strings.Join(list, "\x00") {
			t.Fatalf("%q: %q became %q", line, list, again)
		}
	})
}
