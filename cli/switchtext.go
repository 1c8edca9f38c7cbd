package cli

import (
	"github.com/urfave/cli/v2"
)

func switchTextCommand(env Env) *cli.Command {
	return contractCommand("switch-text", "print a skill's text fragment for the value of a switch",
		"viber switch-text KEY SKILL_DIR NAME",
		"Prints SKILL_DIR/fragments/NAME.VALUE.md, where VALUE is what KEY reads as, or nothing when there is none.\n\n"+
			"Example:\n   viber switch-text build.qa .claude/skills/demo closeout",
		func(_ *cli.Context, args []string) error { return saySwitchText(env, args) })
}
