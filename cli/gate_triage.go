package cli

import (
	"time"

	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateTriageCommand(env Env) *cli.Command {
	return tableCommand(env, "triage",
		"check a triage against the reviews it stands on",
		`viber gate triage triage-round-1.json --reviewers-dir .
viber gate triage triage-round-1.json --reviewers-dir . --since 2026-05-01T10:00:00Z --apply`,
		"Every finding of every review stands in exactly one of accepted, deferred and rejected, under its own fingerprint.\n"+
			"Reviews older than the round's start (round.json, or --since) are ignored and named.",
		[]string{"reviewers-dir=", "since=", "repo=", "apply"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one FILE"); err != nil {
				return err
			}
			since, err := since(a)
			if err != nil {
				return err
			}
			look, err := lookAt(env, c, a)
			if err != nil {
				return answer(env, a, gate.Failed("triage", a.words[0], err))
			}
			o := gate.TriageOptions{File: env.path(a.words[0]), Stdin: env.Streams.In, Reviewers: env.path(a.value("reviewers-dir")), Since: since, Look: look}
			return corrected(env, a, o.File, gate.CheckTriage(o))
		})
}

func since(a rawArgs) (time.Time, error) {
	if a.value("since") == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, a.value("since"))
	if err != nil {
		return t, usagef("--since %q is no time such as 2026-05-01T10:00:00Z", a.value("since"))
	}
	return t, nil
}

// lookAt opens the tree of --repo for fingerprints; without it nothing is known of the code.
func lookAt(env Env, c *cli.Context, a rawArgs) (gate.Look, error) {
	if a.value("repo") == "" {
		return gate.Look{}, nil
	}
	dir := env.path(a.value("repo"))
	return gate.LookAt(dir, gate.Origins(c.Context, env.gitIn(dir)))
}
