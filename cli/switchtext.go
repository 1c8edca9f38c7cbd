package cli

import (
	"github.com/urfave/cli/v2"
)

func switchTextCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:     "switch-text",
		Category: forPlugin,
		Usage:    "print a skill's text fragment for the value of a switch",
		UsageText: `viber switch-text KEY SKILL_DIR NAME

prints SKILL_DIR/fragments/NAME.<value of KEY>.md, or nothing when there is none

   viber switch-text build.qa .claude/skills/demo closeout`,
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			return saySwitchText(env, c.Args().Slice())
		},
	}
}
