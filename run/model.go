// Package run is the life of a run: reading plans and progress, landing a plan, the run branch, the index, the
// decomposition into task files, and the listings for people.
package run

// Pos is a place in a file; line and byte column count from 1. The zero Pos is nowhere.
type Pos struct {
	Line int `json:"line"`
	Col  int `json:"col,omitempty"`
}

// Field is the value of one "- Name: value" line, trimmed. A field the block does not have has Line 0.
type Field struct {
	Value string
	Pos
}

// Present reports whether the line is there, whatever its value.
func (f Field) Present() bool { return f.Line > 0 }

// Entry is one item of a list, with the place it was read from.
type Entry struct {
	Text string
	Pos
}

// Heading is a "### <id> - <title>" line. Dash is false when it has no " - ".
type Heading struct {
	ID, Title string
	Text      string // everything after the "###", trimmed
	Dash      bool
	Line      int
}

// Task is one task block of a plan.
type Task struct {
	ID, Title string    // of the last well-formed heading of the block
	Headings  []Heading // all of them; the first names the task file
	From, To  int       // lines between the markers: From is the first, To the one after the last
	Open      int       // line of the opening marker

	TDD, Exclusive, Hard, Repro, Covers, Uses, DependsOn, Files, Delivers, Verification, DoD Field
	CoversIDs                                                                                []Entry // criterion numbers, without "#"
	UsesIDs                                                                                  []Entry // contract ids; empty for none
	Deps                                                                                     []Entry // task ids; empty for none
	Paths                                                                                    []Entry // Files, one leading "./" dropped
}

// FirstHeading returns the id by which the block's task file is named and progress is counted: the first heading's,
// its whole text when it has no " - ", and "" for a block without a heading.
func (t *Task) FirstHeading() string {
	if len(t.Headings) == 0 {
		return ""
	}
	if h := t.Headings[0]; h.Dash {
		return h.ID
	}
	return t.Headings[0].Text
}

// IsExclusive reports whether the task must run alone.
func (t *Task) IsExclusive() bool { return t.Exclusive.Value == "true" }

// IsHard reports whether the task asks for the strongest tier.
func (t *Task) IsHard() bool { return t.Hard.Value == "true" }

// Command is the Verification text before the first " -> ", trimmed.
func (t *Task) Command() string { return beforeArrow(t.Verification.Value) }

// Clauses are the non-blank parts of DoD between ";"s, trimmed.
func (t *Task) Clauses() []string { return clauses(t.DoD.Value) }

// ReproPath is the path of Repro without a leading "./"; empty when there is none.
func (t *Task) ReproPath() string { return dropDot(t.Repro.Value) }

// Has reports whether the task's Files list path.
func (t *Task) Has(path string) bool {
	for _, e := range t.Paths {
		if e.Text == path {
			return true
		}
	}
	return false
}

// UsesContract reports whether the task's Uses names the contract id.
func (t *Task) UsesContract(id string) bool {
	for _, e := range t.UsesIDs {
		if e.Text == id {
			return true
		}
	}
	return false
}

// Contract is one block of the Contracts appendix.
type Contract struct {
	ID, Name string
	Line     int     // of the heading
	To       int     // line after the block's last
	File     Field   // the "File:" line, when it is the first line with text
	Paths    []Entry // declared places; empty for none
}

// Criterion is one numbered line of the acceptance criteria. Number is as written.
type Criterion struct {
	Number string
	Text   string // the line itself
	Line   int
}

// Part is one entry of the roadmap.
type Part struct {
	Name string // without "(this plan)" or "(built)"
	This bool   // marked "(this plan)"
	Line int
}

// Focus is one line of "## Review focus": an input that no test names yet, and the task that owns it.
type Focus struct {
	Input string `json:"input"`
	Task  string `json:"task"`
	Line  int    `json:"line"`
}

// Plan is a plan file as it was read. A plan without a task block is a draft.
type Plan struct {
	Path        string // as given, with "/"
	Front       Front
	Title       string
	TasksLine   int // line of "## Tasks", 0 when there is none
	Criteria    []Criterion
	Tasks       []*Task
	Contracts   []*Contract
	Constraints []Entry // lines of "## Constraints" that start with "- ", verbatim without it
	Focus       []Focus
	Roadmap     []Part

	lines   []string
	reading []Finding // what the grammar itself refuses
}

// Draft reports whether the plan has no task block.
func (p *Plan) Draft() bool { return len(p.Tasks) == 0 }

// Task returns the first task with the given id, nil when there is none.
func (p *Plan) Task(id string) *Task {
	for _, t := range p.Tasks {
		if t.ID == id {
			return t
		}
	}
	return nil
}

// Contract returns the first contract with the given id, nil when there is none.
func (p *Plan) Contract(id string) *Contract {
	for _, c := range p.Contracts {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Text returns the lines from (counted from 1) up to, not including, to; each without its LF.
func (p *Plan) Text(from, to int) []string {
	from, to = max(from, 1), min(to, len(p.lines)+1)
	if from >= to {
		return nil
	}
	return p.lines[from-1 : to-1]
}

// IDs returns the set of task ids progress is counted by, in plan order: the first heading of each block, a repeated id
// once, a block without a heading not at all.
func (p *Plan) IDs() []string {
	seen := make(map[string]bool, len(p.Tasks))
	var ids []string
	for _, t := range p.Tasks {
		if id := t.FirstHeading(); id != "" && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
