package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
)

func statusCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "show what is set up where, and what drifted",
		UsageText: "viber status [--json] [--check] [--dir D]",
		Description: "Reads only. --check ends with 5 when something drifted or is not set up.\n\n" +
			"Examples:\n   viber status\n   viber status --check --json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "json", Usage: "print the state as JSON"},
			&cli.BoolFlag{Name: "check", Usage: "exit 5 when 'viber setup' would change something"},
			dirFlag(),
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return install.ShowStatus(install.StatusOptions{
				Env: installEnv(env), Dir: directory(env, c), JSON: c.Bool("json"), Check: c.Bool("check"),
			})
		},
	}
}
