package cli

import (
	"github.com/urfave/cli/v2"

	"viber/run"
)

func runKillCommand(env Env) *cli.Command {
	return tableCommand(env, "kill", "mark a run stopped; no process is touched", "viber run kill RUN", "", nil,
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "RUN"); err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			s, err := f.Merge(env.stateCall(), -1, run.Tree{"status": "stopped"})
			if err == nil {
				err = f.AddEvent("run.stopped", []string{"by=kill"})
			}
			return wroteState(env, a, s, err)
		})
}
