package cli

import (
	"errors"

	"github.com/urfave/cli/v2"

	"viber/hooksimpl"
	"viber/internal/exit"
)

func scanCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "scan",
		Usage:     "look for credentials, as guards.secrets does before a commit",
		UsageText: "viber scan [--staged | --range A..B | PATH...] [--json]",
		Description: "Without a choice the staged changes are scanned. Values are never shown: a finding names file, line and rule. Exit code 0:\n" +
			"nothing found; 3: a credential that is not allowed; 1: the scan failed.\n\n" +
			"Example:\n   viber scan --staged\n   viber scan --range origin/main..HEAD\n   viber scan --json src deploy.env",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "staged", Usage: "what a commit would add now"},
			&cli.StringFlag{Name: "range", Usage: "what the commits of `A..B` add"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			choices := 0
			for _, chosen := range []bool{c.Bool("staged"), c.IsSet("range"), c.Args().Present()} {
				if chosen {
					choices++
				}
			}
			if choices > 1 {
				return exit.With(exit.Usage, errors.New("--staged, --range and paths exclude each other"))
			}
			clean, err := hooksimpl.Scan(hooksimpl.ScanOptions{
				World: hookWorld(env, hookUser(env), ""), Dir: env.Dir, Staged: c.Bool("staged"), Range: c.String("range"), Paths: c.Args().Slice(), JSON: c.Bool("json"), Out: env.Streams.Out,
			})
			if err == nil && !clean {
				return exit.Status(exit.Refused)
			}
			return err
		},
	}
}
