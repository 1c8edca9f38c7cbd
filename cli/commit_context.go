package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run/commit"
)

func commitContextCommand(env Env) *cli.Command {
	return contractCommand("commit-context",
		"print what a commit message is written from",
		"viber commit-context [all | PATH...]",
		"Example:\n   viber commit-context lib/store.py",
		func(c *cli.Context, args []string) error { return commit.Context(c.Context, env.runCall(args)) })
}
