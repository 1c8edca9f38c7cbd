package cli

import (
	"github.com/urfave/cli/v2"

	"viber/install"
)

func undoCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "undo",
		Usage:     "take back the last write of this project",
		UsageText: "viber undo [--list | --id ID] [--dir D] [--yes | --dry-run | --confirm ID] [--json]",
		Description: "Gives every file of that write the bytes it had before; refuses when one changed since.\n" +
			"A command that was stopped half way is taken back first.\n\n" +
			"Examples:\n   viber undo --list\n   viber undo\n   viber undo --id 4ab55142640a --dry-run",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "list", Usage: "show what was written, the newest first"},
			&cli.StringFlag{Name: "id", Usage: "the write to take back, by the `ID` in the list"},
			dirFlag(),
		}, consentFlags()...),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return install.Undo(install.UndoOptions{
				Env: installEnv(loudness(env, c)), Consent: consent(c), Dir: directory(env, c), List: c.Bool("list"), ID: c.String("id"),
			})
		},
	}
}
