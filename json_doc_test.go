package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"viber/cli"
	"viber/internal/term"
)

// TestJSONIsAsDocumented holds what the commands print with --json against docs/json.md: no field that the page does not name,
// and none missing that it promises.
func TestJSONIsAsDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("docs", "json.md"))
	if err != nil {
		t.Fatal(err)
	}
	play := jsonWorld(t)
	for _, c := range []struct {
		row, inside string
		args        []string
	}{
		{"plan: `setup`", "", []string{"setup", "--json"}},
		{"plan.actions", "actions", []string{"setup", "--json"}},
		{"plan.changes", "changes", []string{"setup", "--json"}},
		{"", "", []string{"setup", "--yes", "--quiet"}},
		{"`status`", "", []string{"status", "--json"}},
		{"status.plugin", "plugin", []string{"status", "--json"}},
		{"status.scopes", "scopes", []string{"status", "--json"}},
		{"status.config", "config", []string{"status", "--json"}},
		{"`undo --list`", "", []string{"undo", "--list", "--json"}},
		{"plan: `setup`", "", []string{"uninstall", "--json"}},
		{"`config list`", "", []string{"config", "list", "--json"}},
		{"", "", []string{"config", "set", "gates.tdd", "off"}},
		{"`upgrade`", "", []string{"upgrade", "--json"}},
		{"`version`", "", []string{"version", "--json"}},
		{"`explain command`", "", []string{"explain", "command", "--agent", "viber:task-coder", "--json", "killall node"}},
	} {
		out := play(c.args...)
		if c.row == "" {
			continue
		}
		promised, optional := documented(t, string(page), c.row)
		for _, object := range objects(t, out, c.inside) {
			for name := range object {
				if !slices.Contains(promised, name) && !slices.Contains(optional, name) {
					t.Errorf("viber %s: %s is not in docs/json.md", strings.Join(c.args, " "), name)
				}
			}
			for _, name := range promised {
				if _, ok := object[name]; !ok {
					t.Errorf("viber %s: %s of docs/json.md is missing", strings.Join(c.args, " "), name)
				}
			}
		}
	}
}

// documented reads the fields of one row of the page; those that may be missing carry a question mark.
func documented(t *testing.T, page, row string) (promised, optional []string) {
	t.Helper()
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "| "+row) {
			continue
		}
		cells := strings.Split(line, " | ")
		for _, m := range regexp.MustCompile("`([a-z_]+)(\\[\\])?(\\?)?`").FindAllStringSubmatch(cells[1], -1) {
			if m[3] == "" {
				promised = append(promised, m[1])
			} else {
				optional = append(optional, m[1])
			}
		}
		return promised, optional
	}
	t.Fatalf("docs/json.md has no row %q", row)
	return nil, nil
}

// objects are the objects of an output: itself, its elements, or what stands in its field inside.
func objects(t *testing.T, out []byte, inside string) []map[string]any {
	t.Helper()
	var value any
	if err := json.Unmarshal(out, &value); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if inside != "" {
		value = value.(map[string]any)[inside]
	}
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	if len(list) == 0 {
		t.Fatalf("%q of this is empty: %s", inside, out)
	}
	var all []map[string]any
	for _, v := range list {
		all = append(all, v.(map[string]any))
	}
	return all
}

// jsonWorld returns a function that runs viber in a world of its own and gives what it prints.
func jsonWorld(t *testing.T) func(args ...string) []byte {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"home", "project/.git", "bin", "none"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(dir, "bin", "viber")
	if err := os.WriteFile(exe, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"HOME": filepath.Join(dir, "home"), "USERPROFILE": filepath.Join(dir, "home"), "LOCALAPPDATA": filepath.Join(dir, "home"), "PATH": filepath.Join(dir, "bin")}
	return func(args ...string) []byte {
		var out, errs bytes.Buffer
		env := cli.Env{Streams: term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs}, Getenv: func(name string) string { return vars[name] },
			Dir: filepath.Join(dir, "project"), Exe: exe, Now: time.Now, Sleep: time.Sleep, ManagedDir: filepath.Join(dir, "none")}
		if code := cli.Main(env, append([]string{"viber"}, args...)); code != 0 {
			t.Fatalf("viber %s: exit %d\n%s", strings.Join(args, " "), code, errs.String())
		}
		return out.Bytes()
	}
}
