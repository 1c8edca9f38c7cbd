package run

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// Parts is a plan decomposed (spec plan 6.4): the text of every file --split writes.
type Parts struct {
	Spec    string
	Roadmap string // "" without a Roadmap section
	Tasks   []TaskFile
	Status  string // for a run that has none
}

// TaskFile is one task file.
type TaskFile struct{ Name, Text string }

// Split decomposes the plan. prototype is the path of the run's prototype.html, "" when there is none.
func (p *Plan) Split(prototype string) Parts {
	parts := Parts{Status: NewStatus(len(p.Tasks))}
	from, to := p.roadmapRange()
	start, end := p.Front.End+1, p.headEnd()
	head := p.Text(start, end)
	if from > 0 {
		head = slices.Concat(p.Text(start, from), p.Text(max(to, start), end))
		parts.Roadmap = joinLines(strip(p.Text(from, to), keepNone))
	}
	var front []string
	if p.Front.IssueText != "" {
		front = []string{"---", "issue: " + p.Front.IssueText, "---", ""}
	}
	parts.Spec = joinLines(append(front, strip(head, keepNone)...))
	s := splitter{plan: p, prototype: prototype}
	s.readShared()
	for _, t := range p.Tasks {
		parts.Tasks = append(parts.Tasks, TaskFile{Name: t.FirstHeading() + ".md", Text: joinLines(s.task(t))})
	}
	return parts
}

// splitter carries what every task file repeats.
type splitter struct {
	plan                              *Plan
	goal, fixed, outside, constraints []string
	criteria                          map[string][]string
	contracts                         map[string]*Contract
	prototype                         string
}

func (s *splitter) readShared() {
	s.goal = s.body(2, "Goal")
	s.fixed = s.body(3, "Must not change")
	s.outside = s.body(3, "Out of scope")
	s.constraints = s.body(2, "Constraints")
	s.criteria = make(map[string][]string, len(s.plan.Criteria))
	for i, c := range s.plan.Criteria {
		end := len(s.plan.lines) + 1
		if i+1 < len(s.plan.Criteria) {
			end = s.plan.Criteria[i+1].Line
		}
		s.criteria[c.Number] = append(s.criteria[c.Number], s.criterion(c.Line, end)...)
	}
	s.contracts = make(map[string]*Contract, len(s.plan.Contracts))
	for _, c := range s.plan.Contracts {
		s.contracts[c.ID] = c
	}
}

func (s *splitter) body(level int, name string) []string {
	from, to := s.plan.section(level, name)
	return withoutBlankEnds(s.plan.Text(from, to))
}

// criterion returns the lines of one criterion: up to a blank line, another number, or a heading of two "#"s.
func (s *splitter) criterion(line, end int) []string {
	n := line + 1
	for ; n < end; n++ {
		text := s.plan.lines[n-1]
		_, section := heading(text, 2)
		if trim(text) == "" || section || isTasksHeading(text) || taskMarker(text) != noMarker {
			break
		}
	}
	return s.plan.Text(line, n)
}

// task builds the text of one task file.
func (s *splitter) task(t *Task) []string {
	out := s.block(t)
	add := func(title string, body []string) {
		if len(body) > 0 {
			out = append(append(out, "", "## "+title), body...)
		}
	}
	add("Goal", s.goal)
	var covered []string
	for _, id := range once(t.CoversIDs) {
		covered = append(covered, s.criteria[id]...)
	}
	add("Covered criteria", covered)
	var contracts []string
	for _, id := range once(t.UsesIDs) {
		if c := s.contracts[id]; c != nil {
			contracts = append(append(contracts, ""), withoutBlankEnds(s.plan.Text(c.Line, c.To))...)
		}
	}
	add("Contracts", contracts)
	add("Must not change", s.fixed)
	add("Out of scope", s.outside)
	add("Constraints", s.constraints)
	add("Review focus", s.focus(t.ID))
	if s.prototype != "" {
		add("Prototype", []string{s.prototype})
	}
	return out
}

// block is the task's own lines, its DoD cut into numbered clauses.
func (s *splitter) block(t *Task) []string {
	var out []string
	k := 0
	for _, line := range s.plan.Text(t.From, t.To) {
		value, isDoD := dodValue(line)
		cut := clauses(value)
		if !isDoD || len(cut) == 0 {
			out = append(out, line)
			continue
		}
		for _, c := range cut {
			k++
			out = append(out, "- DoD."+strconv.Itoa(k)+": "+c)
		}
	}
	return out
}

func dodValue(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "-")
	if !ok {
		return "", false
	}
	return strings.CutPrefix(trimLeft(rest), "DoD:")
}

func (s *splitter) focus(id string) []string {
	var out []string
	for _, f := range s.plan.Focus {
		if f.Task == id {
			out = append(out, "- "+f.Input)
		}
	}
	return out
}

func once(entries []Entry) []string {
	var out []string
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		if !seen[e.Text] {
			seen[e.Text] = true
			out = append(out, e.Text)
		}
	}
	return out
}

func withoutBlankEnds(lines []string) []string {
	for len(lines) > 0 && trim(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && trim(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// runFile is the path of a file in the run's directory.
func (r *Run) runFile(name string) string { return path.Join(r.Dir, name) }
