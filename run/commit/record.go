package commit

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viber/run"
)

// record writes a skip or decision into status.md, or a ruling into rulings.md; the entry rides in a later commit.
func record(ctx context.Context, c run.Call, f form) error {
	p, err := loadPlan(c, f.plan)
	if err != nil {
		return err
	}
	if err := f.readFields(c); err != nil {
		return err
	}
	if err := f.checkFields(); err != nil {
		return err
	}
	r, err := openAnywhere(ctx, c)
	if err != nil {
		return err
	}
	defer r.close()
	if _, err := r.recover(ctx); err != nil {
		return err
	}
	r.sweep(filepath.Dir(p.path))
	path, key := p.statusPath(), f.id
	word := map[kind]string{skipForm: "skipped", decideForm: "decided", ruleForm: "ruled"}[f.kind]
	if f.kind == ruleForm {
		path = p.registerPath()
	}
	before, err := readIfThere(path)
	if err != nil {
		return refused(err)
	}
	after, err := f.edit(p, string(before))
	if err != nil {
		return err
	}
	if after != string(before) {
		if err := r.write(path, []byte(after), before); err != nil {
			return refused(err)
		}
	}
	_, err = fmt.Fprintf(c.Out, "%s: %s\nprogress: unchanged\n", word, key)
	return err
}

// checkFields: what is recorded is one non-empty line each.
func (f form) checkFields() error {
	for _, field := range f.fields {
		if strings.TrimSpace(field) != "" && !strings.ContainsAny(field, "\r\n") {
			continue
		}
		if f.kind == decideForm {
			return faultf(codeUsage, "a decision text is one non-empty line")
		}
		return faultf(codeUsage, "a ruling, its why and its cost are each one non-empty line")
	}
	return nil
}

// readFields takes the fields out of the file of a --from or --first-of form.
func (f *form) readFields(c run.Call) error {
	if f.from == "" {
		return nil
	}
	text, err := readNamed(c, f.from)
	if err != nil {
		return faultf(codeUsage, "%s: cannot be read: %v", f.from, err)
	}
	keys := []string{"RULING"}
	switch {
	case f.firstOf:
		keys = []string{"DECIDE"}
	case f.kind == ruleForm:
		keys = []string{"RULING", "WHY", "COST"}
	}
	for _, key := range keys {
		value := labelled(text, key)
		if f.firstOf {
			value, _, _ = strings.Cut(value, " | ")
			value = strings.TrimSpace(value)
		}
		if value == "" {
			return faultf(codeUsage, "%s: no '%s:' line with a value in it", f.from, key)
		}
		f.fields = append(f.fields, value)
	}
	return nil
}

func readNamed(c run.Call, name string) (string, error) {
	text, err := os.ReadFile(c.Abs(name))
	if err != nil && !filepath.IsAbs(name) {
		if again, rootErr := os.ReadFile(filepath.Join(rootOf(c.Dir), filepath.FromSlash(name))); rootErr == nil {
			return string(again), nil
		}
	}
	if err != nil {
		return "", cause(err)
	}
	return string(text), nil
}

// labelled is the trimmed value of the first line starting with `<label>:`.
func labelled(text, label string) string {
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, label+":"); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// edit is the new text of the file the form writes.
func (f form) edit(p *planFile, text string) (string, error) {
	if f.kind == ruleForm {
		if err := f.checkSubject(p); err != nil {
			return "", err
		}
		return run.AddRuling(text, f.id, f.fields[0], f.fields[1], f.fields[2]), nil
	}
	if p.claim(f.id) == nil {
		return "", p.noTask(f.id)
	}
	done := slices.Contains(run.StatusWords(text, "done"), f.id)
	if f.kind == skipForm {
		if done {
			return "", faultf(codeUsage, "task '%s' is already done - it cannot be skipped", f.id)
		}
		return run.AddToStatus(text, "skipped", f.id, p.total()), nil
	}
	if done {
		return "", faultf(codeUsage, "task '%s' is already done - a decision would reach no one", f.id)
	}
	if slices.Contains(run.StatusWords(text, "skipped"), f.id) {
		return "", faultf(codeUsage, "task '%s' is skipped - a decision would reach no one", f.id)
	}
	return run.AddDecision(text, f.id, f.fields[0], p.total()), nil
}

func (f form) checkSubject(p *planFile) error {
	switch f.id {
	case "baseline", "tests", "final-review", "commit":
		return nil
	}
	if p.claim(f.id) != nil {
		return nil
	}
	if len(f.id) > 1 && f.id[0] == 'T' && f.id[1] >= '0' && f.id[1] <= '9' {
		return p.noTask(f.id)
	}
	return faultf(codeUsage, "unknown subject '%s' - a task id of the plan, baseline, tests, final-review or commit", f.id)
}
