package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateRebuttalCommand(env Env) *cli.Command {
	return tableCommand(env, "rebuttal",
		"check which findings of the others a reviewer disputes",
		"viber gate rebuttal rebuttal-tests.json --findings findings-tests.json",
		"Every point names a finding of another reviewer as it stands, once, with a reason. The shape is printed by 'viber schema rebuttal'.",
		[]string{"findings="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one FILE"); err != nil {
				return err
			}
			return answer(env, a, gate.CheckRebuttal(gate.RebuttalOptions{File: env.path(a.words[0]), Stdin: env.Streams.In, Findings: env.path(a.value("findings"))}))
		})
}
