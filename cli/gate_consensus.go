package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateConsensusCommand(env Env) *cli.Command {
	return tableCommand(env, "consensus",
		"check how far a triage says the reviewers agree",
		`viber gate consensus triage-round-1.json --reviewers-dir .
viber gate consensus triage-round-1.json --reviewers-dir . --apply`,
		"The verdict must follow from the reviews; a split names its points.",
		[]string{"reviewers-dir=", "since=", "apply"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one FILE"); err != nil {
				return err
			}
			since, err := since(a)
			if err != nil {
				return err
			}
			o := gate.ConsensusOptions{File: env.path(a.words[0]), Stdin: env.Streams.In, Reviewers: env.path(a.value("reviewers-dir")), Since: since}
			return corrected(env, a, o.File, gate.CheckConsensus(o))
		})
}
