package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func checkPlaywrightCommand(env Env) *cli.Command {
	return contractCommand("check-playwright",
		"tell whether playwright is at hand",
		"viber check-playwright",
		"Example:\n   viber check-playwright",
		func(c *cli.Context, args []string) error { return run.CheckPlaywright(c.Context, env.runCall(args)) })
}
