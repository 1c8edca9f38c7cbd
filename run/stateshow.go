package run

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// ErrUnreadable says that a state file is there and cannot be read.
var ErrUnreadable = errors.New("the state cannot be read")

// Merge applies a merge patch to the run's state. A state that begins with it gets the run's key, project, start and number.
func (f Stored) Merge(c StateCall, want int64, patch Tree) (RunState, error) {
	if _, _, err := f.File.Read(); errors.Is(err, ErrNoState) {
		for name, value := range map[string]any{"key": f.Key, "project": f.Project, "startedAt": string(f.File.stamp())} {
			if _, given := patch[name]; !given {
				patch[name] = value
			}
		}
	}
	s, err := f.File.Merge(want, patch)
	if err == nil {
		_, err = c.Number(f)
	}
	return s, err
}

// ReplyID names a reply to the question that waits: what --dry-run shows and --confirm takes.
func (s RunState) ReplyID(key string, r Reply) (string, error) {
	if _, err := s.Choose(r); err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d", key, s.PendingQuestion.ID, r.Answer, s.Version))
	return hex.EncodeToString(sum[:6]), nil
}

// Candidate describes one run for whoever takes it up.
func (c StateCall) Candidate(f Stored) (Candidate, error) {
	p := c.place()
	if f.Project != "" {
		p.Root = f.Project
	}
	cand, _, err := c.describe(p, f)
	return cand, err
}

// Text is what a person or an agent reads before going on: the history, the question that waits, the next command.
func (c Candidate) Text() string {
	var b strings.Builder
	if c.History != "" {
		fmt.Fprintln(&b, c.History)
	}
	if q := c.Question; q != nil {
		fmt.Fprintf(&b, "question: %s\n", q.Text)
		for _, o := range q.Options {
			fmt.Fprintf(&b, "  %s  %s\n", o.ID, o.Label)
		}
	}
	fmt.Fprintf(&b, "next: %s", c.Next)
	return b.String()
}

// Label is the candidate in a list of choices.
func (c Candidate) Label() string {
	if c.Kind == "branch" {
		return fmt.Sprintf("branch %s: its own changes", c.Branch)
	}
	name := c.Key
	if c.ID > 0 {
		name = fmt.Sprintf("#%d %s", c.ID, c.Key)
	}
	parts := []string{name}
	for _, p := range []string{c.Phase, c.Status, c.Duration} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " | ")
}

// Choices are the labels of the candidates, and of the way out beside a single one.
func (o Offer) Choices() []string {
	var all []string
	for _, c := range o.Candidates {
		all = append(all, c.Label())
	}
	if o.WayOut != nil {
		all = append(all, o.WayOut.Label)
	}
	return all
}

// Text lists the choices; a single candidate comes with its next command.
func (o Offer) Text() string {
	first := ""
	if o.CutOff != nil {
		first = o.CutOff.String() + "\n"
	}
	if len(o.Candidates) == 0 {
		return first + "nothing to resume: no run is open, and this branch has no changes of its own"
	}
	var b strings.Builder
	b.WriteString(first)
	for i, label := range o.Choices() {
		fmt.Fprintf(&b, "%d. %s\n", i+1, label)
	}
	if o.WayOut != nil {
		fmt.Fprintf(&b, "%s\nor: %s", o.Candidates[0].Text(), o.WayOut.Command)
		return b.String()
	}
	fmt.Fprint(&b, "choose one: viber resume RUN")
	return b.String()
}
