package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The examples in docs/gates are judged: the first of a page holds, the second gets the errors printed below it.
func TestExamplesOfTheDocs(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"planning", "scope", "reviewer", "triage", "consensus", "rebuttal", "learnings", "tdd"} {
		text, err := os.ReadFile(filepath.Join("..", "docs", "gates", name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "```")
		if len(parts) < 5 {
			t.Fatalf("%s.md: a good and a bad example are missing", name)
		}
		judge := func(json string) Result {
			c := exampleCase{name: name, gate: name, dir: t.TempDir(), args: []string{"--diff-files", "none"}}
			for file, data := range map[string]string{"in.json": json, "none": ""} {
				if err := os.WriteFile(filepath.Join(c.dir, file), []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			return c.play(t, tweak{})
		}
		if res := judge(strings.TrimPrefix(parts[1], "json\n")); res.Exit != Valid {
			t.Errorf("%s.md: the good example: %s", name, res.Text())
		}
		bad := judge(strings.TrimPrefix(parts[3], "json\n")).Text()
		for line := range strings.Lines(parts[4]) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "error ") && !strings.Contains(bad, line+"\n") {
				t.Errorf("%s.md says\n%s\nthe gate says\n%s", name, line, bad)
			}
		}
	}
}

func FuzzGates(f *testing.F) {
	for _, c := range loadExamples(f) {
		if data, err := os.ReadFile(filepath.Join(c.dir, "in.json")); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, name := range SchemaNames() {
			s, err := shapeOf(name, tweak{})
			if err != nil {
				t.Fatal(err)
			}
			r := &report{}
			var tr triageWith
			if name == "triage" && load(data, s, &tr.Triage, r) {
				tr.prepare()
				apply(triageRules(), tr, r, "")
			} else if name == "planning" {
				var p plannedWith
				if load(data, s, &p.Planning, r) {
					apply(planningRules(), p, r, "")
				}
			} else if name == "reviewer" {
				var v reviewWith
				if load(data, s, &v.Review, r) {
					apply(reviewerRules(), v, r, "")
					Annotate(v.Findings, nil, Look{})
				}
			} else {
				load(data, s, new(any), r)
			}
			if text, err := r.result(name, "f").JSON(); err != nil || len([]rune(string(text))) > outputLimit+1 {
				t.Fatalf("%d characters, %v", len(text), err)
			}
		}
	})
}

// A file of 50 MB is refused before it is read.
func TestHugeFileIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "huge.json")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 50<<20); err != nil {
		t.Fatal(err)
	}
	res := CheckReviewer(ReviewerOptions{File: file})
	if res.Exit != Unreadable || !strings.Contains(res.Text(), "limit") {
		t.Errorf("got %d %s", res.Exit, res.Text())
	}
}
