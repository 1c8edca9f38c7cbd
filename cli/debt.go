package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/internal/patch"
	"viber/ledger"
	"viber/run"
)

func debtCommand(env Env) *cli.Command {
	return groupCommand("debt", "what was left undone: parked findings, shortcut markers", "",
		debtFromRunCommand(env), debtAddCommand(env), debtMarkersCommand(env), debtResolveCommand(env), debtListCommand(env))
}

func debtFromRunCommand(env Env) *cli.Command {
	return ledgerCall(env, "from-run", "remember the deferred and parked findings of a run", "viber debt from-run RUN", nil, 1,
		func(a rawArgs, s ledger.Store) error {
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			return keeping(env, a, func() error {
				out, err := s.DebtFromRun(runFiles(f))
				return added(env, a, out, err)
			})
		})
}

// runFiles are the files of a run that the ledgers read.
func runFiles(f run.Stored) ledger.RunFiles {
	triage, state := f.LearningFiles()
	return ledger.RunFiles{Triage: triage, State: state, Task: f.Key, Stamp: f.FlushStamp()}
}

func debtAddCommand(env Env) *cli.Command {
	return ledgerCall(env, "add", "remember the shortcut markers that a patch adds", "git diff main...HEAD > run.patch && viber debt add --patch run.patch",
		[]string{"patch=", "task="}, 0,
		func(a rawArgs, s ledger.Store) error {
			if a.value("patch") == "" {
				return usagef("--patch FILE is missing")
			}
			out, err := s.AddMarkers(env.path(a.value("patch")), a.value("task"))
			return added(env, a, out, err)
		})
}

func debtMarkersCommand(env Env) *cli.Command {
	return tableCommand(env, "markers", "print the shortcut markers that a patch adds; nothing is remembered",
		"git diff main...HEAD | viber debt markers", "A marker is a comment with 'shortcut:' and a text. --patch FILE reads a file instead of standard input.", []string{"patch="},
		func(c *cli.Context, a rawArgs) error {
			file := env.path(a.value("patch"))
			if file == "" {
				file = "-"
			}
			text, err := gate.ReadInput(file, env.Streams.In)
			if err != nil {
				return err
			}
			all := patch.Markers(text)
			var b strings.Builder
			fmt.Fprintf(&b, "markers: %d", len(all))
			for _, m := range all {
				fmt.Fprintf(&b, "\n%s:%d %s", m.File, m.Line, m.Text)
			}
			return show(env, a, map[string]any{"markers": append([]patch.Marker{}, all...)}, b.String())
		})
}

func debtResolveCommand(env Env) *cli.Command {
	return ledgerCall(env, "resolve", "say that a debt is paid", "viber debt resolve --id L:3f9a1c7e5b2d", []string{"id="}, 0,
		func(a rawArgs, s ledger.Store) error { return s.About(ledger.Resolved, a.value("id"), "", "") })
}

func debtListCommand(env Env) *cli.Command {
	return ledgerCall(env, "list", "print the open debt", "viber debt list [--json]", nil, 0,
		func(a rawArgs, s ledger.Store) error { return listed(env, a, s, ledger.Debt) })
}
