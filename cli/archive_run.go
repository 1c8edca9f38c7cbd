package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run/commit"
)

func archiveRunCommand(env Env) *cli.Command {
	return contractCommand("archive-run",
		"move a finished run to the specifications",
		"viber archive-run RUN-DIRECTORY",
		"Moves the run in one commit and drops what only the build needed: plan.md, status.md, tasks/ and work/.\n\n"+
			"Exit: 2 not a run directory, 3 archived already, 4 unfinished, 5 the commit could not be made and nothing was moved.\n\n"+
			"Example:\n   viber archive-run docs/_specs/2026-03-04-05-06-07_parcels",
		func(c *cli.Context, args []string) error {
			return interruptible(c.Context, commit.Archive, env.runCall(args))
		})
}
