package run

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
	"unicode/utf8"
)

// text is the screen form of `viber runs show`.
func (d *Details) text(now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n\n", orDashText(d.Title), d.Plan)
	facts := [][]string{{"state", d.State + " " + d.progress()}, {"touched", ago(now.Sub(d.Touched))}}
	if d.Branch != "" {
		facts = append(facts, []string{"branch", d.Branch})
	}
	if d.Session != "" {
		facts = append(facts, []string{"session", d.Session})
	}
	if len(d.Closed) > 0 {
		facts = append(facts, []string{"closed", strings.Join(d.Closed, ", ")})
	}
	b.WriteString(table(facts))
	d.taskTable(&b)
	d.notes(&b)
	fmt.Fprintf(&b, "\nnext    %s\nresume  %s\n", plain(d.NextStep), d.Resume)
	return b.String()
}

func (d *Details) taskTable(b *strings.Builder) {
	if len(d.Tasks) == 0 {
		return
	}
	waits := make(map[string]string)
	for _, w := range d.Waits {
		waits[w.Task] = "waits for " + strings.Join(w.For, ", ")
	}
	rows := make([][]string, len(d.Tasks))
	for i, t := range d.Tasks {
		note := waits[t.ID]
		switch {
		case len(t.Dirty) > 0:
			note = "uncommitted: " + strings.Join(t.Dirty, ", ")
		case slices.Contains(d.Unreviewed, t.ID):
			note = "unreviewed"
		}
		rows[i] = []string{"  " + t.ID, string(t.State), plain(t.Title), plain(note)}
	}
	b.WriteString("\ntasks\n" + table(rows))
}

func (d *Details) notes(b *strings.Builder) {
	list := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(b, "\n%s\n", title)
		for _, l := range lines {
			fmt.Fprintf(b, "  %s\n", plain(l))
		}
	}
	var deferred, decisions, findings []string
	for _, x := range d.Deferred {
		deferred = append(deferred, x.Path+" -> "+x.Task)
	}
	for _, x := range d.Decisions {
		decisions = append(decisions, x.Task+": "+x.Text)
	}
	for _, f := range d.Findings {
		findings = append(findings, f.String())
	}
	list("deferred", deferred)
	list("decisions", decisions)
	list("rulings", d.Rulings)
	list("claimed by no task", d.Orphans)
	list("findings", findings)
	if q := d.Question; q != nil {
		options := []string{q.Text}
		for _, o := range q.Options {
			options = append(options, o.ID+"  "+o.Label)
		}
		list("question", options)
	}
}

// table lays rows out in columns two blanks apart; the last column is as wide as it is.
func table(rows [][]string) string {
	var widths []int
	for _, r := range rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := ""
		for i, cell := range r {
			line += cell
			if i < len(r)-1 {
				line += strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// age is a span for people: the largest unit alone.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

func ago(d time.Duration) string {
	if d < time.Minute {
		return "just now"
	}
	return age(d) + " ago"
}

func orDashText(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// shortSession is enough of a session id to know it by.
func shortSession(id string) string {
	if len(id) > 8 {
		return id[:8]
	}
	return id
}

func sortLatest(list []Summary) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].Touched.After(list[j].Touched) })
}

// sortFindings orders findings by line and column; findings of one place keep the order of their checks.
func sortFindings(found []Finding) {
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		return a.Line < b.Line || a.Line == b.Line && a.Col < b.Col
	})
}
