package install

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"viber/internal/term"
)

// show prints the diagnosis for people.
func (d *Diagnosis) show(w io.Writer, p Places) {
	fmt.Fprintf(w, "viber %s, hooks call %s\n", d.Version, p.short(d.Binary))
	client := "Claude Code: not found"
	if d.ClientAt != "" {
		client = "Claude Code " + orUnknown(d.Client) + ", " + p.short(d.ClientAt)
	}
	fmt.Fprintf(w, "%s; hooks in %s form, calls filtered by %s\n", client, d.Form, filterName(d.Filter))
	d.showHooks(w, p)
	if d.guardsShell() {
		fmt.Fprintln(w, "\nGuards judge what a shell call says. Out of their reach: scripts on disk, functions and aliases of your shell, text that is decoded")
		fmt.Fprintln(w, "and piped into a shell, programs that call git themselves, another machine or a container (ssh, docker run, kubectl exec);\nand a fault that kills viber itself lets the call through,\nunless guards.unattended is on and the client knows onFailure (2.1.295 and newer).")
	}
	for _, f := range d.Findings {
		fmt.Fprintf(w, "\n%s %s", f.Level, f.Code)
		if f.Where != "" {
			fmt.Fprintf(w, "  %s", p.short(f.Where))
		}
		fmt.Fprintf(w, "\n  %s\n", printable(f.Problem))
		if f.WayOut != "" {
			fmt.Fprintf(w, "  -> %s\n", printable(f.WayOut))
		}
	}
	fmt.Fprintf(w, "\n%s\n", d.summaryLine())
}

// guardsShell reports whether a guard of shell calls, beside kill-guard, is registered.
func (d *Diagnosis) guardsShell() bool {
	return slices.ContainsFunc(d.Hooks, func(h HookLine) bool { return h.Ours && strings.Contains(h.If, "git") })
}

func orUnknown(version string) string {
	if version == "" {
		return "of unknown version"
	}
	return version
}

// filterName says what keeps the client from starting viber for nothing.
func filterName(filter string) string {
	if filter == "if" {
		return "the client's `if` rules"
	}
	return "matcher alone (a process for each call)"
}

func (d *Diagnosis) showHooks(w io.Writer, p Places) {
	t := term.NewTable(w)
	foreign := 0
	for _, h := range d.Hooks {
		if !h.Ours {
			foreign++
			continue
		}
		fmt.Fprintf(t, "\n%s\t%s\t\t\n", strings.TrimSpace(h.Event+" "+h.Matcher), p.short(h.Where))
		if h.NotRun != "" {
			fmt.Fprintf(t, "  not run\t%s\t\t\n", printable(h.NotRun))
		}
		for _, s := range h.Samples {
			fmt.Fprintf(t, "  %s\t%s\t%s\t%.1f ms\n", s.Name, s.verdict(), s.mark(), s.Millis)
		}
	}
	_ = t.Flush()
	if foreign > 0 {
		fmt.Fprintf(w, "\n%s of others (listed, never run):\n", plural(foreign, "hook"))
	}
	for _, h := range d.Hooks {
		if !h.Ours {
			fmt.Fprintf(w, "  %s  %s  %s\n", strings.TrimSpace(h.Event+" "+h.Matcher), printable(h.Program), p.short(h.Where))
		}
	}
}

func (s Sample) verdict() string {
	if s.Got == "" {
		return "no verdict"
	}
	return s.Got
}

func (s Sample) mark() string {
	if s.OK {
		return "ok"
	}
	return "WRONG, want " + s.Want
}

func (d *Diagnosis) writeJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(d)
}
