package hooksimpl

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func (w *guardWorld) written(name, text string) Verdict {
	w.write(name, text)
	return w.ask(w.payload(EventPostToolUse, ToolWrite, map[string]any{"file_path": w.path(name), "content": text}, "tool_response", map[string]any{}))
}

func TestSyntaxInProcess(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  syntax: on\n")
	for name, c := range map[string]struct{ file, text, says string }{
		"json":                {"a.json", "{\"a\": 1}\n", ""},
		"json, a comma":       {"b.json", "{\n  \"a\": 1,\n}\n", "b.json:3:1: invalid character '}'"},
		"json, cut off":       {"c.json", "{\"a\": [1", "c.json:1:8: unexpected end"},
		"json with BOM, CRLF": {"d.json", "\xef\xbb\xbf{\r\n\"a\": 1\r\n}\r\n", ""},
		"comments allowed":    {"tsconfig.json", "{ // x\n \"a\": 1, }", ""},
		"comments, broken":    {".vscode/settings.json", "{ // x\n \"a\" 1 }", ".vscode/settings.json:2:"},
		"jsonc":               {"e.jsonc", "// x\n{\"a\": }", "e.jsonc:2:"},
		"yaml":                {"a.yml", "a: 1\n---\nb: [1, 2]\n", ""},
		"yaml, tabs":          {"b.yaml", "a:\n\tb: 1\n", "b.yaml:2: found character that cannot start any token"},
		"yaml, second doc":    {"c.yaml", "a: 1\n---\nb: [1\n", "c.yaml:"},
		"yaml template":       {"d.yaml", "a: {{ .Values.x }}\n", ""},
		"viber.yml":           {".claude/viber.local.yml", "a: [\n", ""},
		"toml":                {"a.toml", "a = 1\n[b]\nc = \"x\"\n", ""},
		"toml, broken":        {"b.toml", "a = 1\n[b\nc = 2\n", "b.toml:2:"},
		"toml, doubled":       {"c.toml", "a = 1\na = 2\n", "c.toml:2:"},
		"another kind":        {"a.rs", "fn main( {", ""},
		"nested":              {"n.json", strings.Repeat("[", 100_000), ""},
		"nested yaml":         {"n.yaml", strings.Repeat("[", 100_000), ""},
		"nested toml":         {"n.toml", "a = " + strings.Repeat("[", 100_000), ""},
		"huge":                {"h.json", "{" + strings.Repeat(" ", 2<<20), ""},
		"credential":          {"k.toml", "a = ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n", "k.toml:1"},
	} {
		v := w.written(c.file, c.text)
		if v.Decision != None || c.says == "" && v.Context != "" || !strings.Contains(v.Context, c.says) || strings.Contains(v.Context, "ghp_") {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

func TestSyntaxIsOffByDefault(t *testing.T) {
	t.Parallel()
	if v := newGuardWorld(t, "").written("b.json", "{"); !v.silent() {
		t.Errorf("%+v", v)
	}
}

// plantTool makes a program of that name in a new folder; it notes that it ran, and fails as told.
func plantTool(t *testing.T, dir, name, script string) {
	t.Helper()
	mkdir(t, dir)
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

func TestSyntaxByTools(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  syntax: on\n")
	for _, c := range []struct{ program, file, text, says string }{
		{"gofmt", "a.go", "package a\n\nfunc f() { return 1\n", "a.go:3:21: expected ';'"},
		{"gofmt", "b.go", "package b\n", ""},
		{"bash", "a.sh", "if true; then\n  echo x\n", "a.sh:3: syntax error"},
		{"bash", "b.sh", "#!/bin/bash\nif true; then echo x; fi\n", ""},
		{"bash", "c.sh", "#!/usr/bin/env zsh\nif true; then\n", ""},
		{"python3", "a.py", "def f(:\n  pass\n", "a.py:1: invalid syntax"},
		{"python3", "b.py", "def f():\n  pass\n", ""},
		{"node", "a.js", "const a = ;\n", "a.js:1: Unexpected token"},
		{"node", "b.js", "import x from 'y'\nexport const a = 1\n", ""},
		{"node", "c.js", "const a = <p/>;\n", ""},
	} {
		if _, err := exec.LookPath(c.program); err != nil {
			t.Logf("%s is not installed: %s is not played", c.program, c.file)
			continue
		}
		v := w.written(c.file, c.text)
		if c.says == "" && v.Context != "" || !strings.Contains(v.Context, c.says) {
			t.Errorf("%s: %+v", c.file, v)
		}
	}
	left, _ := filepath.Glob(w.path("*/__pycache__"))
	more, _ := filepath.Glob(w.path("__pycache__"))
	if len(left)+len(more) > 0 {
		t.Errorf("left behind: %v %v", left, more)
	}
}

func TestToolsOfTheProjectAreNotRun(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  syntax: on\n")
	for _, dir := range []string{w.path("bin"), w.path("node_modules/.bin")} {
		plantTool(t, dir, "gofmt", "touch "+w.path("ran")+"\necho 'a.go:1:1: PLANTED' >&2\nexit 2\n")
	}
	outside := t.TempDir()
	if err := os.Symlink(w.path("bin/gofmt"), filepath.Join(outside, "gofmt")); err != nil {
		t.Fatal(err)
	}
	w.Environ = []string{"PATH=" + w.path("bin") + ":" + w.path("node_modules/.bin") + ":bin:" + outside}
	if v := w.written("a.go", "package"); !v.silent() {
		t.Errorf("%+v", v)
	}
	if w.IsFile(w.path("ran")) {
		t.Error("a program of the project ran")
	}
}

func TestSlowAndSilentToolsSayNothing(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  syntax: on\n")
	tools := t.TempDir()
	plantTool(t, tools, "gofmt", "sleep 30\n")
	plantTool(t, tools, "bash", "echo 'something odd' >&2\nexit 2\n")
	plantTool(t, tools, "node", "env > "+filepath.Join(tools, "env")+"\nexit 0\n")
	w.Environ = []string{"PATH=" + tools + ":/usr/bin:/bin", "NODE_OPTIONS=--require=x", "BASH_ENV=x", "PYTHONPATH=x", "SECRET=x"}
	for _, file := range []string{"a.go", "a.sh", "a.js"} {
		if v := w.written(file, "broken ("); !v.silent() {
			t.Errorf("%s: %+v", file, v)
		}
	}
	text, err := os.ReadFile(filepath.Join(tools, "env"))
	if err != nil || strings.Contains(string(text), "=x") || strings.Contains(string(text), "NODE_OPTIONS") {
		t.Errorf("%s %v", text, err)
	}
}

const codexPatch = `*** Begin Patch
*** Add File: new.json
+{"a": 1
*** Update File: old/plain.json
@@
-x
+y
*** Update File: old/name.json
*** Move to: moved/name.json
@@
-x
+y
*** Delete File: gone.json
*** End Patch
`

func TestPatchedFiles(t *testing.T) {
	t.Parallel()
	want := []string{"new.json", "old/plain.json", "moved/name.json"}
	if got := patchedFiles(codexPatch); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := patchedFiles(strings.ReplaceAll(codexPatch, "\n", "\r\n")); !slices.Equal(got, want) {
		t.Errorf("CRLF: %v", got)
	}
	if got := patchedFiles("*** Update File: a.json\n*** Update File: a.json\n*** Move to: b.json\n+*** Add File: no.json\n"); !slices.Equal(got, []string{"a.json", "b.json"}) {
		t.Errorf("%v", got)
	}
}

func TestSyntaxOfACodexPatch(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "  syntax: on\n")
	for _, name := range []string{"new.json", "old/plain.json", "old/name.json", "moved/name.json", "gone.json"} {
		w.write(name, "{")
	}
	for name, input := range map[string]map[string]any{
		"text":  {"command": codexPatch},
		"words": {"command": []string{"apply_patch", codexPatch}},
		"input": {"input": codexPatch},
	} {
		p := w.payload(EventPostToolUse, ToolApplyPatch, input, "turn_id", "1", "model", "m", "tool_response", "ok")
		v := w.ask(p)
		for _, file := range []string{"new.json", "old/plain.json", "moved/name.json"} {
			if !strings.Contains(v.Context, "- "+file+":1:1: ") {
				t.Errorf("%s: without %s: %s", name, file, v.Context)
			}
		}
		if strings.Contains(v.Context, "old/name.json") || strings.Contains(v.Context, "gone.json") {
			t.Errorf("%s: %s", name, v.Context)
		}
		if out := string(encode(p.Event, v)); !strings.HasPrefix(out, `{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"`) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

func FuzzPatchedFiles(f *testing.F) {
	f.Add(codexPatch)
	f.Add("*** Move to: a")
	f.Fuzz(func(t *testing.T, patch string) {
		for _, name := range patchedFiles(patch) {
			if name == "" || strings.ContainsAny(name, "\r\n") && !strings.Contains(patch, "\r") {
				t.Errorf("%q", name)
			}
		}
	})
}
