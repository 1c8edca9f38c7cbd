package run

import (
	"fmt"
	"strings"
)

// StatusLine is one key of status.md: its trimmed text, "" for none, "-" and an empty value, and where it stands.
type StatusLine struct {
	Text string
	Line int
}

// IDs returns the blank-separated words of the line.
func (l StatusLine) IDs() []string { return words(l.Text) }

// Decision is one "decision: <id>: <text>" line; Raw is the whole line without a CR.
type Decision struct {
	Task string `json:"task"`
	Text string `json:"text"`
	Raw  string `json:"-"`
	Line int    `json:"line"`
}

// Deferral is one "<id>:<path>" entry of the deferred line.
type Deferral struct {
	Task string `json:"task"`
	Path string `json:"path"`
}

// Status is the progress of a run as status.md tells it. The zero Status is that of a run without one.
type Status struct {
	Done, Skipped, Unreviewed, Deferred, Closed StatusLine
	Decisions                                   []Decision

	settled []settled // every done and skipped word in file order
}

type settled struct {
	id   string
	done bool
}

// ParseStatus reads status.md: keys at column 0, the last line of a repeated key counts. It never fails.
func ParseStatus(text string) *Status {
	s := &Status{}
	for i, line := range splitLines(text) {
		key, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		if key == "decision" {
			id, text, _ := strings.Cut(value, ":")
			s.Decisions = append(s.Decisions,
				Decision{Task: trim(id), Text: trim(text), Raw: strings.TrimSuffix(line, "\r"), Line: i + 1})
			continue
		}
		l := StatusLine{Text: trim(value), Line: i + 1}
		if l.Text == "none" || l.Text == "-" {
			l.Text = ""
		}
		s.set(key, l)
	}
	return s
}

func (s *Status) set(key string, l StatusLine) {
	switch key {
	case "done":
		s.Done = l
		s.settle(l, true)
	case "skipped":
		s.Skipped = l
		s.settle(l, false)
	case "unreviewed":
		s.Unreviewed = l
	case "deferred":
		s.Deferred = l
	case "closed":
		s.Closed = l
	}
}

func (s *Status) settle(l StatusLine, done bool) {
	for _, id := range l.IDs() {
		s.settled = append(s.settled, settled{id, done})
	}
}

// Deferrals returns the entries of the deferred line, cut at the first colon; words without one are left out.
func (s *Status) Deferrals() []Deferral {
	var out []Deferral
	for _, w := range s.Deferred.IDs() {
		if id, path, ok := strings.Cut(w, ":"); ok {
			out = append(out, Deferral{Task: id, Path: path})
		}
	}
	return out
}

// State is how far a task of a run is.
type State string

// The states of a task.
const (
	Todo    State = "todo"
	Done    State = "done"
	Skipped State = "skipped"
)

// States returns a lookup of task states by the index's reading rules: the last done and skipped lines count, and an id on
// both is done. An id on neither is "" (todo).
func (s *Status) States() map[string]State {
	m := make(map[string]State)
	for _, id := range s.Skipped.IDs() {
		m[id] = Skipped
	}
	for _, id := range s.Done.IDs() {
		m[id] = Done
	}
	return m
}

// first returns the state of each id by plan-path's reading rules: every done and skipped line counts, and an id on both
// counts by whichever line comes first.
func (s *Status) first() map[string]State {
	m := make(map[string]State, len(s.settled))
	for _, e := range s.settled {
		if _, seen := m[e.id]; seen {
			continue
		}
		m[e.id] = Skipped
		if e.done {
			m[e.id] = Done
		}
	}
	return m
}

// Progress counts the ids that are done and skipped by plan-path's reading rules.
func (s *Status) Progress(ids []string) (done, skipped int) {
	if len(s.settled) == 0 {
		return 0, 0
	}
	states := s.first()
	for _, id := range ids {
		switch states[id] {
		case Done:
			done++
		case Skipped:
			skipped++
		}
	}
	return done, skipped
}

// NewStatus is the status.md of a freshly decomposed plan with total tasks.
func NewStatus(total int) string {
	return fmt.Sprintf("# status\n\nprogress: 0/%d\ndone: none\nskipped: none\nunreviewed: none\ndeferred: none\nclosed: none\n", total)
}

// ParseRulings returns the entries of rulings.md: its lines that start with "- ", without it and without a CR.
func ParseRulings(text string) []string {
	var out []string
	for _, line := range splitLines(text) {
		if entry, ok := strings.CutPrefix(line, "- "); ok {
			out = append(out, strings.TrimSuffix(entry, "\r"))
		}
	}
	return out
}
