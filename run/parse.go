package run

import (
	"fmt"
	"strings"
)

// ParsePlan reads the text of a plan. It never fails: what the grammar refuses is among the findings of Validate. path is
// only carried along, for messages.
func ParsePlan(path, text string) *Plan {
	p := &Plan{Path: path, lines: splitLines(text)}
	p.Front = readFront(p.lines)
	r := reader{plan: p, first: map[string]int{}}
	for i, line := range p.lines {
		r.line(i+1, line)
	}
	r.endTask(len(p.lines) + 1)
	r.endContract(len(p.lines) + 1)
	p.readHead()
	return p
}

// reader is the state of the one pass over a plan's lines.
type reader struct {
	plan     *Plan
	task     *Task          // the open block
	contract *Contract      // the open contract block
	appendix bool           // below a heading with the word Contracts
	criteria bool           // below a heading with the words Acceptance criteria
	fence    fence          // of the appendix
	first    map[string]int // line of each contract id
}

func (r *reader) line(n int, line string) {
	if r.task == nil && r.appendix && r.fence.step(line) {
		r.shape(n, line)
		return
	}
	switch taskMarker(line) {
	case taskOpen:
		r.endTask(n)
		r.endContract(n)
		r.task = &Task{Open: n, From: n + 1}
		return
	case taskClose:
		r.endTask(n)
		return
	}
	if line == "" {
		return
	}
	switch line[0] {
	case '#':
		r.heading(n, line)
	case '-':
		if r.task != nil {
			r.field(n, line)
			return
		}
		r.shape(n, line)
	default:
		r.prose(n, line)
	}
}

func (r *reader) heading(n int, line string) {
	if title, ok := heading(line, 1); ok && title != "" && r.plan.Title == "" {
		r.plan.Title = title
	}
	if isTasksHeading(line) && r.plan.TasksLine == 0 {
		r.plan.TasksLine = n
		r.criteria = false
	}
	if text, ok := heading(line, 3); ok && r.task != nil {
		r.taskHeading(n, text)
		return
	} else if ok && r.appendix {
		r.contractHeading(n, text)
		return
	}
	if _, ok := heading(line, 2); ok && r.task == nil {
		r.endContract(n)
		r.appendix = strings.Contains(line, "Contracts")
		r.criteria = strings.Contains(line, "Acceptance criteria")
		return
	}
	r.shape(n, line)
}

// prose is a line outside a block that is no heading, field or marker.
func (r *reader) prose(n int, line string) {
	if d := leadingDigits(line); d > 0 && r.criteria && r.task == nil && len(line) > d && line[d] == '.' {
		r.plan.Criteria = append(r.plan.Criteria, Criterion{Number: line[:d], Text: line, Line: n})
	}
	r.shape(n, line)
}

func (r *reader) taskHeading(n int, text string) {
	h := readHeading(n, text)
	r.task.Headings = append(r.task.Headings, h)
	if !h.Dash {
		r.refuse(n, "task-heading", "", fmt.Sprintf("task heading %q has no \" - \"", text), "write ### <id> - <title>")
		return
	}
	r.task.ID, r.task.Title = h.ID, h.Title
}

func (r *reader) contractHeading(n int, text string) {
	r.endContract(n)
	h := readHeading(n, text)
	if !h.Dash {
		r.refuse(n, "contract-heading", "", fmt.Sprintf("contract heading %q has no \" - \"", text), "write ### <id> - <name>")
		return
	}
	c := &Contract{ID: h.ID, Name: h.Title, Line: n}
	r.contract = c
	switch {
	case !isToken(h.ID):
		r.refuse(n, "contract-id", h.ID, fmt.Sprintf("contract id %q", h.ID), "use letters, digits, _ and - only")
	case r.first[h.ID] > 0:
		r.refuse(n, "contract-duplicate", h.ID,
			fmt.Sprintf("duplicate contract id %s, first used in line %d", h.ID, r.first[h.ID]), "give each contract an id of its own")
	default:
		r.first[h.ID] = n
		r.plan.Contracts = append(r.plan.Contracts, c)
	}
}

func readHeading(n int, text string) Heading {
	id, title, dash := strings.Cut(text, " - ")
	return Heading{ID: trim(id), Title: trim(title), Text: text, Dash: dash, Line: n}
}

