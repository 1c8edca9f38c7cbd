package schema

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/templates"
)

var update = flag.Bool("update", false, "write the files that are generated from the table")

// generated compares a file of the tree with what the table makes of it, or writes it with -update.
func generated(t *testing.T, path, want string) {
	t.Helper()
	if *update {
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(want), 0o644))
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s is not what the table of keys gives (%v); run 'go test ./schema -update'", path, err)
	}
}

func TestTemplateIsGenerated(t *testing.T) {
	t.Parallel()
	generated(t, filepath.Join("..", "templates", "viber.yml"), Template(Newest))
	if !*update && templates.ViberYML() != Template(Newest) {
		t.Error("the template in the binary is not the generated one")
	}
}

// TestTemplatesOfEachSchema freezes every template: a schema that is out does not change any more.
func TestTemplatesOfEachSchema(t *testing.T) {
	t.Parallel()
	for n := 1; n <= Newest; n++ {
		text := Template(n)
		generated(t, filepath.Join("testdata", "templates", "viber-"+string(rune('0'+n))+".yml"), text)
		if got := NumberIn(text); got != n {
			t.Errorf("template %d says schema %d", n, got)
		}
		m, err := PlanMigration(text, MigrationOptions{To: n})
		if err != nil || m.Changed() {
			t.Errorf("template %d is not complete at its own schema: %v %v", n, err, m.Steps)
		}
	}
}

// TestLayoutNeedsANewNumber binds the list of keys to the number: changing it means a new schema.
func TestLayoutNeedsANewNumber(t *testing.T) {
	t.Parallel()
	one := "schema planning adr plain-plan-review fast-path build baseline-tests final-review memory rules qa cleanup" +
		" github issues issue-title pr-title directories runs specifications tiers min max branching mode work"
	three := strings.Replace(one, "cleanup", "cleanup extensions", 1)
	four := strings.Replace(three, "pr-title", "pr-title close-issues", 1) + " guards gates forge" +
		" #secrets #git #attribution #force-with-lease #protected-branches #unattended #self #read-size #read-size-limit #read-size-lines" +
		" #syntax #file-context #task-mirror #run-scope #run-stop #capture #reviewer-timeout #rebuttal #tdd #ledger #repositories"
	for n, want := range map[int]string{1: one, 2: one, 3: three, 4: four} {
		var keys []string
		for _, line := range strings.Split(Template(n), "\n") {
			if key, _, ok := keyOf(strings.TrimPrefix(line, "  ")); ok && !strings.HasPrefix(line, "    ") {
				keys = append(keys, key)
			}
		}
		for _, g := range Groups(n) {
			for _, k := range g.Keys {
				if k.Quiet {
					keys = append(keys, "#"+k.Leaf())
				}
			}
		}
		same(t, strings.Join(keys, " "), want)
	}
}

// TestTemplateSpeaksOfEveryException: the comments name the values of the keys that are no plain switch.
func TestTemplateSpeaksOfEveryException(t *testing.T) {
	t.Parallel()
	text := Template(Newest)
	opening, _, _ := strings.Cut(text, "\n\n")
	for _, want := range []string{"`build.extensions` is no switch but a map\n# of agent entries", "`build.baseline-tests`"} {
		if !strings.Contains(opening, want) {
			t.Errorf("the opening paragraph does not say %q", want)
		}
	}
	above := func(key string) string { return text[:strings.Index(text, "\n  "+key+":")] }
	inOrder(t, above("baseline-tests"), "`off`", "`fast`", "`full`")
	inOrder(t, above("extensions"), ".claude/agents/", "parallel: true")
}

func inOrder(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		_, rest, ok := strings.Cut(text, w)
		if !ok {
			t.Errorf("no %q in its place", w)
		}
		text = rest
	}
}

func TestBlockKeysAreInTheTable(t *testing.T) {
	t.Parallel()
	for _, name := range blockKeys() {
		if k, ok := Lookup(name); name != "build.extensions-missing" && (!ok || k.Guard) {
			t.Errorf("%s: no key of the block", name)
		}
	}
	if n := strings.Count(Parse("", "").Block(), "\n"); n != 20 {
		t.Errorf("the block has %d lines", n)
	}
}
