package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateReviewerCommand(env Env) *cli.Command {
	return tableCommand(env, "reviewer",
		"check one review",
		`viber gate reviewer reviewer-1.json
viber gate reviewer reviewer-1.json --criteria criteria-manifest.json --repo .
viber gate reviewer reviewer-1.json --apply          write the correction of a contradiction into the file`,
		"Ends 2 when the review approves and has a blocking finding: approved=false is the correction.",
		[]string{"criteria=", "repo=", "apply"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one FILE"); err != nil {
				return err
			}
			o := gate.ReviewerOptions{File: env.path(a.words[0]), Stdin: env.Streams.In, Criteria: env.path(a.value("criteria")), Repo: env.path(a.value("repo"))}
			return corrected(env, a, o.File, gate.CheckReviewer(o))
		})
}

// corrected answers, and with --apply writes the corrections of a contradiction into the file first.
func corrected(env Env, a rawArgs, file string, res gate.Result) error {
	if a.set["apply"] && res.Exit == gate.Contradiction {
		if err := gate.Apply(env.Files, file, res.Corrections); err != nil {
			return answer(env, a, gate.Failed(res.Gate, file, err))
		}
	}
	return answer(env, a, res)
}
