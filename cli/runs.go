package cli

import (
	"errors"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/run"
)

func runsCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "runs",
		Usage:     "list the runs of this project, look into one, check a plan",
		UsageText: "viber runs [--json]\nviber runs show [KEY] [--json]\nviber runs validate PLAN [--json]",
		Description: `A run is a directory in docs/_specs (directories.runs) that holds an approved plan and its progress.

Example:
   viber runs
   viber runs show export-invoices`,
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			_, asJSON, err := argsAndJSON(c, 0, 0)
			if err != nil {
				return err
			}
			return run.ListRuns(env.runCall(nil), asJSON)
		},
		Subcommands: []*cli.Command{
			runsShowCommand(env),
			runsValidateCommand(env),
		},
	}
}

func runsShowCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "tell about one run: tasks, states, waits, what is deferred, rulings, the next step, how to resume",
		UsageText: "viber runs show [KEY] [--json]",
		Description: `KEY is the name of the run's directory, or its end after the time stamp. Without it: the run touched last.

Example:
   viber runs show export-invoices`,
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			args, asJSON, err := argsAndJSON(c, 0, 1)
			if err != nil {
				return err
			}
			return run.ShowRun(c.Context, env.runCall(nil), append(args, "")[0], asJSON)
		},
	}
}

func runsValidateCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "check a plan and name every finding with its line and how to write it right",
		UsageText: "viber runs validate PLAN [--json]",
		Description: `Ends 1 when there are findings, 2 when there is no such plan. Nothing is written.

Example:
   viber runs validate docs/_specs/2026-03-04-05-06-07_export-invoices/plan.md`,
		Flags: []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			args, asJSON, err := argsAndJSON(c, 1, 1)
			if err != nil {
				return err
			}
			return run.ValidatePlan(env.runCall(nil), args[0], asJSON)
		},
	}
}

func panelCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "panel",
		Usage:     "print the task panel: the open run and the state of its tasks",
		UsageText: "viber panel [--json | --line] [--running T1,T2]",
		Description: `Prints what the panel above the prompt shows; "no active run" when there is nothing to draw (--json: null).
--line prints the first line alone and nothing without a run: 'viber setup --status-line' puts it into the client's status line.

Example:
   viber panel --json`,
		Flags: []cli.Flag{jsonFlag(),
			&cli.BoolFlag{Name: "line", Usage: "one line, for a status line"},
			&cli.StringSliceFlag{Name: "running", Usage: "`IDS` of the tasks that were dispatched in this session"}},
		Action: func(c *cli.Context) error {
			_, asJSON, err := argsAndJSON(c, 0, 0)
			if err != nil {
				return err
			}
			if c.Bool("line") {
				return run.ShowPanelLine(env.runCall(nil))
			}
			return run.ShowPanel(env.runCall(nil), c.StringSlice("running"), asJSON)
		},
	}
}

// argsAndJSON returns the arguments of a command that takes from least to most of them; --json may stand behind them too.
func argsAndJSON(c *cli.Context, least, most int) (args []string, asJSON bool, err error) {
	asJSON = c.Bool("json")
	for _, a := range c.Args().Slice() {
		switch {
		case a == "--json" || a == "-json":
			asJSON = true
		case strings.HasPrefix(a, "-"):
			return nil, false, usageError(c, errors.New("flag provided but not defined: "+a), true)
		default:
			args = append(args, a)
		}
	}
	switch {
	case len(args) < least:
		return nil, false, usageError(c, errors.New("an argument is missing"), true)
	case len(args) > most:
		return nil, false, usageError(c, errors.New("too many arguments: "+strings.Join(args[most:], " ")), true)
	}
	return args, asJSON, nil
}
