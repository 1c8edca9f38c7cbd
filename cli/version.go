package cli

import (
	"encoding/json"

	"github.com/urfave/cli/v2"

	"viber/internal/buildinfo"
)

func versionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version of this binary",
		UsageText:   "viber version [--json]",
		Description: "Examples:\n   viber version\n   viber version --json",
		Flags:       []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print version, commit, date, release source and signing keys as JSON"}},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if c.Bool("json") {
				return json.NewEncoder(env.Streams.Out).Encode(buildinfo.Current())
			}
			return sayVersion(env)
		},
	}
}
