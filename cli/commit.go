package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run/commit"
)

func commitCommand(env Env) *cli.Command {
	return contractCommand("commit",
		"commit everything, or the paths named",
		"viber commit MESSAGE [all | PATH...]",
		"Nothing of what else is staged comes along when paths are named.\n\nExample:\n   viber commit \"fix: keep parcels sorted\" lib/store.py",
		func(c *cli.Context, args []string) error {
			return interruptible(c.Context, commit.Commit, env.runCall(args))
		})
}
