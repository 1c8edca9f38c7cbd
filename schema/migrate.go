package schema

import (
	"fmt"
	"slices"
	"strings"
)

// MigrationOptions say where a migration goes and what was answered.
type MigrationOptions struct {
	// To is the target schema; 0 means Newest.
	To int
	// Answers holds what a person, or --answer, decided, by question id.
	Answers map[string]string
}

// Step is one change a migration makes.
type Step struct {
	Schema int    `json:"schema"`         // the schema that asks for it
	Key    string `json:"key"`            // group.key it is about
	Text   string `json:"text"`           // what happens, for people
	Team   string `json:"team,omitempty"` // what teammates with an older viber will notice
}

// Question is something a migration cannot derive from the file.
type Question struct {
	ID      string   `json:"id"`   // name for --answer
	Text    string   `json:"text"` // what is asked
	Options []Option `json:"options"`
	Default string   `json:"default"` // what happens when nobody is asked
	Free    bool     `json:"free,omitempty"`
	// Loses says that the default gives up something the user wrote: it is never taken without an answer.
	Loses bool `json:"loses,omitempty"`
}

func (q Question) takes(value string) bool {
	return slices.ContainsFunc(q.Options, func(o Option) bool { return o.Value == value })
}

// Option is one answer to a question.
type Option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// Migration is a planned migration of one file's text. Nothing is written by making one.
type Migration struct {
	From, To  int
	Before    string
	After     string
	Steps     []Step
	Questions []Question // those without an answer, in order
	// Stray are the answers that fit no question of this file, or none of its options.
	Stray  []string
	report []string
}

// Changed reports whether the migration changes a byte.
func (m Migration) Changed() bool { return m.Before != m.After }

// Undecided returns the questions whose default would lose something, so that they need an answer.
func (m Migration) Undecided() []Question {
	var open []Question
	for _, q := range m.Questions {
		if q.Loses {
			open = append(open, q)
		}
	}
	return open
}

// Report returns setup's lines about viber.yml (without the "viber.yml: " in front).
func (m Migration) Report() []string { return m.report }

// NewerError says that a file is at a schema this program does not know.
type NewerError struct{ Number int }

// Error names the file, the numbers and the way out.
func (e *NewerError) Error() string {
	return fmt.Sprintf("%s is at schema %d, newer than the %d this viber knows; it is left alone: run 'viber upgrade'", shown, e.Number, Newest)
}

// PlanMigration plans bringing a viber.yml with this text to schema o.To. It refuses, with an error that names the file and
// the way out, what is no UTF-8 text, and without an explicit o.To a file that is newer than this program.
// The result keeps what the reader resolved before, and planning it again changes nothing; both are checked here.
func PlanMigration(text string, o MigrationOptions) (Migration, error) {
	if err := errOdd(text); err != nil {
		return Migration{}, err
	}
	explicit := o.To != 0
	if !explicit {
		o.To = Newest
	}
	if o.To < 1 || o.To > Newest {
		return Migration{}, fmt.Errorf("there is no schema %d; this viber knows 1 to %d", o.To, Newest)
	}
	if n := newDraft(text, o).from; n > Newest && !explicit {
		return Migration{}, &NewerError{n}
	}
	m := migrate(text, o)
	return m, m.check(o)
}

func migrate(text string, o MigrationOptions) Migration {
	d := newDraft(text, o)
	before := strings.Join(d.lines, "\n")
	for _, v := range versions() {
		if v.step != nil && v.number <= d.to {
			v.step(d)
		}
	}
	d.complete()
	d.offerBareForms()
	d.offerWorkEntry()
	d.offerIssueNumber()
	m := Migration{From: d.from, To: max(d.to, d.from), Before: text, After: text, Steps: d.steps, Questions: d.questions}
	m.Stray = append(d.wrong, d.unused()...)
	if strings.Join(d.lines, "\n") != before {
		m.After, m.report = d.text(), d.report()
	}
	return m
}

// unused returns the answers to questions that did not come up.
func (d *draft) unused() []string {
	var ids []string
	for id, value := range d.answers {
		if !slices.Contains(d.used, id) {
			ids = append(ids, id+"="+value)
		}
	}
	slices.Sort(ids)
	return ids
}

// check proves the promises of a migration on its own result before anybody sees it.
func (m Migration) check(o MigrationOptions) error {
	before, after := parse(m.Before), parse(m.After)
	for _, k := range Keys() {
		if k.Kind == Map || k.Name == "schema" {
			continue
		}
		old, was := before.setting(k, FromShared)
		if now, is := after.setting(k, FromShared); was && !old.Bad && (!is || now.Value != old.Value) && !m.asked(k.Name) {
			return fmt.Errorf("%s:%d: %s would change from %s to %s; tidy the lines around it first (see 'viber config validate')", shown, old.Line, k.Name, old.Value, now.Value)
		}
	}
	if was, is := before.extensions.names, after.extensions.names; len(was) > 0 && !sameEntries(was, is) {
		return fmt.Errorf("%s:%d: the extension map would change; tidy the lines around it first (see 'viber config validate')", shown, before.extensions.key+1)
	}
	if again := migrate(m.After, o); again.Changed() {
		return fmt.Errorf("%s: a second run would change the file again; tidy it first (see 'viber config validate')", shown)
	}
	return nil
}

func sameEntries(a, b []Extension) bool {
	return slices.EqualFunc(a, b, func(x, y Extension) bool { return x.Name == y.Name && x.Parallel == y.Parallel })
}

// asked reports whether a person's answer decided about key, so that its value may change.
func (m Migration) asked(key string) bool {
	return slices.ContainsFunc(m.Steps, func(s Step) bool { return s.Key == key && s.Schema == 0 })
}

func (d *draft) report() []string {
	var lines []string
	switch names := d.movedNames(); {
	case len(names) > 0:
		lines = append(lines, fmt.Sprintf("migrated to schema %d: %s moved into their groups (your own values kept)", d.asked, strings.Join(names, ", ")))
	case d.raised:
		lines = append(lines, fmt.Sprintf("schema set to %d", d.to))
	}
	if d.converted != "" {
		lines = append(lines, "build.baseline-tests "+d.converted+" (the switch takes off, fast or full)")
	}
	for _, s := range d.steps {
		if s.Schema == 0 || s.Key == "build.extensions" && s.Team != "" {
			lines = append(lines, s.Key+": "+s.Text)
		}
	}
	if len(d.completed) > 0 {
		lines = append(lines, "merged from the template: "+strings.Join(d.completed, ", ")+" (your own values kept)")
	}
	return lines
}

// movedNames are the flat switches that left column 0, each once, in file order.
func (d *draft) movedNames() []string {
	var names []string
	for _, m := range d.moved {
		if !slices.Contains(names, m.leaf()) {
			names = append(names, m.leaf())
		}
	}
	return names
}
