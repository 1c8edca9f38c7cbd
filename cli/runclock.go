package cli

import (
	"strconv"

	"github.com/urfave/cli/v2"
)

func runClockCommand(env Env) *cli.Command {
	return contractCommand("run-clock", "print the time, or how long ago a printed time was",
		"viber run-clock [SECONDS]",
		"Prints `started:` and the seconds since 1970, or `elapsed:` and the time since SECONDS.\n\n"+
			"Examples:\n   viber run-clock\n   viber run-clock 1700000000",
		func(_ *cli.Context, args []string) error { return sayClock(env, args) })
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
