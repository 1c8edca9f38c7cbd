package run

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func anywhere(string) bool { return true }

// readAll takes a text through everything that reads plans.
func readAll(text string) *Plan {
	p := ParsePlan("p.md", text)
	for _, frozen := range []bool{false, true} {
		for _, f := range p.Validate(Check{Frozen: frozen, InTree: anywhere}) {
			_ = f.String()
		}
	}
	r := Run{Plan: p, Status: ParseStatus(text), Rulings: ParseRulings(text)}
	_ = r.Index([]string{"a", "b"}, "docs")
	_ = withSource(stripPlan(text), "/x")
	_ = Slug(splitLines(text), "x.md")
	return p
}

func FuzzParsePlan(f *testing.F) {
	f.Add(samplePlan)
	f.Add("---\nissue: x/issues/7\n")
	f.Add("## Contracts\n### C1 - x\nFile: a,,\n```\n### C2 - y\n<!-- TASK -->\n")
	f.Add("<!-- TASK -->\n### - \n- Files: ./\n- DoD: `a;b\n<!--/TASK-->\n## Tasks\n")
	f.Add("## Tasks\n<!-- TASK -->\r\n### T1 - a\r\n- Files: [a]/[[...b]], \u00e9\r\n- Depends-on: T1, T2\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		p := readAll(text)
		if ids, draft := scanIDs(text); !slices.Equal(ids, p.IDs()) || draft != p.Draft() {
			t.Errorf("scanned %q %v, read %q %v", ids, draft, p.IDs(), p.Draft())
		}
		if once, twice := stripPlan(text), stripPlan(joinLines(stripPlan(text))); !slices.Equal(once, twice) {
			t.Errorf("landing what was landed changes it:\n%q\n%q", once, twice)
		}
		if len(p.Validate(Check{InTree: anywhere})) == 0 {
			keepsEveryByte(t, p)
		}
	})
}

// keepsEveryByte is the round trip of --split: a task file starts with the block's own lines, its DoD cut into clauses, and
// carries everything the task refers to.
func keepsEveryByte(t *testing.T, p *Plan) {
	t.Helper()
	parts := p.Split("")
	for i, task := range p.Tasks {
		lines := splitLines(parts.Tasks[i].Text)
		var dod []string
		for _, want := range p.Text(task.From, task.To) {
			value, isDoD := dodValue(want)
			if !isDoD || len(clauses(value)) == 0 {
				if len(lines) == 0 || lines[0] != want {
					t.Fatalf("%s: lost the line %q before %q", task.ID, want, lines)
				}
				lines = lines[1:]
				continue
			}
			for range clauses(value) {
				_, clause, _ := strings.Cut(lines[0], ": ")
				dod, lines = append(dod, clause), lines[1:]
			}
			if !slices.Equal(dod[len(dod)-len(clauses(value)):], clauses(value)) {
				t.Fatalf("%s: DoD %q became %q", task.ID, value, dod)
			}
		}
		rest := "\n" + joinLines(lines)
		for _, id := range task.UsesIDs {
			c := p.Contract(id.Text)
			if shape := strings.Join(withoutBlankEnds(p.Text(c.Line, c.To)), "\n"); !strings.Contains(rest, "\n"+shape+"\n") {
				t.Fatalf("%s: contract %s is not whole", task.ID, id.Text)
			}
		}
		for _, id := range task.CoversIDs {
			at := slices.IndexFunc(p.Criteria, func(c Criterion) bool { return c.Number == id.Text })
			if !strings.Contains(rest, "\n"+p.Criteria[at].Text+"\n") {
				t.Fatalf("%s: criterion %s is missing", task.ID, id.Text)
			}
		}
	}
}

func TestSplitKeepsEveryByteOfATask(t *testing.T) {
	for _, text := range []string{
		samplePlan,
		strings.ReplaceAll(samplePlan, "\n", "\r\n"),
		strings.Replace(samplePlan, "- Delivers: rows", "- Delivers: rows\n\n```go\n- DoD: a; b\n\n\n## x\n```\n  odd \t", 1),
	} {
		p := ParsePlan("p.md", text)
		if found := p.Validate(Check{InTree: anywhere}); len(found) > 0 {
			t.Fatalf("the sample is not valid: %v", found)
		}
		keepsEveryByte(t, p)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("done: T1 T2\r\nskipped: -\ndecision: T1: x\ndeferred: T1:a :b T2:\n")
	f.Fuzz(func(t *testing.T, text string) {
		s := ParseStatus(text)
		s.States()
		s.Deferrals()
		if done, skipped := s.Progress(s.Done.IDs()); done+skipped > len(s.Done.IDs()) {
			t.Errorf("%d + %d of %d", done, skipped, len(s.Done.IDs()))
		}
		ParseExtras(text)
	})
}

// Hostile plans of 512 KB are read in linear time: what is quadratic takes minutes here, not seconds.
func TestHostilePlansAreReadInLinearTime(t *testing.T) {
	const size = 512 << 10
	block := "<!-- TASK -->\n### T%d - t\n- TDD: none\n- Covers: #1\n- Uses: C1\n- Files: f\n- Delivers: x\n- Verification: x\n- DoD: T1 T2\n<!-- /TASK -->\n"
	head := "# t\n## Acceptance criteria\n1. a\n## Tasks\n"
	for name, text := range map[string]string{
		"tasks":          head + numbered(block, 2000),
		"one id":         head + strings.Repeat(fmt.Sprintf(block, 1), size/len(block)),
		"open comments":  strings.Repeat("<!--\n", size/5),
		"contracts":      "## Contracts\n" + numbered("### C%d - x\nFile: f\n", size/24),
		"one contract":   "## Contracts\n" + strings.Repeat("### C1 - x\n", size/11),
		"dependencies":   head + fmt.Sprintf(strings.Replace(block, "- Files", "- Depends-on: "+strings.Repeat("T0,", size/3)+"\n- Files", 1), 1),
		"files":          head + fmt.Sprintf(strings.Replace(block, "Files: f", "Files: "+strings.Repeat("f,", size/2), 1), 1),
		"backticks":      head + fmt.Sprintf(strings.Replace(block, "T1 T2", strings.Repeat("`a", size/2), 1), 1),
		"issues":         "---\nissue: " + strings.Repeat("/issues/", size/8) + "\n---\n",
		"criteria":       "## Acceptance criteria\n" + strings.Repeat("1. a\n", size/5) + "## Tasks\n" + fmt.Sprintf(block, 1),
		"headings":       strings.Repeat("## Roadmap\n", size/11),
		"front":          "---\n" + strings.Repeat("source: x\n", size/10),
		"blank lines":    strings.Repeat("\n", size),
		"fences":         "## Contracts\n" + strings.Repeat("```\n", size/4),
		"review focus":   "## Review focus\n" + strings.Repeat("- a -> T1\n", size/10),
		"long line":      "# " + strings.Repeat("x ", size/2),
		"title brackets": head + fmt.Sprintf(strings.Replace(block, "Files: f", "Files: "+strings.Repeat("[a]/", size/4)+"x", 1), 1),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			readAll(text)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %s", took)
			}
		})
	}
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestWindowsPathsOfPlans(t *testing.T) {
	for given, want := range map[string]string{
		`C:\Users\a\plan.md`: "C:/Users/a/plan.md",
		"/c/Users/a/plan.md": "C:/Users/a/plan.md",
		`..\plans\p.md`:      "../plans/p.md",
		"/cc/x":              "/cc/x",
		"/c":                 "/c",
	} {
		if got := windowsPath(given); got != want {
			t.Errorf("%s reads as %s, want %s", given, got, want)
		}
	}
}
