package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
)

func uninstallCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "uninstall",
		Usage:     "remove exactly what viber put in place",
		UsageText: "viber uninstall [--all] [--purge] [--dir D] [--yes | --dry-run | --confirm ID] [--json]",
		Description: "Removes hooks, permission rules, plugin and .gitignore lines of your user settings and this project.\n" +
			"Files that you changed stay and are listed. The settings file gets the bytes it had before.\n" +
			"Run it before you remove the program itself.\n\n" +
			"Examples:\n   viber uninstall --dry-run\n   viber uninstall --yes --all",
		Flags: append([]cli.Flag{
			dirFlag(),
			&cli.BoolFlag{Name: "all", Usage: "in every project that viber was set up for"},
			&cli.BoolFlag{Name: "purge", Usage: "remove .claude/viber.yml too"},
		}, consentFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return install.Uninstall(install.UninstallOptions{
				Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), All: c.Bool("all"), Purge: c.Bool("purge"),
			})
		},
	}
}
