package cli

import (
	"github.com/urfave/cli/v2"
)

func runKillCommand(env Env) *cli.Command {
	return tableCommand(env, "kill", "mark a run stopped; no process is touched", "viber run kill RUN",
		"Its session may end with tasks left. 'viber plan-index PLAN --split', with which a build begins, takes the run up again.", nil,
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "RUN"); err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			s, err := f.GiveUp(env.stateCall())
			return wroteState(env, a, s, err)
		})
}
