package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"viber/internal/exit"
)

// Exit codes of plan-path (spec plan 4.6).
const (
	pathUsage  = 2
	pathNone   = 3
	pathFrozen = 4
	pathCopy   = 5
	pathBranch = 6
	pathLock   = 7
)

const pathUsageText = "usage: viber plan-path [--land <plan> [--into <key>] | --branch <plan> | --start [<issue URL>] | --checkout <branch>]"

// PlanPath is `viber plan-path`: the run most recently worked on, a landing, a report about branches, or a checkout.
func PlanPath(ctx context.Context, c Call) error {
	p := pather{Call: c, place: c.place()}
	p.runs = p.place.runsDir()
	if len(c.Args) == 0 || c.Args[0] == "" {
		c.warnCutOff(p.place.Root)
		return p.end(p.latest(ctx))
	}
	switch rest := c.Args[1:]; c.Args[0] {
	case "--land":
		c.warnCutOff(p.place.Root)
		return p.end(p.land(ctx, rest))
	case "--branch":
		return p.end(p.branchReport(ctx, rest))
	case "--start":
		return p.end(p.startReport(ctx, rest))
	case "--checkout":
		return p.end(p.checkout(ctx, rest))
	}
	return p.end(usage(pathUsageText))
}

// pather is one call of plan-path.
type pather struct {
	Call
	place Place
	runs  string // the runs directory relative to the root
}

// end prints an error as the contract wants it.
func (p pather) end(err error) error {
	if err == nil {
		return nil
	}
	return p.fail(exit.Code(err), errors.New(err.Error()))
}

func usage(text string) error { return exit.With(pathUsage, errors.New(text)) }

func refuse(code int, format string, args ...any) error {
	return exit.With(code, fmt.Errorf(format, args...))
}

// latest answers a call without arguments.
func (p pather) latest(ctx context.Context) error {
	s, err := p.place.survey(p.runs)
	if err != nil {
		return err
	}
	p.warnUnreadable(s)
	f, ok := s.Latest(func(Found) bool { return true })
	if !ok {
		return refuse(pathNone, "no plan in %s; land one with viber plan-path --land <plan>", p.runs)
	}
	b, err := p.readBranching(ctx)
	if err != nil {
		return refuse(pathBranch, "%w", err)
	}
	return p.answer(s, f, "existing", b)
}

// answer prints a resolution (spec plan 4.1).
func (p pather) answer(s Survey, f Found, state string, b *branching) error {
	if f.Draft {
		state = "draft"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "path: %s\nkey: %s\nstate: %s\n", f.Plan, f.Key, state)
	if b != nil {
		fmt.Fprintf(&out, "branch: %s (%s)\n", b.shown(), b.did)
		if e, err := b.entry(f.Read().Front); err == nil {
			fmt.Fprintf(&out, "target: %s\n", e.Target)
		}
	}
	for _, o := range s.Open(f.Key) {
		fmt.Fprintf(&out, "open: %s | %d/%d\n", o.Plan, o.Done, o.Total)
	}
	_, err := p.Out.Write([]byte(out.String()))
	return err
}
