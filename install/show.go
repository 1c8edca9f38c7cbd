package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"viber/internal/term"
	"viber/schema"
)

// Show prints the plan for people: a table of what, where and why, the notes, a unified diff of every file, and the id.
// A file that holds what a command of this viber prints, line for line, is named by that command instead, unless whole is
// set. An error says that it could not be shown whole; what was not shown is not applied.
func (p *Plan) Show(s term.Streams, places Places, whole bool) error {
	w := new(bytes.Buffer)
	p.table(w, places)
	for _, note := range p.Notes {
		fmt.Fprintf(w, "note: %s\n", places.tilde(printable(note)))
	}
	for _, kept := range p.Kept {
		fmt.Fprintf(w, "kept: %s\n", places.tilde(printable(kept)))
	}
	for _, c := range p.Changes {
		if !c.Record {
			fmt.Fprintf(w, "\n%s", s.Diff(printable(c.shown(places, whole))))
		}
	}
	if !p.Empty() {
		fmt.Fprintf(w, "\nplan %s\n", p.ID())
	}
	_, err := s.Out.Write(w.Bytes())
	return err
}

func (p *Plan) table(w io.Writer, places Places) {
	if p.Empty() {
		return
	}
	t := term.NewTable(w)
	fmt.Fprintln(t, "WHAT\tWHERE\tWHY")
	for _, a := range p.Actions {
		why := a.Why
		if a.Detail != "" {
			why += " (" + a.Detail + ")"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", a.what(), places.short(a.Path), printable(why))
	}
	for _, c := range p.Changes {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.what(), places.short(c.Path), printable(c.Why))
	}
	_ = t.Flush()
}

// question asks whether the plan is to be applied. It counts the rows of the table, which a long diff has pushed off the screen.
func (p *Plan) question() string {
	var rows, kinds []string
	for _, a := range p.Actions {
		rows = append(rows, a.what())
	}
	for _, c := range p.Changes {
		rows = append(rows, c.what())
	}
	counts := map[string]int{}
	for _, what := range rows {
		if counts[what]++; counts[what] == 1 {
			kinds = append(kinds, what)
		}
	}
	for i, what := range kinds {
		kinds[i] = fmt.Sprintf("%s: %d", what, counts[what])
	}
	if len(rows) == 1 {
		return "Apply this change?"
	}
	return fmt.Sprintf("Apply these %d changes (%s)?", len(rows), strings.Join(kinds, ", "))
}

func (a Action) what() string {
	if a.Before != "" && (a.Kind == PluginFolder || a.Kind == DirLink || a.Kind == CopyBinary) {
		return a.Kind + " (update)"
	}
	return a.Kind
}

func (c Change) what() string {
	switch {
	case c.Before == nil:
		return "create"
	case c.After == nil:
		return "remove"
	}
	return "change"
}

// Diff returns the change as a unified diff.
func (c Change) Diff() string { return c.diff(show(c.Path)) }

// diff is the unified diff of the file that is called name in it.
func (c Change) diff(name string) string {
	from, to := name, name
	if c.Before == nil {
		from = "/dev/null"
	}
	if c.After == nil {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(c.Before), string(c.After))
}

// shown is the change as Show prints it.
func (c Change) shown(places Places, whole bool) string {
	diff := c.diff(places.short(c.Path))
	text, of := c.After, "new file"
	if c.After == nil {
		text, of = c.Before, "removed"
	}
	if whole || c.Before != nil && c.After != nil || string(text) != schema.JSONSchema() {
		return diff
	}
	head, _, _ := strings.Cut(diff, "@@")
	return fmt.Sprintf("%s(%s: the %d lines that 'viber config schema' prints, sha256 %s; --verbose shows them here)\n",
		head, of, bytes.Count(text, []byte("\n")), hash(text)[:12])
}

// addedText is what a change adds, for a person to add it elsewhere.
func addedText(c Change) string {
	var b strings.Builder
	for line := range strings.Lines(c.Diff()) {
		if added, ok := strings.CutPrefix(line, "+"); ok && !strings.HasPrefix(line, "+++") {
			b.WriteString(added)
		}
	}
	return printable(b.String())
}

// printable makes control characters visible, so that text from a file cannot drive the terminal. Line ends and tabs stay.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return r
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0:
			return '\ufffd'
		}
		return r
	}, s)
}

// planJSON is the documented form of `--json`.
type planJSON struct {
	Command string       `json:"command"`
	ID      string       `json:"id"`
	Project string       `json:"project,omitempty"`
	Applied bool         `json:"applied"`
	Actions []actionJSON `json:"actions"`
	Changes []changeJSON `json:"changes"`
	Notes   []string     `json:"notes"`
	Kept    []string     `json:"kept"`
}

type actionJSON struct {
	What   string `json:"what"`
	Path   string `json:"path"`
	Target string `json:"target,omitempty"`
	Before string `json:"before,omitempty"`
	Why    string `json:"why"`
}

type changeJSON struct {
	What string `json:"what"`
	Path string `json:"path"`
	Why  string `json:"why"`
	Diff string `json:"diff"`
}

// WriteJSON prints the plan as one JSON object.
func (p *Plan) WriteJSON(w io.Writer, applied bool) error {
	out := planJSON{
		Command: p.Command, ID: p.ID(), Project: p.Project, Applied: applied,
		Actions: []actionJSON{}, Changes: []changeJSON{}, Notes: append([]string{}, p.Notes...), Kept: append([]string{}, p.Kept...),
	}
	for _, a := range p.Actions {
		out.Actions = append(out.Actions, actionJSON{a.Kind, a.Path, a.Target, a.Before, a.Why})
	}
	for _, c := range p.Changes {
		out.Changes = append(out.Changes, changeJSON{c.what(), c.Path, c.Why, c.Diff()})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
