package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func handoffPathCommand(env Env) *cli.Command {
	return contractCommand("handoff-path",
		"print where a handoff note goes",
		"viber handoff-path [TARGET]",
		"TARGET is a directory or a .md file, from the top of the repository; without it .temp/viber/handoff.\n\nExample:\n   viber handoff-path notes/today.md",
		func(c *cli.Context, args []string) error { return run.HandoffPath(c.Context, env.runCall(args)) })
}
