package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gatePRBodyCommand(env Env) *cli.Command {
	return tableCommand(env, "pr-body",
		"check that the text of a pull request tells what it must",
		`viber gate pr-body body.md --scope scope.json --triage triage-output.json
viber gate pr-body body.md --state state.json --patch diff.patch --risk security_path`,
		"Reasons of the scope, what was left out, deferred and parked findings, shortcut markers and advisories must be told;\n"+
			"a diff with risk signals needs a Risk section. A placeholder counts as missing.",
		[]string{"scope=", "triage=", "state=", "patch=", "risk=", "advisory="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one BODY"); err != nil {
				return err
			}
			sources := gate.PRSources{Body: env.path(a.words[0]), Scope: env.path(a.value("scope")), Triage: env.path(a.value("triage")),
				State: env.path(a.value("state")), Patch: env.path(a.value("patch")), Risks: a.values["risk"], Advisories: a.values["advisory"]}
			return answer(env, a, gate.CheckPR(sources, env.Streams.In))
		})
}
