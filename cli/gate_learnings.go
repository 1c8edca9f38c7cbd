package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateLearningsCommand(env Env) *cli.Command {
	return tableCommand(env, "learnings",
		"check what a run wants the project to remember",
		"viber gate learnings learnings.json",
		"Single sentences with a scope, nothing twice, no credential. The shape is printed by 'viber schema learnings'.",
		nil,
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one FILE"); err != nil {
				return err
			}
			return answer(env, a, gate.CheckLearnings(gate.LearningsOptions{File: env.path(a.words[0]), Stdin: env.Streams.In}))
		})
}
