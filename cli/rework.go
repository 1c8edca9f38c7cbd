package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/internal/exit"
	"viber/run"
)

func reworkCommand(env Env) *cli.Command {
	return groupCommand("rework", "what comes after a review: a round, a higher tier, or a person",
		"Ends 0 to go on, 1 when it is too early to rule, 2 to escalate, 3 when something cannot be read (treat it as escalate),\n"+
			"64 on a wrong command line. The run is named by --run RUN or by --state FILE.",
		reworkRecordCommand(env), reworkRulingsCommand(env), reworkRungCommand(env), reworkFollowupsCommand(env), reworkStatusCommand(env), reworkClearCommand(env))
}

// reworkState is the state file that --state or --run names.
func reworkState(env Env, a rawArgs) (run.StateFile, error) {
	if file := a.value("state"); file != "" {
		return run.StateFile{Path: env.path(file), Files: env.Files, Now: env.Now}, nil
	}
	f, err := env.stateCall().Find(a.value("run"))
	if err != nil {
		return run.StateFile{}, exit.With(run.ReworkUnreadable, err)
	}
	return f.File, nil
}

// reworkAnswer prints what a rework command found out and ends with its code.
func reworkAnswer(env Env, a rawArgs, out run.ReworkAnswer, err error) error {
	if err != nil {
		var moved *run.MovedError
		if errors.As(err, &moved) {
			return exit.With(run.StateMoved, err)
		}
		return exit.With(run.ReworkUnreadable, err)
	}
	var b strings.Builder
	b.WriteString(out.Message)
	for _, r := range out.Rulings {
		fmt.Fprintf(&b, "\n%s %s %s:%d %s (%s)", r.Ruling, r.Severity, r.File, r.Line, r.Issue, r.Reason)
	}
	if d := out.Delta; d != nil {
		fmt.Fprintf(&b, "\nfixed %d, still present %d, new %d", len(d.Fixed), len(d.StillPresent), len(d.New))
	}
	if err := show(env, a, out, b.String()); err != nil {
		return err
	}
	return exit.Status(out.Exit)
}

func reworkCall(env Env, name, usage, text, description string, options []string, call func(c *cli.Context, a rawArgs, f run.StateFile) (run.ReworkAnswer, error)) *cli.Command {
	return tableCommand(env, name, usage, text, description, append(options, "state=", "run="), func(c *cli.Context, a rawArgs) error {
		if err := a.count(0, 0, "options only"); err != nil {
			return err
		}
		f, err := reworkState(env, a)
		if err != nil {
			return err
		}
		out, err := call(c, a, f)
		if isUsage(err) {
			return err
		}
		return reworkAnswer(env, a, out, err)
	})
}

func isUsage(err error) bool {
	var u *usageProblem
	return errors.As(err, &u)
}

func triageFile(env Env, a rawArgs) (string, error) {
	if a.value("triage") == "" {
		return "", usagef("--triage FILE is missing")
	}
	return env.path(a.value("triage")), nil
}

// namesIn knows what the files of the project were called before, from git in --repo or around the working directory.
func namesIn(env Env, c *cli.Context, a rawArgs) gate.Look {
	root := env.stateCall().Place().Root
	if dir := a.value("repo"); dir != "" {
		root = env.path(dir)
	}
	return gate.LookAtNames(gate.Origins(c.Context, env.gitIn(root)))
}

func reworkRecordCommand(env Env) *cli.Command {
	return reworkCall(env, "record", "count a round of rework, and stop a run that goes in circles",
		"viber rework record --run RUN --triage triage-round-2.json --previous triage-round-1.json",
		"Trips the circuit breaker after three rounds, when a finding is there for the third time, and after two rounds without\nprogress. Without --previous the round before is looked for beside the file (triage-round-<N>.json). A file that was renamed between\nrounds is known by its first name, from git in --repo or here.",
		[]string{"triage=", "previous=", "repo="},
		func(c *cli.Context, a rawArgs, f run.StateFile) (run.ReworkAnswer, error) {
			file, err := triageFile(env, a)
			if err != nil {
				return run.ReworkAnswer{}, err
			}
			previous := env.path(a.value("previous"))
			if previous == "" {
				previous = run.RoundBefore(file)
			}
			return f.Record(file, previous, namesIn(env, c, a))
		})
}