// shape is a line of a contract block; the first one with text may be its File line.
func (r *reader) shape(n int, line string) {
	c := r.contract
	if c == nil || r.task != nil || c.To != 0 {
		return
	}
	t := trim(line)
	if t == "" {
		return
	}
	c.To = -1 // a line with text was seen
	if rest, ok := strings.CutPrefix(t, "-"); ok {
		t = trimLeft(rest)
	}
	value, ok := strings.CutPrefix(t, "File:")
	if !ok {
		return
	}
	c.File = Field{Value: trim(value), Pos: Pos{Line: n, Col: strings.Index(line, "File:") + 1}}
	if c.File.Value != "none" && c.File.Value != "-" {
		c.Paths = pathEntries(value, len(trimRight(line))-len(value), c.File)
	}
}

func (r *reader) endContract(n int) {
	if r.contract != nil {
		r.contract.To = n
		r.contract = nil
	}
	r.fence = fence{}
}

func (r *reader) endTask(n int) {
	if r.task == nil {
		return
	}
	r.task.To = n
	r.plan.Tasks = append(r.plan.Tasks, r.task)
	r.task = nil
}

func (r *reader) refuse(n int, rule, subject, problem, remedy string) {
	r.plan.reading = append(r.plan.reading, Finding{
		File: r.plan.Path, Pos: Pos{Line: n}, Rule: rule, Subject: subject, Problem: problem, Remedy: remedy})
}

// field reads "- Name: value" at column 0; any other line of a block is free text.
func (r *reader) field(n int, line string) {
	name, value, ok := strings.Cut(trimLeft(line[1:]), ":")
	if !ok {
		return
	}
	f := Field{Value: trim(value), Pos: Pos{Line: n, Col: len(line) - len(trimLeft(value)) + 1}}
	t := r.task
	switch name {
	case "TDD":
		t.TDD = f
	case "Exclusive":
		t.Exclusive = f
	case "Hard":
		t.Hard = f
	case "Repro":
		t.Repro = f
	case "Covers":
		t.Covers, t.CoversIDs = f, criterionNumbers(f)
	case "Uses":
		t.Uses, t.UsesIDs = f, idEntries(f)
	case "Depends-on":
		t.DependsOn, t.Deps = f, idEntries(f)
	case "Files":
		t.Files, t.Paths = f, pathEntries(value, len(line)-len(value), f)
	case "Delivers":
		t.Delivers = f
	case "Verification":
		t.Verification = f
	case "DoD":
		t.DoD = f
	}
}

func criterionNumbers(f Field) []Entry {
	var out []Entry
	for _, e := range tokens(f) {
		number := strings.TrimPrefix(e.Text, "#")
		if n := leadingDigits(number); n > 0 && n == len(number) {
			out = append(out, Entry{Text: number, Pos: e.Pos})
		}
	}
	return out
}

func idEntries(f Field) []Entry {
	if f.Value == "none" || f.Value == "-" {
		return nil
	}
	return tokens(f)
}

// tokens cuts a field's value at blanks and commas and keeps each one's place.
func tokens(f Field) []Entry {
	var out []Entry
	at := 0
	for _, w := range listed(f.Value) {
		at += strings.Index(f.Value[at:], w)
		out = append(out, Entry{Text: w, Pos: Pos{Line: f.Line, Col: f.Col + at}})
		at += len(w)
	}
	return out
}

// pathEntries cuts value, which starts at byte at of its line, at commas; an empty value has no entries.
func pathEntries(value string, at int, f Field) []Entry {
	if f.Value == "" {
		return nil
	}
	var out []Entry
	for _, part := range strings.Split(value, ",") {
		lead := len(part) - len(trimLeft(part))
		out = append(out, Entry{Text: dropDot(trim(part)), Pos: Pos{Line: f.Line, Col: at + lead + 1}})
		at += len(part) + 1
	}
	return out
}

func dropDot(path string) string { return strings.TrimPrefix(path, "./") }

func beforeArrow(text string) string {
	command, _, _ := strings.Cut(text, " -> ")
	return trim(command)
}

func clauses(text string) []string {
	var out []string
	for _, c := range strings.Split(text, ";") {
		if c = trim(c); c != "" {
			out = append(out, c)
		}
	}
	return out
}
