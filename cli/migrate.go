package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
)

func migrateCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "migrate",
		Usage:     "bring the project's viber.yml to the newest schema",
		UsageText: "viber migrate [--to N] [--answer ID=VALUE] [--undo] [--dir D] [--yes | --dry-run | --confirm ID] [--json]",
		Description: "Asks what the file does not say, shows the diff, asks once, and changes exactly that. Comments and every\n" +
			"line that is not moved stay as they are. Run again, it does nothing.\n\n" +
			"Examples:\n   viber migrate\n   viber migrate --dry-run\n   viber migrate --yes --answer baseline-tests=fast\n   viber migrate --undo",
		Flags: append([]cli.Flag{
			&cli.IntFlag{Name: "to", Usage: "the schema to go to, as `N`", DefaultText: "the newest"},
			&cli.StringSliceFlag{Name: "answer", Usage: "answer a question of the migration, as `ID=VALUE`"},
			&cli.BoolFlag{Name: "undo", Usage: "take the last migration of this project back"},
			dirFlag(),
		}, consentFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			given, err := answers(c.StringSlice("answer"))
			if err != nil {
				return err
			}
			return install.Migrate(install.MigrateOptions{
				Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), To: c.Int("to"), Answers: given, Undo: c.Bool("undo"),
			})
		},
	}
}
