package cli

import (
	"github.com/urfave/cli/v2"

	"viber/forge"
)

func postCommentCommand(env Env) *cli.Command {
	return contractCommand("post-comment",
		"put the text of a file on an issue",
		"viber post-comment ISSUE FILE",
		"Posts once and prints the link of the comment; nothing is tried a second time.\n\nExample:\n   viber post-comment 42 comment.md",
		func(c *cli.Context, args []string) error { return forge.PostComment(c.Context, env.forgeCall(args)) })
}
