package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
	"viber/install/plugin"
)

func doctorCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "try the registered hooks, find what keeps viber from working",
		UsageText: "viber doctor [--dir D] [--json] [--report] [--fix [--yes | --dry-run | --confirm ID]]",
		Description: "Runs each registered hook line that leads to this very executable, with payloads that must be denied and that\n" +
			"must pass; lines of others are listed and never run. Looks for settings the client would silently ignore, entries that\n" +
			"are gone, stale or doubled, a second viber, an old client, a plugin of another version, files that cannot be written.\n" +
			"Ends with exit code 1 when it found an error.\n\n" +
			"Examples:\n   viber doctor\n   viber doctor --json\n   viber doctor --fix --dry-run",
		Flags: append([]cli.Flag{
			dirFlag(),
			&cli.BoolFlag{Name: "fix", Usage: "show the repairs as a diff and apply them after a question"},
			&cli.BoolFlag{Name: "report", Usage: "write a report without personal data into the working directory"},
		}, consentFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return install.Doctor(install.DoctorOptions{
				Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), Fix: c.Bool("fix"), Report: c.Bool("report"),
				More: func(install.Places, install.Project) []install.Finding {
					return plugin.Findings(installEnv(env), directory(env, c))
				},
			})
		},
	}
}
