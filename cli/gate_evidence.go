package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateEvidenceCommand(env Env) *cli.Command {
	return tableCommand(env, "evidence",
		"check a claim about a test run by its log",
		`viber gate evidence work/tests-1.log --repo .
viber gate evidence work/tests-1.log --claim red`,
		"The log names the command in a line '$ COMMAND', its end in a line 'exit: STATUS', and is not older than the change.",
		[]string{"claim=", "repo=", "diff-files=", "patch-range="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one LOG"); err != nil {
				return err
			}
			o := gate.EvidenceOptions{Log: env.path(a.words[0]), Stdin: env.Streams.In, Claim: a.value("claim")}
			if o.Claim == "" {
				o.Claim = "green"
			}
			if a.value("repo") != "" || a.value("diff-files") != "" {
				diff, err := diffFiles(env, c, a)
				if err == nil {
					o.ChangedAt, o.ChangedBy, err = gate.Newest(c.Context, env.gitIn(repoDir(env, a)), repoDir(env, a), diff)
				}
				if err != nil {
					return answer(env, a, gate.Failed("evidence", o.Log, err))
				}
			}
			return answer(env, a, gate.CheckEvidence(o))
		})
}
