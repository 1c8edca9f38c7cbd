package cli

import (
	"github.com/urfave/cli/v2"

	"viber/ledger"
)

func memoryCommand(env Env) *cli.Command {
	return groupCommand("memory", "earlier findings of this repository and what came of them", "",
		memoryIngestCommand(env), memoryRecallCommand(env))
}

func memoryIngestCommand(env Env) *cli.Command {
	return ledgerCall(env, "ingest", "remember the findings of a triage, or of a run", "viber memory ingest --triage triage-output.json\nviber memory ingest --run RUN",
		[]string{"triage=", "run=", "task="}, 0,
		func(a rawArgs, s ledger.Store) error {
			file, task := env.path(a.value("triage")), a.value("task")
			if a.value("run") != "" {
				f, err := findRun(env, []string{a.value("run")})
				if err != nil {
					return err
				}
				file, task = runFiles(f).Triage, f.Key
			}
			if file == "" {
				return usagef("--triage FILE or --run RUN is missing, or the run has no triage-output.json")
			}
			return keeping(env, a, func() error {
				out, err := s.IngestTriage(file, task)
				return added(env, a, out, err)
			})
		})
}

func memoryRecallCommand(env Env) *cli.Command {
	return ledgerCall(env, "recall", "print earlier findings that are like an issue in a file", `viber memory recall --file src/api/client.go --issue "error of Close is ignored"`,
		[]string{"file=", "issue=", "limit="}, 0,
		func(a rawArgs, s ledger.Store) error {
			if a.value("file") == "" {
				return usagef("--file PATH is missing")
			}
			limit, err := limitOf(a)
			if err != nil {
				return err
			}
			all, err := s.PriorArt(a.value("file"), a.value("issue"), limit)
			if err != nil {
				return err
			}
			return priorArt(env, a, all)
		})
}

func priorArt(env Env, a rawArgs, all []ledger.Recalled) error {
	for i := range all {
		if !a.set["json"] {
			all[i].Statement = all[i].Told()
		}
	}
	return recalled(env, a, all)
}
