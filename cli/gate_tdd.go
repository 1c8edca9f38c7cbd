package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateTDDCommand(env Env) *cli.Command {
	return tableCommand(env, "tdd",
		"check that tests failed before they passed",
		`viber gate tdd todos.json
viber gate tdd todos.json --repo . --patch-range main...HEAD`,
		"With a range, a Reuse todo's file may not be one that the diff adds.",
		[]string{"repo=", "patch-range="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one FILE"); err != nil {
				return err
			}
			diff, err := diffFiles(env, c, a)
			if err != nil {
				return answer(env, a, gate.Failed("tdd", a.words[0], err))
			}
			return answer(env, a, gate.CheckTDD(gate.TDDOptions{File: env.path(a.words[0]), Stdin: env.Streams.In, Added: gate.Added(diff)}))
		})
}
