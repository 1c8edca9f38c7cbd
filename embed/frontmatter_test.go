package embed_test

import (
	"path"
	"slices"
	"strings"
	"testing"
)

// What the client knows, and what this plugin uses of it.
var (
	skillKeys = []string{
		"name", "description", "argument-hint", "allowed-tools", "disallowed-tools", "model", "effort", "user-invocable",
		"disable-model-invocation", "context", "background",
	}
	agentKeys = []string{"name", "description", "tools", "model", "effort", "color", "skills"}
	models    = []string{"haiku", "sonnet", "opus", "inherit"}
	efforts   = []string{"low", "medium", "high"}
	colors    = []string{"red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan"}
	tools     = []string{
		"Agent", "AskUserQuestion", "Bash", "Edit", "EnterPlanMode", "ExitPlanMode", "Glob", "Grep", "Read", "SendMessage",
		"Skill", "TaskCreate", "TaskUpdate", "WebFetch", "WebSearch", "Write",
	}
)

func TestFrontmatterOfSkills(t *testing.T) {
	t.Parallel()
	for _, x := range skills(t) {
		checkKeys(t, x, skillKeys)
		checkHead(t, x)
		oneOf(t, x, "model", models)
		oneOf(t, x, "effort", efforts)
		oneOf(t, x, "user-invocable", []string{"false"})
		oneOf(t, x, "disable-model-invocation", []string{"true"})
		oneOf(t, x, "context", []string{"fork"})
		oneOf(t, x, "background", []string{"true", "false"})
		checkTools(t, x, grants(x.keys["allowed-tools"]))
		if x.keys["user-invocable"] != "" && x.keys["disable-model-invocation"] != "" {
			t.Errorf("%s: nobody could start this skill", x.path)
		}
		if n := strings.Count(x.body, "\n"); n > 500 {
			t.Errorf("%s: %d lines, at most 500", x.path, n)
		}
	}
}

func TestFrontmatterOfAgents(t *testing.T) {
	t.Parallel()
	for _, x := range agents(t) {
		checkKeys(t, x, agentKeys)
		checkHead(t, x)
		oneOf(t, x, "model", models)
		oneOf(t, x, "effort", efforts)
		oneOf(t, x, "color", colors)
		if x.keys["tools"] == "" || x.keys["model"] == "" {
			t.Errorf("%s: tools and model are part of every agent", x.path)
		}
		checkTools(t, x, grants(x.keys["tools"]))
	}
}

// TestNoNameTwice keeps skills and agents apart: the client offers both as viber:<name>.
func TestNoNameTwice(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, x := range append(skills(t), agents(t)...) {
		if other := seen[x.name()]; other != "" {
			t.Errorf("%s and %s have one name", other, x.path)
		}
		seen[x.name()] = x.path
	}
}

func checkKeys(t *testing.T, x text, known []string) {
	t.Helper()
	for key, value := range x.keys {
		if !slices.Contains(known, key) {
			t.Errorf("%s: unknown key %s", x.path, key)
		}
		if value == "" {
			t.Errorf("%s: %s has no value", x.path, key)
		}
	}
}

func checkHead(t *testing.T, x text) {
	t.Helper()
	if x.keys["name"] != x.name() {
		t.Errorf("%s: its name is %q", x.path, x.keys["name"])
	}
	if d := x.keys["description"]; d == "" || len(d) > 250 || strings.ContainsAny(d, "<>") {
		t.Errorf("%s: a description of 1 to 250 characters without < and >, not %d", x.path, len(d))
	}
	if !strings.HasPrefix(strings.TrimSpace(x.body), "# "+x.name()+"\n") {
		t.Errorf("%s: the body opens with its name as the heading", x.path)
	}
}

func oneOf(t *testing.T, x text, key string, values []string) {
	t.Helper()
	if v := x.keys[key]; v != "" && !slices.Contains(values, v) {
		t.Errorf("%s: %s is %q, not one of %v", x.path, key, v, values)
	}
}

// grants splits an allowed-tools value at its commas, those inside brackets left alone.
func grants(value string) []string {
	var all []string
	depth, start := 0, 0
	for i, c := range value + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			if g := strings.TrimSpace((value + ",")[start:i]); g != "" {
				all = append(all, g)
			}
			start = i + 1
		}
	}
	return all
}

func checkTools(t *testing.T, x text, granted []string) {
	t.Helper()
	for _, g := range granted {
		name, _, _ := strings.Cut(g, "(")
		if !slices.Contains(tools, name) {
			t.Errorf("%s: unknown tool %s", x.path, g)
		}
	}
}

// TestFilesArePlain keeps out what breaks a reader or a client: other characters than ASCII, CRLF, names the client refuses.
func TestFilesArePlain(t *testing.T) {
	t.Parallel()
	for name, data := range files(t) {
		for i, c := range []byte(data) {
			if c > 126 || c == '\r' || c == '\t' && path.Ext(name) == ".md" {
				t.Errorf("%s: byte %#x at line %d", name, c, 1+strings.Count(data[:i], "\n"))
				break
			}
		}
		if !strings.HasSuffix(data, "\n") || strings.HasSuffix(data, "\n\n") {
			t.Errorf("%s: ends with exactly one newline", name)
		}
		for _, bad := range []string{"report", "summary", "findings", "analysis"} {
			if strings.HasPrefix(strings.ToLower(path.Base(name)), bad) {
				t.Errorf("%s: the client refuses such a name in a subagent", name)
			}
		}
		if path.Base(name) == "hooks.json" {
			t.Errorf("%s: settings carry the hooks, a second channel would fire them twice", name)
		}
	}
}
