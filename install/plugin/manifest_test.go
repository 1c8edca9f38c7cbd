package plugin

import (
	"slices"
	"strings"
	"testing"
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
	lock := Lock{Version: 1}.With(Entry{Name: "z", Tree: hash}).With(Entry{Name: "a", Tree: hash, Commit: "c1"}).With(Entry{Name: "z", Tree: hash, Tag: "v2"})
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
}
