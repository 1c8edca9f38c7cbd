package cli

import (
	"github.com/urfave/cli/v2"

	"viber/forge"
)

func issueFactsCommand(env Env) *cli.Command {
	return contractCommand("issue-facts",
		"print an issue with its comments",
		"viber issue-facts ISSUE\nviber issue-facts --fenced ISSUE     for a model: what others wrote stands between tags with a random id",
		"ISSUE is a number, #NUMBER or the https link of the issue. Needs gh, logged in.\n\nExample:\n   viber issue-facts 42",
		func(c *cli.Context, args []string) error { return forge.IssueFacts(c.Context, env.forgeCall(args)) })
}
