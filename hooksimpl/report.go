package hooksimpl

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// PrintExplanations writes explanations for people: the verdict first, then what decided.
func PrintExplanations(out io.Writer, all []Explanation) {
	var rest []string
	for _, e := range all {
		if !e.Asked {
			rest = append(rest, e.Check+" is not asked: it "+strings.Join(e.Because, "; "))
			continue
		}
		fmt.Fprintf(out, "%s: %s (%s)\n", e.Check, verdictWord(e.Verdict), took(e.Micros))
		for _, line := range e.Because {
			fmt.Fprintf(out, "  because: %s\n", line)
		}
		printIndented(out, "the model is told", e.Reason)
		printIndented(out, "the model reads", e.Context)
		printIndented(out, "the user sees", e.Notice)
		fmt.Fprintf(out, "  see: %s\n", e.Page)
	}
	for _, line := range rest {
		fmt.Fprintln(out, line)
	}
}

func printIndented(out io.Writer, title, text string) {
	if text != "" {
		fmt.Fprintf(out, "  %s:\n    %s\n", title, strings.ReplaceAll(printable(text), "\n", "\n    "))
	}
}

func verdictWord(verdict string) string {
	if verdict == "" {
		return "no opinion"
	}
	return verdict
}

func took(micros int64) string {
	return strconv.FormatFloat(float64(micros)/1000, 'f', 2, 64) + " ms"
}

// printable takes control characters out of text that comes from a payload or a transcript.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, text)
}

// Print writes the report for people: outcome, what led to it, and the lines that decided.
func (r GateReport) Print(out io.Writer) {
	fmt.Fprintf(out, "plan-gate: %s (%s)\n", r.Verdict, r.Outcome)
	for _, line := range r.Because {
		fmt.Fprintf(out, "  because: %s\n", printable(line))
	}
	if len(r.Events) > 0 {
		fmt.Fprintln(out, "  lines that decided:")
	}
	for _, e := range r.Events {
		fmt.Fprintf(out, "    %6d  %s\n", e.Line, printable(e.What))
	}
	printIndented(out, "the model is told", r.Reason)
	fmt.Fprintln(out, "  see: docs/hooks/plan-gate.md")
}

// PrintReplay writes what would have been refused, or, with all, every call, and a summary.
func PrintReplay(out io.Writer, calls []Replayed, all bool) {
	var refused int
	var total, slowest int64
	for _, c := range calls {
		total += c.Micros
		slowest = max(slowest, c.Micros)
		bad := c.Verdict == Deny.String() || c.Verdict == Ask.String()
		if bad {
			refused++
		}
		if bad || all {
			c.print(out)
		}
	}
	fmt.Fprintf(out, "%d calls, %d refused; checks took %s in all, %s the slowest\n", len(calls), refused, took(total), took(slowest))
}

func (c Replayed) print(out io.Writer) {
	what := c.Event
	if c.Tool != "" {
		what += " " + c.Tool
	}
	if c.Agent != "" {
		what += " in " + c.Agent
	}
	fmt.Fprintf(out, "%s:%d: %s: %s (%s)\n", c.File, c.Line, printable(what), verdictWord(c.Verdict), took(c.Micros))
	if c.Reason != "" {
		fmt.Fprintf(out, "    %s\n", printable(c.Reason))
	}
}
