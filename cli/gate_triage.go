package cli

import (
	"time"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/internal/fsx"
)

func gateTriageCommand(env Env) *cli.Command {
	return tableCommand(env, "triage",
		"check a triage against the reviews it stands on",
		`viber gate triage triage-round-1.json --reviewers-dir .
viber gate triage triage-round-1.json --reviewers-dir . --since 2026-05-01T10:00:00Z --apply
viber gate triage triage-round-1.json --reviewers-dir . --repo . --apply --output triage-output.json`,
		"Every finding of every review stands in exactly one of accepted, deferred and rejected, under its own fingerprint.\n"+
			"Reviews older than the round's start (round.json, or --since) are ignored and named. --output writes a triage that holds\n"+
			"to another file, with every finding's fingerprint: what 'viber flush' and 'viber rework' read.",
		[]string{"reviewers-dir=", "since=", "repo=", "apply", "output="},
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
			return published(env, a, o, gate.CheckTriage(o))
		})
}

// published answers like corrected; a triage that holds, or holds once corrected, is written to --output first.
func published(env Env, a rawArgs, o gate.TriageOptions, res gate.Result) error {
	output := env.path(a.value("output"))
	mended := res.Exit == gate.Contradiction && a.set["apply"]
	if output == "" || o.File == "-" || res.Exit != gate.Valid && !mended {
		return corrected(env, a, o.File, res)
	}
	if mended {
		if err := gate.Apply(env.Files, o.File, res.Corrections); err != nil {
			return answer(env, a, gate.Failed(res.Gate, o.File, err))
		}
	}
	text, err := gate.AnnotateFile(o.File, nil, o.Look)
	if err == nil {
		err = env.Files.Write(output, text.Text, fsx.Options{})
	}
	if err != nil {
		return answer(env, a, gate.Failed(res.Gate, o.File, err))
	}
	return answer(env, a, res)
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
