package cli

import (
	"github.com/urfave/cli/v2"

	"viber/gate"
)

func gateFingerprintCommand(env Env) *cli.Command {
	return groupCommand("fingerprint", "give findings an identity across rounds, compare rounds",
		"An identity stays when lines move, code is reformatted or renamed (with --repo), and when the wording changes a little.",
		fingerprintAnnotateCommand(env), fingerprintDeltaCommand(env))
}

func fingerprintAnnotateCommand(env Env) *cli.Command {
	return tableCommand(env, "annotate",
		"stamp every finding of reviews and triages",
		`viber gate fingerprint annotate --in-place --repo . reviewer-1.json reviewer-2.json
viber gate fingerprint annotate --previous triage-round-1.json triage-round-2.json`,
		"Without --in-place the annotated file is printed. A fingerprint that is there is kept.",
		[]string{"in-place", "repo=", "previous="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1000, "at least one FILE"); err != nil {
				return err
			}
			look, err := lookAt(env, c, a)
			if err != nil {
				return answer(env, a, gate.Failed("fingerprint", a.words[0], err))
			}
			return annotate(env, a, look)
		})
}

func annotate(env Env, a rawArgs, look gate.Look) error {
	files := make([]string, len(a.words))
	for i, f := range a.words {
		files[i] = env.path(f)
	}
	o := gate.AnnotateOptions{Files: files, Previous: env.path(a.value("previous")), InPlace: a.set["in-place"], JSON: a.set["json"], Look: look, Door: env.Files, Out: env.Streams.Out}
	if res, ok := gate.AnnotateFiles(o); !ok {
		return answer(env, a, res)
	}
	return nil
}

func fingerprintDeltaCommand(env Env) *cli.Command {
	return tableCommand(env, "delta",
		"say which findings of an earlier round are fixed, still present, new",
		"viber gate fingerprint delta triage-round-1.json triage-round-2.json",
		"Prints one object with fixed[], stillPresent[] and new[].",
		[]string{"repo="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(2, 2, "OLD and NEW"); err != nil {
				return err
			}
			look, err := lookAt(env, c, a)
			if err != nil {
				return answer(env, a, gate.Failed("fingerprint", a.words[1], err))
			}
			if res, ok := gate.PrintDelta(env.Streams.Out, env.path(a.words[0]), env.path(a.words[1]), look, a.set["json"]); !ok {
				return answer(env, a, res)
			}
			return nil
		})
}
