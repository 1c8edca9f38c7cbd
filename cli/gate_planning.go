package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/run"
)

func gatePlanningCommand(env Env) *cli.Command {
	return tableCommand(env, "planning",
		"check a plan as a graph of tasks",
		`viber gate planning plan.json                       ids, files, dependencies, review focus
viber gate planning plan.json --spec spec.md        the global constraints must stand in spec.md too
viber gate planning --from-plan docs/_specs/KEY/plan.md`,
		"The shape is printed by 'viber schema planning'.",
		[]string{"spec=", "from-plan="},
		func(c *cli.Context, a rawArgs) error {
			o := gate.PlanningOptions{Stdin: env.Streams.In, Spec: env.path(a.value("spec"))}
			if plan := a.value("from-plan"); plan != "" {
				if err := a.count(0, 0, "no FILE beside --from-plan"); err != nil {
					return err
				}
				return answer(env, a, run.GatePlanning(env.Dir, plan, o))
			}
			if err := a.count(1, 1, "one FILE, or --from-plan PLAN.md"); err != nil {
				return err
			}
			o.File = env.path(a.words[0])
			return answer(env, a, gate.CheckPlanning(o))
		})
}
