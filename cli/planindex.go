package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func planIndexCommand(env Env) *cli.Command {
	return contractCommand("plan-index",
		"check a plan, print its index, decompose it into task files",
		`viber plan-index docs/_specs/KEY/plan.md              check the plan and print its index
viber plan-index docs/_specs/KEY/plan.md --json       the same as a model with lines and contracts
viber plan-index docs/_specs/KEY/plan.md --split      write spec.md, tasks/ and status.md, and commit them
viber plan-index docs/_specs/KEY/plan.md --extra T3   the paths task T3 touched beyond its own, and what to recheck`,
		"Ends 2 on a wrong command line, 3 when the plan is a draft, 4 when it is invalid; every defect is one line on stderr.",
		func(c *cli.Context, args []string) error { return run.PlanIndex(c.Context, env.runCall(args)) })
}
