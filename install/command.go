package install

import (
	"errors"
	"fmt"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// Consent is how a command may be agreed to: the flags every command that writes has.
type Consent struct {
	Yes     bool   // --yes: apply without a question
	Confirm string // --confirm ID: apply exactly the plan of that id
	DryRun  bool   // --dry-run: only show
	JSON    bool   // --json: show as JSON; without Yes or Confirm only show
}

// Job is one command of this room: it plans, and says what is true after its plan was applied.
type Job struct {
	Env     Env
	Consent Consent
	Places  Places
	Project Project
	Plan    func() (*Plan, error) // reads the world anew each time
	Nothing string                // said when there is nothing to do
	After   func() error          // verifies and reports
	Undoing bool                  // the command itself deals with what was stopped half way
	Free    bool                  // the command line says everything there is to agree to
}

// Run plans, shows the plan, gets consent, and applies exactly what was shown. It is the one way by which commands
// change files of users: setup, uninstall, undo, migrate and others hand their Job to it.
func (j Job) Run() error {
	refusal := j.allowed()
	if refusal != nil && (j.Undoing || !errors.Is(refusal, ErrNobodyToAsk)) {
		return refusal
	}
	if !j.Undoing && !j.homeless() {
		if err := j.recover(); err != nil {
			return err
		}
	}
	plan, err := j.Plan()
	if err != nil {
		return err
	}
	if plan.Empty() {
		return j.nothing(plan)
	}
	if refusal != nil {
		return refusal
	}
	if j.Consent.Confirm != "" && j.Consent.Confirm != plan.ID() {
		return exit.With(exit.Refused, fmt.Errorf("the plan is %s now, not %s: something changed since it was shown; look again with --dry-run", plan.ID(), j.Consent.Confirm))
	}
	if err := j.show(plan); err != nil {
		return err
	}
	if j.onlyShow() {
		return j.printJSON(plan, false)
	}
	if err := j.ask(plan); err != nil {
		return err
	}
	return j.applyLocked(plan)
}

// allowed refuses at once what could not be agreed to later.
func (j Job) allowed() error {
	c := j.Consent
	switch {
	case j.Free:
		return nil
	case c.Yes && c.Confirm == "" && j.Env.Agent():
		return exit.With(exit.Refused, errors.New("--yes is for people and CI; a coding agent shows the plan with --dry-run and applies it with --confirm ID after the user agreed"))
	case j.onlyShow() || c.Yes || c.Confirm != "" || j.Env.Streams.CanPrompt():
		return nil
	}
	return exit.With(exit.Usage, ErrNobodyToAsk)
}

// ErrNobodyToAsk refuses a plan that nobody can agree to. It waits for the plan: where there is nothing to do, there is
// nothing to ask.
var ErrNobodyToAsk = errors.New("there is no terminal to ask on; use --yes to apply, --dry-run to look, or --confirm ID to apply a plan that was looked at")

// asks reports whether the command may ask a person.
func (j Job) asks() bool {
	return j.Env.Streams.CanPrompt() && !j.onlyShow() && !j.Consent.Yes && j.Consent.Confirm == ""
}

func (j Job) onlyShow() bool {
	c := j.Consent
	return c.DryRun || c.JSON && !c.Yes && c.Confirm == ""
}

func (j Job) nothing(plan *Plan) error {
	if j.Undoing && !j.onlyShow() {
		return j.After()
	}
	if j.Consent.JSON {
		return j.printJSON(plan, false)
	}
	if err := j.show(plan); err != nil || j.Env.Quiet {
		return err
	}
	_, err := fmt.Fprintln(j.Env.Streams.Out, j.Nothing)
	return err
}

// show prints the plan for a person: not beside JSON, and with --quiet only where the plan is what was asked for or asked
// about.
func (j Job) show(plan *Plan) error {
	if j.Consent.JSON || j.Env.Quiet && (plan.Empty() || !j.onlyShow() && !j.asks()) {
		return nil
	}
	return plan.Show(j.Env.Streams, j.Places, j.Env.Verbose)
}

func (j Job) printJSON(plan *Plan, applied bool) error {
	if !j.Consent.JSON {
		return nil
	}
	return plan.WriteJSON(j.Env.Streams.Out, applied)
}

func (j Job) ask(plan *Plan) error {
	if j.Free || j.Consent.Yes || j.Consent.Confirm != "" {
		return nil
	}
	return Agree(j.Env.Streams, plan.question(), "nothing was changed")
}

// Agree asks a person question on the terminal. Without a yes it is an error of exit.Cancelled that says otherwise.
func Agree(s term.Streams, question, otherwise string) error {
	yes, err := term.Confirm(s, question, false)
	if err == nil && !yes {
		err = exit.With(exit.Cancelled, errors.New(otherwise))
	}
	return err
}

// homeless reports that there is no state directory to lock in and to keep a journal in.
func (j Job) homeless() bool { return j.Places.State == "" }

// applyLocked plans once more under the lock: what is applied is what was shown.
func (j Job) applyLocked(shown *Plan) error {
	if !j.homeless() {
		unlock, err := lock(j.Places)
		if err != nil {
			return err
		}
		defer unlock()
	}
	plan, err := j.Plan()
	if err != nil {
		return err
	}
	if plan.Empty() {
		return j.nothing(plan)
	}
	if plan.ID() != shown.ID() {
		if !j.Consent.Yes {
			return exit.With(exit.Refused, errors.New("something changed since the plan was shown; nothing was done, run the command again"))
		}
		fmt.Fprintln(j.Env.Streams.Err, "viber: something changed meanwhile; this is the plan now")
		if err := j.show(plan); err != nil {
			return err
		}
	}
	if err := j.write(plan); err != nil {
		return err
	}
	if err := j.printJSON(plan, true); err != nil || j.After == nil {
		return err
	}
	if err := j.After(); err != nil || j.Consent.JSON || j.Env.Quiet {
		return err
	}
	for _, kept := range plan.Kept {
		fmt.Fprintf(j.Env.Streams.Out, "kept: %s\n", j.Places.tilde(printable(kept)))
	}
	return nil
}

// write applies plan through the journal; without a state directory it writes the project's files one by one.
func (j Job) write(plan *Plan) error {
	if !j.homeless() {
		return apply(j.Env, j.Places, j.Project, plan)
	}
	for _, c := range plan.Changes {
		if err := j.Env.Files.Write(c.Path, c.After, fsx.Options{Mode: c.Mode, Before: &c.Before}); err != nil {
			return err
		}
	}
	return nil
}
