package cli

import (
	"github.com/urfave/cli/v2"

	"viber/forge"
)

func prCreateCommand(env Env) *cli.Command {
	return contractCommand("pr-create",
		"push the current branch and open a pull request for it",
		"viber pr-create BODY-FILE TITLE --base BRANCH [--draft]",
		"Example:\n   viber pr-create body.md \"Keep parcels sorted\" --base main --draft",
		func(c *cli.Context, args []string) error { return forge.PRCreate(c.Context, env.forgeCall(args)) })
}