func reworkRulingsCommand(env Env) *cli.Command {
	return reworkCall(env, "rulings", "rule on what is left after the last round",
		"viber rework rulings --run RUN --triage triage-output.json\nviber rework rulings --state state.json --triage triage-output.json",
		"Blocking findings and those of the security class escalate (2), the others are parked into the state (0).",
		[]string{"triage=", "repo="},
		func(c *cli.Context, a rawArgs, f run.StateFile) (run.ReworkAnswer, error) {
			file, err := triageFile(env, a)
			if err != nil {
				return run.ReworkAnswer{}, err
			}
			return f.Rulings(file, namesIn(env, c, a))
		})
}

func reworkRungCommand(env Env) *cli.Command {
	return tableCommand(env, "rung", "say which tier the next attempt at a finding runs on",
		"viber rework rung --run RUN --finding 3f9a1c7e5b2d8f40\nviber rework rung --state state.json --finding FP --tiers haiku,sonnet,opus",
		"One tier up for every round after which the finding was still there, within tiers.min and tiers.max.",
		[]string{"state=", "run=", "finding=", "kind=", "tiers="},
		func(c *cli.Context, a rawArgs) error {
			if a.value("finding") == "" {
				return usagef("--finding FINGERPRINT is missing")
			}
			f, err := reworkState(env, a)
			if err != nil {
				return err
			}
			rung, err := f.Rung(a.value("finding"), a.value("kind"), tiers(env, a))
			if err != nil {
				return exit.With(run.ReworkUnreadable, err)
			}
			return show(env, a, rung, rung.Tier)
		})
}

// tiers are those of --tiers, else the project's own from tiers.min to tiers.max.
func tiers(env Env, a rawArgs) []string {
	if text := a.value("tiers"); text != "" {
		return strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' })
	}
	return run.TiersBetween(projectConfig(env).Value("tiers.min"), projectConfig(env).Value("tiers.max"))
}

func reworkFollowupsCommand(env Env) *cli.Command {
	return tableCommand(env, "followups", "list what a commit would leave behind: deferred and parked findings",
		"viber rework followups --run RUN --triage triage-output.json", "", []string{"state=", "run=", "triage="},
		func(c *cli.Context, a rawArgs) error {
			f, err := reworkState(env, a)
			if err != nil {
				return err
			}
			all, err := f.Followups(env.path(a.value("triage")))
			if err != nil {
				return exit.With(run.ReworkUnreadable, err)
			}
			var b strings.Builder
			fmt.Fprintf(&b, "followups: %d", len(all))
			for _, x := range all {
				fmt.Fprintf(&b, "\n%s %s %s:%d %s (%s)", x.From, x.Severity, filepath.ToSlash(x.File), x.Line, x.Issue, x.Reason)
			}
			return show(env, a, map[string]any{"followups": all}, b.String())
		})
}

func reworkStatusCommand(env Env) *cli.Command {
	return reworkCall(env, "status", "say whether the run may go on; ends 2 when its circuit breaker tripped",
		"viber rework status --run RUN", "Call it before anything is dispatched.", nil,
		func(c *cli.Context, a rawArgs, f run.StateFile) (run.ReworkAnswer, error) { return f.ReworkStatus() })
}

func reworkClearCommand(env Env) *cli.Command {
	return tableCommand(env, "clear", "let a stopped run go on: a person's decision",
		"viber rework clear --run RUN", "Refused for a coding agent.", []string{"state=", "run="},
		func(c *cli.Context, a rawArgs) error {
			if installEnv(env).Agent() {
				return exit.With(exit.Refused, fmt.Errorf("a tripped circuit breaker is cleared by a person, in a terminal of their own: viber rework clear --run RUN"))
			}
			f, err := reworkState(env, a)
			if err != nil {
				return err
			}
			s, err := f.Clear()
			return wroteState(env, a, s, err)
		})
}
