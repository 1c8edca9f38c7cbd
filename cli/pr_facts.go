package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func prFactsCommand(env Env) *cli.Command {
	return contractCommand("pr-facts",
		"print what a pull request of this branch is made of",
		"viber pr-facts [--entry KEY | --target BRANCH]",
		"Prints STATUS=stop and a REASON when there can be none.\n\nExample:\n   viber pr-facts --target main",
		func(c *cli.Context, args []string) error { return run.PRFacts(c.Context, env.runCall(args)) })
}
