package cli

import (
	"github.com/urfave/cli/v2"

	"viber/forge"
)

func issueCreateCommand(env Env) *cli.Command {
	return contractCommand("issue-create",
		"open an issue",
		"viber issue-create BODY-FILE TITLE [--type T] [--label L]... [--assignee A]... [--project P]...",
		"A type the repository does not take is dropped and told; the issue stands.\n\nExample:\n   viber issue-create body.md \"Lost parcels\" --type Bug --label parcels",
		func(c *cli.Context, args []string) error { return forge.IssueCreate(c.Context, env.forgeCall(args)) })
}
