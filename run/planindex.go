package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"viber/internal/exit"
	"viber/internal/gitx"
)

// fail prints the errors, one line each, and returns the exit code as an error.
func (c Call) fail(code int, errs ...error) error {
	for _, err := range errs {
		fmt.Fprintf(c.Err, "error: %s\n", oneLine(err.Error()))
	}
	return exit.Status(code)
}

// oneLine keeps a message on its line whatever text of a plan it quotes.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}

// Exit codes of plan-index (spec plan 6).
const (
	indexUsage   = 2
	indexDraft   = 3
	indexInvalid = 4
)

const indexUsageText = "usage: viber plan-index <plan-file> [--split | --extra <task id>] [--json]"

// indexCall is a parsed command line of plan-index.
type indexCall struct {
	plan        string
	split, json bool
	extra       *string
}

// PlanIndex is `viber plan-index`: it validates a plan and prints its index, decomposes it with --split, or prints a
// task's extra paths with --extra. Codes: 2 usage, 3 a draft, 4 an invalid plan, 1 a failed write.
func PlanIndex(ctx context.Context, c Call) error {
	call, err := parseIndexCall(c.Args)
	if err != nil {
		return c.fail(indexUsage, err)
	}
	place := c.place()
	r, err := LoadRunAt(place.Dir, call.plan)
	if err != nil {
		c.warnCutOff(place.Root)
		return c.fail(notReadable(call.plan, err))
	}
	c.ClaimPlan(call.plan)
	problems := r.Plan.Validate(Check{Frozen: call.split || call.extra != nil, InTree: place.inTree})
	if len(problems) > 0 {
		return c.refuse(problems, call.json)
	}
	if call.extra != nil {
		return c.extras(place, r, *call.extra)
	}
	if before, cut := place.uncommittedStatus(ctx, r); cut {
		r.Status = ParseStatus(before)
		c.warn("a commit of this run is under way or was cut off: what it marks is not counted; the next commit-task settles it")
	}
	return c.index(ctx, place, r, call)
}

func parseIndexCall(args []string) (indexCall, error) {
	usage := errors.New(indexUsageText)
	if len(args) == 0 || args[0] == "" {
		return indexCall{}, usage
	}
	call := indexCall{plan: slashes(args[0])}
	rest := slices.DeleteFunc(slices.Clone(args[1:]), func(a string) bool { return a == "--json" })
	call.json = len(rest) < len(args)-1
	if len(rest) == 0 {
		return call, nil
	}
	switch rest[0] {
	case "":
	case "--split":
		call.split = true
		if dir := path.Dir(call.plan); path.Base(call.plan) != "plan.md" || dir == "." || dir == "/" {
			return call, fmt.Errorf("--split takes only <run directory>/plan.md, not %s: it rebuilds tasks/ there", call.plan)
		}
	case "--extra":
		if len(rest) < 2 || rest[1] == "" {
			return call, usage
		}
		call.extra = &rest[1]
	default:
		return call, usage
	}
	return call, nil
}

// notReadable gives the code for a run that cannot be read: the plan is the caller's to name, the rest is not.
func notReadable(plan string, err error) (int, error) {
	var planErr *PlanError
	switch {
	case !errors.As(err, &planErr):
		return exit.Failed, err
	case errors.Is(err, fs.ErrNotExist):
		return indexUsage, fmt.Errorf("plan not found: %s", plan)
	}
	return indexUsage, err
}

// refuse prints the findings of a plan, as JSON on stdout when asked for, and ends with the contract's code.
func (c Call) refuse(problems []Finding, asJSON bool) error {
	code := indexInvalid
	if problems[0].Rule == "draft" {
		code = indexDraft
	}
	if asJSON {
		if err := writeJSON(c.Out, struct {
			Findings []Finding `json:"findings"`
		}{problems}); err != nil {
			return err
		}
	}
	errs := make([]error, len(problems))
	for i, f := range problems {
		errs[i] = errors.New(f.String())
	}
	return c.fail(code, errs...)
}

func (c Call) extras(place Place, r *Run, id string) error {
	if r.Plan.Task(id) == nil {
		return c.fail(indexUsage, fmt.Errorf("%s: no task %q in this plan", r.Plan.Path, id))
	}
	extras, err := r.Extras(place.Dir, id)
	if err != nil {
		return c.fail(exit.Failed, err)
	}
	r.WriteExtras(c.Out, extras)
	return nil
}

func (c Call) index(ctx context.Context, place Place, r *Run, call indexCall) error {
	var changes []gitx.Change
	own, inside := place.rel(r.Dir)
	if place.InGit {
		var err error
		if changes, err = place.git.Changes(ctx); err != nil {
			return c.fail(exit.Failed, err)
		}
	}
	if own == "." || !inside {
		own = ""
	}
	ix := r.Index(gitx.Paths(changes), own)
	var d *decomposition
	if call.split {
		var err error
		if d, err = newDecomposition(c, place, r, changes); err != nil {
			return c.fail(exit.Failed, err)
		}
	}
	write := ix.Write
	if call.json {
		write = func(out io.Writer) error { return writeJSON(out, ix) }
	}
	if err := write(c.Out); err != nil {
		return err
	}
	if d != nil {
		return d.apply(ctx)
	}
	return nil
}

// inTree reports whether the work tree has a readable file at the repo-relative path p; links may not lead out of it.
func (p Place) inTree(name string) bool {
	full := onDisk(p.Root, name)
	if !p.holds(full) {
		return false
	}
	return readable(full)
}
