// Package commit makes the commits of a run: a task with its progress, repairs, what the build taught, the archive; and
// the commits a person asks the agent for.
//
// A commit is built on an index of its own and the user's index is only brought up to date afterwards, so what a person
// has staged stays staged. A journal in the git directory remembers a commit that is under way: a call that was killed is
// finished or taken back by the next one.
package commit

import (
	"context"
	"errors"
	"fmt"

	"viber/internal/exit"
	"viber/run"
)

// Exit codes of commit-task and archive-run (commit contract, 1.2 and 6).
const (
	codeUsage     = 2
	codeUnknown   = 3 // no such task; the archive is there already
	codeNoChanges = 4 // nothing to commit; the run is unfinished
	codeRefused   = 5 // the commit could not be made, everything is as it was
)

// fault is a reason to end with a code and one line on stderr; more lines may follow in notes.
type fault struct {
	code  int
	text  string
	notes []string
}

func (f *fault) Error() string { return f.text }

func faultf(code int, format string, args ...any) error {
	return &fault{code: code, text: fmt.Sprintf(format, args...)}
}

func refused(err error) error { return &fault{code: codeRefused, text: err.Error()} }

// report prints err the way the contract wants it and returns the exit code.
func report(c run.Call, err error) error {
	if err == nil {
		return nil
	}
	f := &fault{code: exit.Failed, text: err.Error()}
	errors.As(err, &f)
	if f.text != "" {
		fmt.Fprintf(c.Err, "error: %s\n", f.text)
	}
	for _, n := range f.notes {
		fmt.Fprintf(c.Err, "error: %s\n", n)
	}
	return exit.Status(f.code)
}

// Task is `viber commit-task` in all its forms (commit contract, 1 to 5 and 7).
func Task(ctx context.Context, c run.Call) error {
	f, err := parseForm(c.Args)
	if err != nil {
		return report(c, err)
	}
	if f.plan != "" {
		c.ClaimPlan(f.plan)
	}
	switch f.kind {
	case skipForm, decideForm, ruleForm:
		err = record(ctx, c, f)
	default:
		err = commitForm(ctx, c, f)
	}
	return report(c, err)
}

// commitForm makes the commit of a form that has one.
func commitForm(ctx context.Context, c run.Call, f form) error {
	p, err := loadPlanOf(c, f)
	if err != nil {
		return err
	}
	r, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer r.close()
	earlier, err := r.begin(ctx)
	if err != nil {
		return err
	}
	if err := p.place(r); err != nil {
		return err
	}
	j, err := newJob(ctx, r, p, f)
	if err == nil {
		err = r.land(ctx, j)
	}
	if code(err) == codeNoChanges && earlier.is(c.Args) {
		return earlier.tell(r) // a killed call had made this very commit
	}
	if err != nil {
		return err
	}
	return r.finish(ctx, j)
}

func code(err error) int {
	var f *fault
	if errors.As(err, &f) {
		return f.code
	}
	return 0
}
