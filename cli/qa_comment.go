package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func qaCommentCommand(env Env) *cli.Command {
	return contractCommand("qa-comment",
		"put a run's QA document on its issue or pull request, once",
		"viber qa-comment QA-FILE [--pr URL]",
		"Skips, and says why, when it is there already or there is nowhere to put it.\n\nExample:\n   viber qa-comment docs/specs/2026-03-04-05-06-07_parcels/qa.md",
		func(c *cli.Context, args []string) error { return run.QAComment(c.Context, env.runCall(args)) })
}
