package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
)

func hooksCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "hooks",
		Category:  forPeople,
		Usage:     "switch the hooks off for a while, and on again",
		UsageText: "viber hooks off [--for 1h]\nviber hooks on",
		Description: "Keeps the settings as they are; the hooks start and say nothing. Only a person on a terminal can switch them off.\n\n" +
			"Examples:\n   viber hooks off --for 30m\n   viber hooks on",
		Subcommands: []*cli.Command{
			{
				Name: "off", Usage: "let every hook stay silent", UsageText: "viber hooks off [--for 1h]",
				Flags: []cli.Flag{&cli.DurationFlag{Name: "for", Usage: "how long, as 30m or 2h (default: until they are switched on)"}},
				Action: func(c *cli.Context) error {
					return install.SwitchHooks(installEnv(env), false, c.Duration("for"))
				},
			},
			{
				Name: "on", Usage: "let the hooks speak again", UsageText: "viber hooks on",
				Action: func(*cli.Context) error { return install.SwitchHooks(installEnv(env), true, 0) },
			},
		},
	}
}
