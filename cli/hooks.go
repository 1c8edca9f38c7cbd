package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
)

func hooksCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "hooks",
		Usage:     "switch the hooks off for a while, and on again",
		UsageText: "viber hooks off [--for 1h]\nviber hooks on",
		Description: "Keeps the settings as they are; the hooks start and say nothing. Only a person on a terminal can switch them off.\n\n" +
			"Examples:\n   viber hooks off --for 30m\n   viber hooks on",
		Subcommands: []*cli.Command{
			{
				Name: "off", Usage: "let every hook stay silent", UsageText: "viber hooks off [--for TIME]",
				Description: "Without --for they stay off until they are switched on.\n\nExamples:\n   viber hooks off --for 30m\n   viber hooks off",
				Flags:       []cli.Flag{&cli.DurationFlag{Name: "for", Usage: "for how long: a `TIME` such as 30m or 2h"}},
				Action: func(c *cli.Context) error {
					return install.SwitchHooks(installEnv(env), false, c.Duration("for"))
				},
			},
			{
				Name: "on", Usage: "let the hooks speak again", UsageText: "viber hooks on",
				Description: "Example:\n   viber hooks on",
				Action:      func(*cli.Context) error { return install.SwitchHooks(installEnv(env), true, 0) },
			},
		},
	}
}
