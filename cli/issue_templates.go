package cli

import (
	"github.com/urfave/cli/v2"

	"viber/forge"
)

func issueTemplatesCommand(env Env) *cli.Command {
	return contractCommand("issue-templates",
		"print the repository's issue forms",
		"viber issue-templates",
		"Prints the defaults of each form in .github/ISSUE_TEMPLATE.\n\nExample:\n   viber issue-templates",
		func(c *cli.Context, args []string) error { return forge.IssueTemplates(c.Context, env.forgeCall(args)) })
}
