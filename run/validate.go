package run

import (
	"fmt"
	"slices"
	"strings"
)

// Check says how Validate looks at a plan.
type Check struct {
	// Frozen leaves out what a landed plan is not held to any more: the checks of style that only a planner can still follow.
	Frozen bool
	// InTree reports whether the work tree holds a readable file at a repo-relative path.
	InTree func(path string) bool
}

// maxTasks bounds a plan; the ancestor sets of the graph checks grow with its square.
const maxTasks = 4096

// maxFindings bounds the report of a hopeless plan.
const maxFindings = 1000

// Validate returns every defect of the plan, in the order of the contract's checks (spec plan 6.1). Later stages run only
// when the stages they build on found nothing. A draft gives one finding of rule "draft", a plan without "## Tasks" one of
// rule "no-tasks-heading", and neither is looked at further.
func (p *Plan) Validate(c Check) []Finding {
	if p.Draft() {
		return []Finding{{File: p.Path, Rule: "draft", Problem: "no <!-- TASK --> block",
			Remedy: "this is a draft; finish it with /viber:intent"}}
	}
	if p.TasksLine == 0 {
		return []Finding{{File: p.Path, Rule: "no-tasks-heading", Problem: "no ## Tasks heading",
			Remedy: "put a line ## Tasks above the first task block"}}
	}
	if len(p.Tasks) > maxTasks {
		return []Finding{{File: p.Path, Rule: "too-many-tasks", Problem: fmt.Sprintf("%d tasks, more than %d", len(p.Tasks), maxTasks),
			Remedy: "cut the plan into parts with a ## Roadmap"}}
	}
	v := newValidator(p, c)
	v.ids()
	v.fields()
	if len(v.found) == 0 {
		v.graph = newGraph(p, v.position)
		v.redundant()
		v.collisions()
	}
	v.coverage()
	if len(v.found) == 0 && v.anyFile() {
		if v.graph == nil {
			v.graph = newGraph(p, v.position)
		}
		v.contractFiles()
	}
	if len(v.found) > maxFindings {
		rest := len(v.found) - maxFindings
		v.found = append(v.found[:maxFindings], Finding{File: p.Path, Rule: "more", Problem: fmt.Sprintf("%d more findings", rest)})
	}
	return v.found
}

type validator struct {
	Check
	plan      *Plan
	found     []Finding
	position  map[string]int // of each task id, in the plan
	contracts map[string]*Contract
	criteria  map[string]bool
	graph     *graph
}

func newValidator(p *Plan, c Check) *validator {
	v := &validator{Check: c, plan: p, position: make(map[string]int, len(p.Tasks)),
		contracts: make(map[string]*Contract, len(p.Contracts)), criteria: make(map[string]bool, len(p.Criteria))}
	for _, f := range p.reading {
		if f.Rule != "focus-form" || !c.Frozen {
			v.found = append(v.found, f)
		}
	}
	for i, t := range p.Tasks {
		if _, twice := v.position[t.ID]; !twice && t.ID != "" {
			v.position[t.ID] = i
		}
	}
	for _, c := range p.Contracts {
		v.contracts[c.ID] = c
	}
	for _, c := range p.Criteria {
		v.criteria[c.Number] = true
	}
	return v
}

// label names a task in messages: its id, or its ordinal when it has none.
func (v *validator) label(i int) string {
	if id := v.plan.Tasks[i].ID; id != "" {
		return id
	}
	return fmt.Sprintf("task #%d", i+1)
}

func (v *validator) add(at Pos, rule, subject, remedy, format string, args ...any) {
	v.found = append(v.found, Finding{File: v.plan.Path, Pos: at, Rule: rule, Subject: subject,
		Problem: fmt.Sprintf(format, args...), Remedy: remedy})
}

// task adds a finding about task i, at the field's place or at the block's when the field is not there.
func (v *validator) task(i int, at Pos, rule, remedy, format string, args ...any) {
	t := v.plan.Tasks[i]
	if at.Line == 0 {
		at = Pos{Line: t.Open}
		if n := len(t.Headings); n > 0 {
			at.Line = t.Headings[n-1].Line
		}
	}
	v.add(at, rule, t.ID, remedy, "%s: %s", v.label(i), fmt.Sprintf(format, args...))
}

