package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run/commit"
)

func commitSelfcheckCommand(env Env) *cli.Command {
	return contractCommand("commit-selfcheck",
		"tell whether a commit was made since",
		"viber commit-selfcheck BEFORE-SHA",
		"BEFORE-SHA is the commit HEAD was at, or (none).\n\nExample:\n   viber commit-selfcheck 1c0b44e",
		func(c *cli.Context, args []string) error { return commit.Selfcheck(c.Context, env.runCall(args)) })
}
