package plugin

import (
	"slices"
	"strings"
	"testing"

	"viber/internal/exit"
)

func tree(t *testing.T, files map[string]string) Tree {
	t.Helper()
	var list []File
	for path, text := range files {
		list = append(list, File{Path: path, Data: []byte(text)})
	}
	tr, err := NewTree(list)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestCheckShowsWhatAPluginMayRun(t *testing.T) {
	c, faults := Check(tree(t, map[string]string{
		manifestPath:       `{"name":"x","version":"1.0.0","mcpServers":{"inline":{"command":"srv","args":["-v"]}}}`,
		"hooks/hooks.json": `{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"guard","args":["a"]}]}],"Stop":[{"hooks":[{"type":"command","command":"bye"}]}]},"modules":["./r.tsx"]}`,
		".mcp.json":        `{"mcpServers":{"web":{"url":"https://example.com/mcp"}}}`,
		"bin/tool":         "x", "skills/s/SKILL.md": "---\ndescription: d\n---\n", "agents/a.md": "---\nname: a\ndescription: d\n---\n", "commands/c.md": "x",
	}))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	for what, pair := range map[string][2][]string{
		"hooks":    {c.Hooks, {"PreToolUse(Bash): guard a", "Stop: bye"}},
		"servers":  {c.Servers, {"inline: srv -v", "web: https://example.com/mcp"}},
		"bin":      {c.Bin, {"tool"}},
		"modules":  {c.Modules, {"./r.tsx"}},
		"skills":   {c.Skills, {"s"}},
		"agents":   {c.Agents, {"a"}},
		"commands": {c.Commands, {"c"}},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
}

func TestCheckNamesWhatTheClientWouldNotLoad(t *testing.T) {
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"no manifest":        {map[string]string{"a/.claude-plugin/plugin.json": goodManifest}, "SOURCE//folder"},
		"bad manifest":       {map[string]string{manifestPath: "{"}, "plugin.json: "},
		"name with a blank":  {map[string]string{manifestPath: `{"name":"a b"}`}, `name "a b"`},
		"path as name":       {map[string]string{manifestPath: `{"name":"../x"}`}, `name "../x"`},
		"unwrapped hooks":    {map[string]string{manifestPath: goodManifest, "hooks/hooks.json": `{"PreToolUse":[]}`}, `no "hooks" object`},
		"hooks not json":     {map[string]string{manifestPath: goodManifest, "hooks/hooks.json": `{,}`}, "hooks.json: "},
		"flat hook":          {map[string]string{manifestPath: goodManifest, "hooks/hooks.json": `{"hooks":{"PreToolUse":[{"type":"command","command":"x"}]}}`}, "PreToolUse[0]: a group without hooks"},
		"hook with nothing":  {map[string]string{manifestPath: goodManifest, "hooks/hooks.json": `{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}`}, "Stop[0].hooks[0]"},
		"missing hooks file": {map[string]string{manifestPath: `{"name":"x","hooks":"./gone.json"}`}, "no file ./gone.json"},
		"no frontmatter":     {map[string]string{manifestPath: goodManifest, "skills/s/SKILL.md": "text"}, "skills/s/SKILL.md: no frontmatter"},
		"bad frontmatter":    {map[string]string{manifestPath: goodManifest, "agents/a.md": "---\na: [\n---\n"}, "agents/a.md: frontmatter"},
		"bad servers":        {map[string]string{manifestPath: goodManifest, ".mcp.json": `[]`}, ".mcp.json"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, faults := Check(tree(t, tt.files))
			if !slices.ContainsFunc(faults, func(err error) bool { return strings.Contains(err.Error(), tt.want) }) {
				t.Errorf("%v, want %q", faults, tt.want)
			}
		})
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(goodManifest), []byte(`{"hooks":{}}`), []byte("---\nname: x\n---\n"))
	f.Fuzz(func(t *testing.T, manifest, hooks, skill []byte) {
		Check(Tree{{Path: ".claude-plugin/plugin.json", Data: manifest}, {Path: "hooks/hooks.json", Data: hooks}, {Path: "skills/s/SKILL.md", Data: skill}})
	})
}

func TestLockKeepsEveryEntryAndRefusesTheRest(t *testing.T) {
	hash := strings.Repeat("ab", 32)
	entry := func(name, tag string) Entry {
		return Entry{Name: name, Kind: Git, Source: "https://example.com/o/r", Tree: hash, Tag: tag, Commit: "c1"}
	}
	lock := Lock{Version: 1}.With(entry("z", "")).With(entry("a", "")).With(entry("z", "v2"))
	text, err := lock.Text()
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseLock("viber.lock", text)
	if err != nil || len(got.Plugins) != 2 || got.Plugins[0].Name != "a" || got.Plugins[1].Tag != "v2" {
		t.Errorf("%+v, %v", got, err)
	}
	if e, ok := got.Without("a").Find("a"); ok {
		t.Errorf("still there: %+v", e)
	}
	if empty, err := ParseLock("viber.lock", []byte(" \n")); err != nil || len(empty.Plugins) != 0 {
		t.Errorf("blank: %v", err)
	}
	for _, bad := range []string{"[]", "null x", `{"version":2}`, `{"version":1,"extra":1}`, `{"version":1,"plugins":[{"name":"x","tree":"` + hash + `"},{"name":"x","tree":"` + hash + `"}]}`, `{"version":1,"plugins":[{"name":"../x","tree":"` + hash + `"}]}`, `{"version":1,"plugins":[{"name":"x","tree":"../../x"}]}`} {
		if _, err := ParseLock("viber.lock", []byte(bad)); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
	for name, change := range map[string]func(*Entry){
		"kind": func(e *Entry) { e.Kind = "program" }, "no source": func(e *Entry) { e.Source = "" },
		"forced": func(e *Entry) { e.Source = "ext::sh -c id" }, "http": func(e *Entry) { e.Source = "http://example.com/o/r" },
		"option": func(e *Entry) { e.Source = "--upload-pack=id" }, "leaves": func(e *Entry) { e.Sub = "../../x" },
		"token": func(e *Entry) { e.Source = "https://ghp_0123@example.com/o/r" }, "line end": func(e *Entry) { e.Version = "1\n2" },
		"escape": func(e *Entry) { e.Tag = "v1\x1b[2K" }, "commit": func(e *Entry) { e.Commit = "-x" },
		"ref": func(e *Entry) { e.Ref = "-x" }, "both": func(e *Entry) { e.Ref, e.Constraint = "main", "~1" },
		"no entry": func(e *Entry) { e.Kind, e.Source = Marketplace, "./market" },
	} {
		bad := entry("x", "")
		change(&bad)
		text, err := Lock{Version: 1}.With(bad).Text()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseLock("viber.lock", text); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "plugin x") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a stranger wrote cannot hide or turn what is shown of a plugin.
func TestNotesAreOneLineEach(t *testing.T) {
	in := incoming{contents: Contents{Name: "x", Description: "nice\r\nplan 0123\x1b[2K\u202eevil", Hooks: []string{"Stop: a\nb"}}}
	for _, note := range in.notes() {
		if strings.ContainsAny(note, "\r\n\x1b\u202e") {
			t.Errorf("%q", note)
		}
	}
}

func TestAFileNameWithAControlCharacterIsRefused(t *testing.T) {
	for _, name := range []string{"a\nb", "a\tb", "a\x7fb", "x/a\x1b"} {
		if _, err := NewTree([]File{{Path: name}}); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
	if _, err := NewTree([]File{{Path: "ünï/a b.md"}}); err != nil {
		t.Error(err)
	}
}