// ids checks what names the blocks and where they stand.
func (v *validator) ids() {
	files := make(map[string]int, len(v.plan.Tasks))
	for i, t := range v.plan.Tasks {
		switch {
		case t.ID == "":
			v.task(i, Pos{}, "task-id", "start the block with ### <id> - <title>", "the block has no id")
			continue
		case !isToken(t.ID):
			v.task(i, Pos{}, "task-id", "use letters, digits, _ and - only", "the id %q is not usable", t.ID)
			continue
		case v.position[t.ID] != i:
			v.task(i, Pos{}, "task-duplicate", "give each task an id of its own", "duplicate id, first used in line %d",
				v.plan.Tasks[v.position[t.ID]].Open)
			continue
		}
		v.fileName(i, files)
	}
	for i, t := range v.plan.Tasks {
		if t.Open < v.plan.TasksLine {
			v.task(i, Pos{}, "task-above", "move it below that heading", "the block stands above ## Tasks (line %d)", v.plan.TasksLine)
		}
	}
}

// fileName checks that the first heading can name the task file, and that no other block's takes the same name on a file
// system that ignores case.
func (v *validator) fileName(i int, files map[string]int) {
	name := v.plan.Tasks[i].FirstHeading()
	if !isToken(name) {
		v.task(i, Pos{}, "task-id", "use letters, digits, _ and - only", "the first heading's id %q is not usable", name)
		return
	}
	key := strings.ToLower(name)
	if other, taken := files[key]; taken {
		v.task(i, Pos{}, "task-duplicate", "give each task an id of its own", "duplicate task file name: %s.md is %s's too", name, v.label(other))
		return
	}
	files[key] = i
}

func (v *validator) fields() {
	dod := v.dodScanner()
	for i, t := range v.plan.Tasks {
		v.switches(i, t)
		v.required(i, t)
		if !v.Frozen {
			dod(i, t)
		}
		v.paths(i, t)
		v.repro(i, t)
		v.covers(i, t)
		v.uses(i, t)
		v.dependsOn(i, t)
	}
	if !v.Frozen {
		v.focus()
	}
}

func (v *validator) switches(i int, t *Task) {
	if t.TDD.Value != "required" && t.TDD.Value != "none" {
		v.task(i, t.TDD.Pos, "tdd", "write - TDD: required or - TDD: none", "TDD is %q", t.TDD.Value)
	}
	for _, s := range []struct {
		name string
		f    Field
	}{{"Exclusive", t.Exclusive}, {"Hard", t.Hard}} {
		if s.f.Value != "" && s.f.Value != "true" {
			v.task(i, s.f.Pos, strings.ToLower(s.name), fmt.Sprintf("write - %s: true, or leave the line out", s.name), "%s is %q", s.name, s.f.Value)
		}
	}
}

func (v *validator) required(i int, t *Task) {
	for _, r := range []struct {
		name, example string
		f             Field
	}{
		{"Files", "lib/a.go, lib/a_test.go", t.Files},
		{"Delivers", "what the task leaves behind", t.Delivers},
		{"Verification", "<command> -> <expected result>", t.Verification},
		{"DoD", "<clause>; <clause>", t.DoD},
	} {
		if r.f.Value == "" {
			v.task(i, r.f.Pos, "missing", fmt.Sprintf("write - %s: %s", r.name, r.example), "%s is missing or empty", r.name)
		}
	}
}

func (v *validator) paths(i int, t *Task) {
	for _, e := range t.Paths {
		if kind, remedy := badPath(e.Text); kind != "" {
			v.task(i, e.Pos, "files", remedy, "Files entry %q %s", e.Text, kind)
		}
	}
}

func (v *validator) repro(i int, t *Task) {
	path := t.ReproPath()
	if path == "" {
		return
	}
	if !t.Has(path) {
		v.task(i, t.Repro.Pos, "repro", "name one path of this task's Files", "Repro %q is not among its Files", path)
	}
	if t.TDD.Value != "none" {
		v.task(i, t.Repro.Pos, "repro", "a reproduction is the test; set - TDD: none", "Repro needs TDD: none")
	}
}

func (v *validator) covers(i int, t *Task) {
	if len(t.CoversIDs) == 0 {
		v.task(i, t.Covers.Pos, "covers", "write - Covers: #1, #2", "Covers names no criterion")
	}
	for _, e := range t.CoversIDs {
		if !v.criteria[e.Text] {
			v.task(i, e.Pos, "covers", "name a number of ## Acceptance criteria", "Covers #%s, which is no acceptance criterion", e.Text)
		}
	}
}

