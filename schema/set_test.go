package schema

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, key, value, want string
		target                       Target
	}{
		{"in place", "build:\n  qa: false   # why\n", "build.qa", "true", "build:\n  qa: true   # why\n", SharedFile},
		{"glued comment", "build:\n  qa: x#y\n", "build.qa", "true", "build:\n  qa: true\n", SharedFile},
		{"empty value", "build:\n  qa:\n", "build.qa", "true", "build:\n  qa: true\n", SharedFile},
		{"CRLF", "build:\r\n  qa: false\r\n", "build.qa", "true", "build:\r\n  qa: true\r\n", SharedFile},
		{"a title is quoted", "github:\n  pr-title: x # c\n", "github.pr-title", "it's # {summary}", "github:\n  pr-title: \"it's # {summary}\" # c\n", SharedFile},
		{"behind its sibling", "build:\n    memory: true # m\n    cleanup: true\n", "build.rules", "true",
			"build:\n    memory: true # m\n    rules: true\n    cleanup: true\n", SharedFile},
		{"at the head", "build:\n\tqa: true\n", "build.memory", "false", "build:\n\tmemory: false\n\tqa: true\n", SharedFile},
		{"behind an empty map", "build:\n  extensions:\n", "build.qa", "true", "build:\n  qa: true\n  extensions:\n", SharedFile},
		{"a new group", "schema: 3\n", "tiers.max", "fable", "schema: 3\n\ntiers:\n  max: fable\n", SharedFile},
		{"in an empty local file", "", "tiers.min", "opus", "tiers:\n  min: opus\n", LocalFile},
		{"in a local file", "tiers:\n    max: opus\n", "tiers.min", "opus", "tiers:\n    min: opus\n    max: opus\n", LocalFile},
		{"requires", "# c\nschema: 3\n", "requires", ">=1.4", "# c\nschema: 3\nrequires: '>=1.4'\n", SharedFile},
		{"the first of two", "build:\n  qa: true\n  qa: true\n", "build.qa", "false", "build:\n  qa: false\n  qa: true\n", SharedFile},
		{"below its comment", "guards:\n  # What it does.\n  # syntax: off\n  # capture: on\n", "guards.syntax", "on",
			"guards:\n  # What it does.\n  # syntax: off\n  syntax: on\n  # capture: on\n", SharedFile},
		{"in another place than its comment", "guards:\n  syntax: off\n  # syntax: off\n", "guards.syntax", "on",
			"guards:\n  syntax: on\n  # syntax: off\n", SharedFile},
		{"a guard of one's own", "", "guards.git", "off", "guards:\n  git: off\n", UserFile},
		{"upper case", "tiers:\n  min: haiku\n", "tiers.min", "OPUS", "tiers:\n  min: OPUS\n", SharedFile},
	} {
		got, err := PlanSet(c.text, c.key, c.value, c.target)
		if err != nil || got != c.want {
			t.Errorf("%s: got %q (%v), want %q", c.name, got, err, c.want)
		}
	}
}

func TestSetRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, key, value, want string
		target                 Target
	}{
		{"", "build.qq", "true", "unknown key build.qq; did you mean build.qa?", SharedFile},
		{"", "build.qa", "yes", `build.qa takes true or false, not "yes"`, SharedFile},
		{"", "tiers.min", "opus # x", `tiers.min takes haiku, sonnet, opus or fable, not "opus # x"`, SharedFile},
		{"", "build.extensions", "a", "build.extensions holds entries; add one with 'viber extension --add NAME' or edit them with 'viber config edit'", SharedFile},
		{"", "schema", "9", "schema is raised by 'viber migrate'", SharedFile},
		{"", "build.qa", "true", "build.qa cannot be set in .claude/viber.local.yml; only build.baseline-tests, github.issues, tiers.min and tiers.max can", LocalFile},
		{"schema: 3\nbuild: {qa: false}\n", "build.qa", "true", "build.qa cannot be set: build: holds its value on its own line, which viber does not read; give each key a line of its own with 'viber config edit'", SharedFile},
		{"schema: 99\nbuild:\n  qa: false\n", "build.qa", "true", "the file is at schema 99, newer than the 4 this viber knows; run 'viber upgrade'", SharedFile},
		{"", "guards.git", "off", "guards.git: a project can only tighten a guard, so off would have no effect; for yourself: viber config set --user guards.git off", SharedFile},
		{"", "forge.hosts", "x.example", "forge.hosts counts in your own viber.yml only; set it with 'viber config set --user forge.hosts ...'", SharedFile},
		{"", "github.pr-title", "a\nb", "github.pr-title: a value is one line", SharedFile},
		{"", "github.pr-title", `'"`, `github.pr-title takes a text, in quotes when it starts with one or holds a #, not "'\""`, SharedFile},
		{"x\x00", "build.qa", "true", ".claude/viber.yml:1: the file holds a NUL byte, so it is no text; remove it and run the command again", SharedFile},
	} {
		got, err := PlanSet(c.text, c.key, c.value, c.target)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s=%s: got %q, %v; want %s", c.key, c.value, got, err, c.want)
		}
	}
}

// TestSetTouchesOneLine: over generated files, setting a key changes or adds one line, the key reads as set, and every other
// key reads as before.
func TestSetTouchesOneLine(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range uint64(3000) {
		text := makeFile(seed)
		r := fileMaker{rand.New(rand.NewPCG(seed, 3))}
		key := r.pick("build.qa", "planning.adr", "tiers.max", "github.pr-title", "directories.runs", "build.baseline-tests")
		value := map[string]string{"build.qa": "true", "planning.adr": "false", "tiers.max": "fable", "github.pr-title": "T", "directories.runs": "r", "build.baseline-tests": "fast"}[key]
		after, err := PlanSet(text, key, value, SharedFile)
		if newer := NumberIn(text) > Newest; newer != (err != nil && strings.Contains(err.Error(), "newer than")) {
			t.Fatalf("seed %d: a file of a newer schema: %v; %v", seed, newer, err)
		} else if newer {
			continue
		}
		if err != nil && strings.Contains(err.Error(), "holds its value on its own line") {
			continue
		}
		if err != nil {
			refused++
			continue
		}
		was, is := Parse("", text), Parse("", after)
		for _, k := range Keys() {
			if k.Name != key && k.Group() != "tiers" && was.Value(k.Name) != is.Value(k.Name) {
				t.Fatalf("seed %d: setting %s changed %s\n%s\n---\n%s", seed, key, k.Name, text, after)
			}
		}
		if n := changedLines(text, after); n > 4 { // the end of the last line, and a new group: blank line, header, key
			t.Fatalf("seed %d: setting %s changed %d lines\n%s\n---\n%s", seed, key, n, text, after)
		}
	}
	if refused > 30 {
		t.Errorf("%d of 3000 were refused", refused)
	}
}

// changedLines counts the lines between the common beginning and the common end, of the longer text.
func changedLines(before, after string) int {
	a, b := splitLines(before), splitLines(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b))
}
