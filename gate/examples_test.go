package gate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"
)

// exampleCase is one file of testdata/examples: what is judged, and what the gate must say.
type exampleCase struct {
	name, gate string
	args       []string
	exit       int
	errors     []string // "pointer rule"
	says       []string // parts of the text
	dir        string
}

func loadExamples(t testing.TB) []exampleCase {
	t.Helper()
	files, err := filepath.Glob("testdata/examples/*.txtar")
	if err != nil || len(files) < 150 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	base := t.TempDir()
	var all []exampleCase
	for _, file := range files {
		all = append(all, loadExample(t, file, base))
	}
	return all
}

func loadExample(t testing.TB, file, base string) exampleCase {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := exampleCase{name: strings.TrimSuffix(filepath.Base(file), ".txtar")}
	c.dir = filepath.Join(base, c.name)
	for line := range strings.Lines(string(a.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "gate":
			c.gate = value
		case "args":
			c.args = strings.Fields(value)
		case "exit":
			_, err = fmt.Sscan(value, &c.exit)
		case "error":
			c.errors = append(c.errors, strings.Replace(value, "(root)", "", 1))
		case "says":
			c.says = append(c.says, value)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range a.Files {
		path := filepath.Join(c.dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		data := strings.ReplaceAll(string(f.Data), "~~", "")
		if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// arg is the value behind an option of the case, as a path in its directory; empty when it is not there.
func (c exampleCase) arg(name string) string {
	if i := slices.Index(c.args, name); i >= 0 {
		return filepath.Join(c.dir, c.args[i+1])
	}
	return ""
}

// play runs the case's gate with one part switched off.
func (c exampleCase) play(t testing.TB, off tweak) Result {
	t.Helper()
	in := func(name string) string { return filepath.Join(c.dir, name) }
	switch c.gate {
	case "planning":
		return CheckPlanning(PlanningOptions{File: in("in.json"), Spec: c.arg("--spec"), tweak: off})
	case "scope":
		list, err := os.Open(c.arg("--diff-files"))
		if err != nil {
			t.Fatal(err)
		}
		defer list.Close()
		diff, err := listed(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		return CheckScope(ScopeOptions{File: in("in.json"), Diff: diff, tweak: off})
	case "reviewer":
		return CheckReviewer(ReviewerOptions{File: in("in.json"), Criteria: c.arg("--criteria"), Repo: c.arg("--repo"), tweak: off})
	case "triage":
		return CheckTriage(TriageOptions{File: in("in.json"), Reviewers: c.arg("--reviewers-dir"), tweak: off})
	case "consensus":
		return CheckConsensus(ConsensusOptions{File: in("in.json"), Reviewers: c.arg("--reviewers-dir"), tweak: off})
	case "rebuttal":
		return CheckRebuttal(RebuttalOptions{File: in("in.json"), Findings: c.arg("--findings"), tweak: off})
	case "evidence":
		return CheckEvidence(c.evidence(off))
	case "intent":
		text, err := os.ReadFile(in("in.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return CheckIntent(IntentOptions{Text: string(text), tweak: off})
	case "learnings":
		return CheckLearnings(LearningsOptions{File: in("in.json"), tweak: off})
	case "tdd":
		o := TDDOptions{File: in("in.json"), tweak: off}
		if i := slices.Index(c.args, "--added"); i >= 0 {
			o.Added = []string{c.args[i+1]}
		}
		return CheckTDD(o)
	case "pr-body":
		return checkPR(PRSources{Body: in("in.md"), Scope: c.arg("--scope"), Triage: c.arg("--triage"), State: c.arg("--state"), Patch: c.arg("--patch")}, nil, off)
	}
	t.Fatalf("%s: unknown gate %q", c.name, c.gate)
	return Result{}
}

func (c exampleCase) evidence(off tweak) EvidenceOptions {
	o := EvidenceOptions{Log: filepath.Join(c.dir, "in.log"), Claim: "green", ChangedBy: "a.go", tweak: off}
	if i := slices.Index(c.args, "--claim"); i >= 0 {
		o.Claim = c.args[i+1]
	}
	switch {
	case slices.Contains(c.args, "--changed-after"):
		o.ChangedAt = time.Now().Add(time.Hour)
	case slices.Contains(c.args, "--changed-before"):
		o.ChangedAt = time.Now().Add(-time.Hour)
	}
	return o
}

func found(res Result) []string {
	var all []string
	for _, p := range res.Problems {
		all = append(all, p.Pointer+" "+p.Rule)
	}
	return all
}

func TestExamplesGetTheirExitCodeAndErrors(t *testing.T) {
	t.Parallel()
	for _, c := range loadExamples(t) {
		res := c.play(t, tweak{})
		if res.Exit != c.exit {
			t.Errorf("%s: exit %d, want %d\n%s", c.name, res.Exit, c.exit, res.Text())
			continue
		}
		for _, want := range c.errors {
			if !slices.Contains(found(res), want) {
				t.Errorf("%s: no error %q among %q", c.name, want, found(res))
			}
		}
		for _, part := range c.says {
			if !strings.Contains(res.Text(), part) {
				t.Errorf("%s: %q is not in\n%s", c.name, part, res.Text())
			}
		}
		checkAnswer(t, c.name, res)
	}
}

// checkAnswer holds for every answer: both forms are short, errors say what would be right, JSON is one object.
func checkAnswer(t *testing.T, name string, res Result) {
	t.Helper()
	text, err := res.JSON()
	if err != nil || utf8.RuneCount(text) > outputLimit+1 || utf8.RuneCountInString(res.Text()) > outputLimit {
		t.Errorf("%s: %d characters of JSON, %d of text (%v)", name, utf8.RuneCount(text), utf8.RuneCountInString(res.Text()), err)
	}
	var object map[string]any
	if err := json.Unmarshal(text, &object); err != nil || object["gate"] != res.Gate {
		t.Errorf("%s: %v in %s", name, err, text)
	}
	for _, p := range res.Problems {
		if p.Cause == "" || p.Want == "" || p.Rule == "" {
			t.Errorf("%s: half an error: %+v", name, p)
		}
	}
}

// TestEveryRuleIsNeeded removes one rule at a time: some example must then get another answer.
func TestEveryRuleIsNeeded(t *testing.T) {
	t.Parallel()
	cases := loadExamples(t)
	for gateName, rules := range ruleNames() {
		for _, name := range rules {
			if !anyDiffers(t, cases, gateName, name, tweak{without: name}) {
				t.Errorf("%s: without rule %q every example gets the same answer", gateName, name)
			}
		}
	}
}

// anyDiffers says that some example that a rule speaks about gets another answer with one part switched off.
func anyDiffers(t *testing.T, cases []exampleCase, gateName, rule string, off tweak) bool {
	return slices.ContainsFunc(cases, func(c exampleCase) bool {
		about := c.exit == Contradiction || slices.ContainsFunc(c.errors, func(e string) bool { return strings.HasSuffix(e, " "+rule) })
		return c.gate == gateName && about && different(c.play(t, tweak{}), c.play(t, off))
	})
}

func different(a, b Result) bool {
	return a.Exit != b.Exit || len(a.Problems) != len(b.Problems) || len(a.Corrections) != len(b.Corrections)
}

func ruleNames() map[string][]string {
	return map[string][]string{
		"planning": names(planningRules()), "scope": names(scopeRules()), "reviewer": names(reviewerRules()), "triage": names(triageRules()), "consensus": names(consensusRules()), "rebuttal": names(rebuttalRules()),
		"evidence": names(evidenceRules()), "intent": names(intentRules()), "learnings": names(learningsRules()), "tdd": names(tddRules()), "pr-body": names(prBodyRules()),
	}
}

func names[T any](rules []rule[T]) []string {
	var all []string
	for _, r := range rules {
		all = append(all, r.name)
	}
	return all
}

// TestEveryConstraintOfAShapeIsNeeded takes one constraint at a time out of a schema: some example must then pass it.
func TestEveryConstraintOfAShapeIsNeeded(t *testing.T) {
	t.Parallel()
	cases := loadExamples(t)
	for _, name := range []string{"planning", "scope", "reviewer", "triage", "rebuttal", "learnings", "tdd"} {
		whole, err := schemaOf(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range mutations(whole, "") {
			loose, _ := schemaOf(name)
			m.loosen(loose)
			if !anyDiffers(t, casesAt(cases, m.field), name, "shape", tweak{schema: newShapeCheck(loose)}) {
				t.Errorf("%s: without %s every example gets the same answer", name, m.what)
			}
		}
	}
}

// casesAt are the examples with an error at a field of this name: the only ones a constraint on it can change.
func casesAt(cases []exampleCase, field string) []exampleCase {
	return slices.DeleteFunc(slices.Clone(cases), func(c exampleCase) bool {
		return !slices.ContainsFunc(c.errors, func(e string) bool {
			pointer, _, _ := strings.Cut(e, " ")
			return pointer[strings.LastIndex(pointer, "/")+1:] == field
		})
	})
}

type mutation struct {
	what   string
	field  string // the field an example must be wrong in
	loosen func(*jsonschema.Schema)
}

// mutations lists the constraints of a schema that examples must prove: required fields, closed objects, words, types,
// patterns, smallest and largest values. Lengths of texts and lists are proven by a test of their own.
func mutations(s *jsonschema.Schema, where string) []mutation {
	var all []mutation
	add := func(what, field string, change func(*jsonschema.Schema)) {
		all = append(all, mutation{where + " " + what, field, func(root *jsonschema.Schema) { change(at2(root, where)) }})
	}
	for _, name := range s.Required {
		add("required "+name, name, func(s *jsonschema.Schema) {
			s.Required = slices.DeleteFunc(slices.Clone(s.Required), func(n string) bool { return n == name })
		})
	}
	if s.AdditionalProperties != nil {
		add("closed", "surprise", func(s *jsonschema.Schema) { s.AdditionalProperties = nil })
	}
	if len(s.Enum) > 0 {
		add("enum", where[strings.LastIndex(where, "/")+1:], func(s *jsonschema.Schema) { s.Enum = nil })
	}
	for name, p := range s.Properties {
		all = append(all, mutations(p, where+"/"+name)...)
	}
	if s.Items != nil {
		all = append(all, mutations(s.Items, where+"/[]")...)
	}
	return all
}

func at2(s *jsonschema.Schema, where string) *jsonschema.Schema {
	for part := range strings.SplitSeq(strings.TrimPrefix(where, "/"), "/") {
		switch part {
		case "":
		case "[]":
			s = s.Items
		default:
			s = s.Properties[part]
		}
	}
	return s
}

// TestWalkAgreesWithTheLibrary judges every example's JSON by both: what the library refuses the walk refuses too.
func TestWalkAgreesWithTheLibrary(t *testing.T) {
	t.Parallel()
	for _, c := range loadExamples(t) {
		data, err := os.ReadFile(filepath.Join(c.dir, "in.json"))
		if err != nil || !slices.Contains(SchemaNames(), c.gate) {
			continue
		}
		tree, err := parse([]byte(strings.TrimPrefix(string(data), "\ufeff")))
		if err != nil {
			continue
		}
		s, _ := schemaOf(c.gate)
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		r := &report{}
		newShapeCheck(s).value(s, tree, "", r)
		if err := resolved.Validate(plainNumbers(tree)); (err == nil) != (len(r.problems) == 0) {
			t.Errorf("%s: the library says %v, the walk %v", c.name, err, r.problems)
		}
	}
}