func (v *validator) uses(i int, t *Task) {
	if t.Uses.Value == "" {
		v.task(i, t.Uses.Pos, "uses", "write - Uses: <contract ids> or - Uses: none", "Uses is missing or empty")
	}
	for _, e := range t.UsesIDs {
		if v.contracts[e.Text] == nil {
			v.task(i, e.Pos, "uses", "name a block of ## Contracts, or none", "Uses %s, which is no contract", e.Text)
		}
	}
}

func (v *validator) dependsOn(i int, t *Task) {
	for _, e := range t.Deps {
		at, known := v.position[e.Text]
		switch {
		case !known:
			v.task(i, e.Pos, "depends-on", "name a task of this plan, or leave the line out", "Depends-on %s, which is no task", e.Text)
		case at >= i:
			v.task(i, e.Pos, "depends-on", "move the block up or drop the dependency", "Depends-on %s, which does not stand earlier in the file", e.Text)
		case v.plan.Tasks[at].IsExclusive() && !v.Frozen:
			v.task(i, e.Pos, "depends-on", "drop it: an Exclusive task runs alone anyway", "Depends-on %s, which is Exclusive", e.Text)
		}
	}
}

// focus checks that each line of the review focus names a task.
func (v *validator) focus() {
	for _, f := range v.plan.Focus {
		if _, known := v.position[f.Task]; !known {
			v.add(Pos{Line: f.Line}, "focus", f.Task, "name the task that tests this input", "Review focus: %s is no task", f.Task)
		}
	}
}

// dodScanner returns the check for a DoD that names another task; text between backticks is data. The first such task in
// plan order is named.
func (v *validator) dodScanner() func(int, *Task) {
	return func(i int, t *Task) {
		first := -1
		for _, word := range tokenRuns(withoutSpans(t.DoD.Value)) {
			if at, known := v.position[word]; known && at != i && word != t.ID && (first < 0 || at < first) {
				first = at
			}
		}
		if first >= 0 {
			other := v.plan.Tasks[first].ID
			v.task(i, t.DoD.Pos, "dod", "say what must hold, not which task does it; put the word in backticks when it is data",
				"DoD names the task %s", other)
		}
	}
}

// withoutSpans removes `backticked` text; a lone backtick stays.
func withoutSpans(s string) string {
	var b strings.Builder
	for {
		open := strings.IndexByte(s, '`')
		if open < 0 {
			break
		}
		length := strings.IndexByte(s[open+1:], '`')
		if length < 0 {
			break
		}
		b.WriteString(s[:open])
		s = s[open+length+2:]
	}
	b.WriteString(s)
	return b.String()
}

func tokenRuns(s string) []string {
	return cutAt(s, func(b byte) bool { return !isTokenByte(b) })
}

// coverage checks what no task takes up: criteria, contracts, and contracts without a File line.
func (v *validator) coverage() {
	covered, used := make(map[string]bool), make(map[string]bool)
	for _, t := range v.plan.Tasks {
		for _, e := range t.CoversIDs {
			covered[e.Text] = true
		}
		for _, e := range t.UsesIDs {
			used[e.Text] = true
		}
	}
	for _, c := range v.plan.Criteria {
		if !covered[c.Number] {
			v.add(Pos{Line: c.Line}, "criterion", "", "name it in a task's Covers", "criterion #%s is covered by no task", c.Number)
			covered[c.Number] = true
		}
	}
	needFile := !v.Frozen || v.anyFile()
	for _, c := range v.plan.Contracts {
		if !used[c.ID] {
			v.add(Pos{Line: c.Line}, "contract-unused", c.ID, "name it in a task's Uses, or delete the block", "contract %s is used by no task", c.ID)
		}
	}
	for _, c := range v.plan.Contracts {
		if c.File.Value == "" && needFile {
			v.add(Pos{Line: c.Line}, "contract-file", c.ID, "start the block with File: <path>, or File: none", "contract %s has no File line with a value", c.ID)
		}
	}
}

// anyFile reports whether some contract says where it is declared.
func (v *validator) anyFile() bool {
	return slices.ContainsFunc(v.plan.Contracts, func(c *Contract) bool { return c.File.Value != "" })
}
