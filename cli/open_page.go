package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func openPageCommand(env Env) *cli.Command {
	return contractCommand("open-page",
		"show a page in the browser",
		"viber open-page FILE",
		"Example:\n   viber open-page docs/_specs/2026-03-04-05-06-07_parcels/prototype.html",
		func(c *cli.Context, args []string) error { return run.OpenPage(c.Context, env.runCall(args)) })
}
