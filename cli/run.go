package cli

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/install"
	"viber/internal/exit"
	"viber/run"
)

func runCommand(env Env) *cli.Command {
	return groupCommand("run", "the state of a run: read, change, track, its work tree and locks",
		"RUN is a run's key or its end, #N, a run directory or a state file; without one the run last worked on.\n"+
			"These commands end 1 when the change is not one the state allows, 3 when there is no such run or its state cannot be\n"+
			"read (worktree finalize: a safe skip), 5 when the run moved or a lock is held, 64 on a wrong command line.",
		runStateCommand(env), runAnswerCommand(env), runResumeCommand(env), runKillCommand(env), runLogCommand(env),
		runTrackCommand(env), runWorktreeCommand(env), runLockCommand(env))
}

func (e Env) stateCall() run.StateCall {
	c := run.StateCall{Call: e.runCall(nil)}
	if places, err := install.FindPlaces(installEnv(e)); err == nil {
		c.UserState = places.State
	}
	return c
}

// findRun looks for the run that the first of words names, if there is one.
func findRun(env Env, words []string) (run.Stored, error) {
	ref := ""
	if len(words) > 0 {
		ref = words[0]
	}
	f, err := env.stateCall().Find(ref)
	return f, stateExit(err)
}

// stateExit gives an error the code of the state's exit table.
func stateExit(err error) error {
	var moved *run.MovedError
	var held *run.HeldError
	var skipped *run.SkipError
	var usage *usageProblem
	switch {
	case err == nil, isExit(err), errors.As(err, &usage):
		return err
	case errors.As(err, &moved), errors.As(err, &held):
		return exit.With(run.StateMoved, err)
	case errors.As(err, &skipped):
		return exit.With(run.WorktreeSkipped, err)
	case errors.Is(err, run.ErrNoRun), errors.Is(err, run.ErrNoState), errors.Is(err, run.ErrUnreadable):
		return exit.With(run.StateUnreadable, err)
	}
	return exit.With(run.StateInvalid, err)
}

func isExit(err error) bool {
	var e *exit.Error
	return errors.As(err, &e)
}

// show prints v as JSON with --json, else the line text.
func show(env Env, a rawArgs, v any, text string) error {
	if a.set["json"] {
		return json.NewEncoder(env.Streams.Out).Encode(v)
	}
	_, err := fmt.Fprintln(env.Streams.Out, text)
	return err
}

// wroteState prints what a state is after a change.
func wroteState(env Env, a rawArgs, s run.RunState, err error) error {
	if err != nil {
		return stateExit(err)
	}
	return show(env, a, map[string]any{"version": s.Version, "status": s.Status}, fmt.Sprintf("version: %d", s.Version))
}
