package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func planPathCommand(env Env) *cli.Command {
	return contractCommand("plan-path",
		"find or land a plan, set the run branch",
		`viber plan-path                                the run most recently worked on
viber plan-path --land PLAN [--into KEY]       copy an approved plan into its run directory
viber plan-path --branch PLAN                  what landing PLAN would do to branches
viber plan-path --start [ISSUE-URL]            the same before there is a plan
viber plan-path --checkout BRANCH              put HEAD onto an existing local branch`,
		`Ends 2 on a wrong command line, 3 without a plan, 4 when --into names a run that is no draft, 5 when the plan could not
be copied, 6 when the run branch could not be set, 7 when another landing is in the way. A refusal changes nothing.

Example:
   viber plan-path --land ~/.claude/plans/calm-otter.md`,
		func(c *cli.Context, args []string) error { return run.PlanPath(c.Context, env.runCall(args)) })
}
