package cli

import (
	"strconv"

	"github.com/urfave/cli/v2"
)

func runClockCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:     "run-clock",
		Category: forPlugin,
		Usage:    "print the time, or how long ago a printed time was",
		UsageText: `viber run-clock              started: 1700000000
viber run-clock 1700000000   elapsed: 12m 07s`,
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			return sayClock(env, c.Args().Slice())
		},
	}
}

// clock reads the present second. VIBER_TEST_NOW stands in for it: epoch seconds, or anything else for a broken clock.
func clock(env Env) (now int64, known bool) {
	frozen := env.Getenv("VIBER_TEST_NOW")
	if frozen == "" {
		return env.Now().Unix(), true
	}
	now, err := strconv.ParseInt(frozen, 10, 64)
	return now, err == nil
}
