package run

import (
	"fmt"
	"io"
	"path"
	"strings"
)

// ParseExtras reads a task's extras file: repo-relative paths, one or several a line between commas, a "- " or "EXTRA:" in
// front allowed, a leading "./" dropped, each once.
func ParseExtras(text string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, line := range splitLines(text) {
		line = trim(line)
		line = trim(strings.TrimPrefix(line, "- "))
		line = strings.TrimPrefix(line, "EXTRA:")
		for _, p := range strings.Split(line, ",") {
			if p = dropDot(trim(p)); p != "" && !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// Extras returns the paths task id touched beyond its own Files: the coder's file first, then the reviewer's, each once.
func (r *Run) Extras(root, id string) ([]string, error) {
	t := r.Plan.Task(id)
	if t == nil {
		return nil, fmt.Errorf("%s: no task %q", r.Plan.Path, id)
	}
	var all strings.Builder
	for _, suffix := range []string{"-extra.md", "-extra-review.md"} {
		text, err := readOptional(root, path.Join(r.Dir, "work", id+suffix))
		if err != nil {
			return nil, err
		}
		all.WriteString(text + "\n")
	}
	var out []string
	for _, p := range ParseExtras(all.String()) {
		if !t.Has(p) {
			out = append(out, p)
		}
	}
	return out, nil
}

// WriteExtras prints the extra paths and, for each done task that owns one of them, its verification command.
func (r *Run) WriteExtras(out io.Writer, extras []string) {
	if len(extras) == 0 {
		return
	}
	fmt.Fprintf(out, "extra: %s\n", strings.Join(extras, ","))
	states := r.Status.States()
	for _, t := range r.Plan.Tasks {
		if states[t.ID] != Done {
			continue
		}
		for _, p := range extras {
			if t.Has(p) {
				fmt.Fprintf(out, "recheck: %s | %s\n", t.ID, t.Command())
				break
			}
		}
	}
}
