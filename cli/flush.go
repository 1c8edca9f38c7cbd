package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/run"
)

func flushCommand(env Env) *cli.Command {
	return tableCommand(env, "flush", "write what a run found into the repository's ledgers",
		"viber flush RUN\nviber flush --if-stale RUN\nviber flush RUN --patch run.patch        markers of this diff instead of the run's own",
		"Reads triage-output.json and the state, the salvaged copies first, and the shortcut markers that the run's commits add.\n"+
			"No model is called; writing twice writes once. With gates.ledger off nothing is kept.",
		[]string{"if-stale", "patch="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 1, "RUN"); err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			return keeping(env, a, func() error { return flush(env, c, a, f) })
		})
}

func flush(env Env, c *cli.Context, a rawArgs, f run.Stored) error {
	s, err := openLedger(env, c)
	if err != nil {
		return err
	}
	files := runFiles(f)
	if files.Patch = env.path(a.value("patch")); files.Patch == "" {
		files.Diff = f.Diff(c.Context, env.gitIn(f.Project))
	}
	out, err := s.Flush(files, a.set["if-stale"])
	if err != nil {
		return ledgerExit(err)
	}
	text := fmt.Sprintf("findings: %d new, preferences: %d new, debt: %d new", out.Findings, out.Preferences, out.Debt)
	if out.Fresh {
		text = "nothing changed since the last flush"
	}
	return show(env, a, out, text)
}
