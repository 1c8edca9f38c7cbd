package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/install"
	"viber/internal/exit"
	"viber/internal/gitx"
	"viber/ledger"
)

func ledgerCommand(env Env) *cli.Command {
	return groupCommand("ledger", "what this repository has learned: facts, lessons, preferences",
		"Kept under your own state directory, one store a repository; nothing of it is in the project. Credentials are refused (3).",
		ledgerAddCommand(env), ledgerFromTriageCommand(env), ledgerFeedbackCommand(env), ledgerForgetCommand(env), ledgerRecallCommand(env), ledgerListCommand(env), ledgerSessionsCommand(env), ledgerCompactCommand(env))
}

// openLedger opens the store of the repository around the working directory.
func openLedger(env Env, c *cli.Context) (ledger.Store, error) {
	places, err := install.FindPlaces(installEnv(env))
	if err != nil {
		return ledger.Store{}, err
	}
	root := env.Dir
	if l, ok := gitx.Find(env.Dir); ok && l.CommonDir != "" {
		root = l.CommonDir
	}
	return ledger.Open(places.State, ledger.Identity(c.Context, env.gitIn(env.Dir), root), env.Files, env.Now), nil
}

// ledgerCall is a command on the store of this repository.
func ledgerCall(env Env, name, usage, text string, options []string, words int, call func(a rawArgs, s ledger.Store) error) *cli.Command {
	return tableCommand(env, name, usage, text, "", options, func(c *cli.Context, a rawArgs) error {
		what := "options only"
		if words > 0 {
			what = "one FILE"
		}
		if err := a.count(words, words, what); err != nil {
			return err
		}
		s, err := openLedger(env, c)
		if err != nil {
			return err
		}
		return ledgerExit(call(a, s))
	})
}

// ledgerExit refuses with 3 what holds a credential.
func ledgerExit(err error) error {
	var secret *ledger.SecretError
	if errors.As(err, &secret) {
		return exit.With(exit.Refused, err)
	}
	return err
}

// keeping runs call unless the project keeps nothing of what reviews found (gates.ledger).
func keeping(env Env, a rawArgs, call func() error) error {
	if !projectConfig(env).Bool("gates.ledger") {
		return show(env, a, map[string]any{"kept": false, "reason": "gates.ledger is off"}, "nothing kept: gates.ledger is off in viber.yml")
	}
	return call()
}

func added(env Env, a rawArgs, out ledger.Added, err error) error {
	if err != nil && len(out.IDs) == 0 {
		return err
	}
	if showErr := show(env, a, out, fmt.Sprintf("new: %d of %d", out.New, len(out.IDs))); err == nil {
		return showErr
	}
	return err
}

func ledgerAddCommand(env Env) *cli.Command {
	return ledgerCall(env, "add", "remember a fact or lesson",
		`viber ledger add --kind fact --statement "The API client retries on 503" --scope "src/api/**" --task T3`,
		[]string{"kind=", "statement=", "scope=", "task="}, 0,
		func(a rawArgs, s ledger.Store) error {
			e := ledger.Entry{Kind: ledger.Kind(a.value("kind")), Statement: a.value("statement"), Scope: a.value("scope"), Task: a.value("task")}
			if e.Kind != ledger.Fact && e.Kind != ledger.Lesson {
				return usagef("--kind is fact or lesson")
			}
			if cause, want := gate.StatementProblem(e.Statement); cause != "" {
				return usagef("--statement: %s; want %s", cause, want)
			}
			if cause, want := gate.ScopeProblem(e.Scope); cause != "" {
				return usagef("--scope: %s; want %s", cause, want)
			}
			out, err := s.Add(e)
			if err != nil {
				return err
			}
			return show(env, a, out, "L:"+out.IDs[0])
		})
}

func ledgerFromTriageCommand(env Env) *cli.Command {
	return ledgerCall(env, "from-triage", "turn rejected findings into preferences; blocking ones never", "viber ledger from-triage triage-output.json",
		[]string{"task="}, 1,
		func(a rawArgs, s ledger.Store) error {
			return keeping(env, a, func() error {
				out, err := s.FromTriage(env.path(a.words[0]), a.value("task"))
				return added(env, a, out, err)
			})
		})
}

func ledgerFeedbackCommand(env Env) *cli.Command {
	return ledgerCall(env, "feedback", "say whether an entry helped", "viber ledger feedback --id L:3f9a1c7e5b2d --outcome useful --task T3",
		[]string{"id=", "outcome=", "task="}, 0,
		func(a rawArgs, s ledger.Store) error {
			switch a.value("outcome") {
			case "useful", "dead_end", "corrected":
				return s.About(ledger.Feedback, a.value("id"), a.value("outcome"), a.value("task"))
			}
			return usagef("--outcome is useful, dead_end or corrected")
		})
}

func ledgerForgetCommand(env Env) *cli.Command {
	return ledgerCall(env, "forget", "take an entry out", "viber ledger forget --id L:3f9a1c7e5b2d", []string{"id="}, 0,
		func(a rawArgs, s ledger.Store) error { return s.About(ledger.Forget, a.value("id"), "", "") })
}

func ledgerRecallCommand(env Env) *cli.Command {
	return ledgerCall(env, "recall", "print what is known about files, the nearest first",
		"viber ledger recall --path src/api/client.go\nviber ledger recall --path src/a.go --path src/b.go --limit 10", []string{"path=", "limit="}, 0,
		func(a rawArgs, s ledger.Store) error {
			limit, err := limitOf(a)
			if err != nil {
				return err
			}
			all, err := s.Recall(a.values["path"], limit)
			if err != nil {
				return err
			}
			return recalled(env, a, all)
		})
}

func limitOf(a rawArgs) (int, error) {
	text := a.value("limit")
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usagef("--limit %q is no number from 1", text)
	}
	return n, nil
}

func recalled(env Env, a rawArgs, all []ledger.Recalled) error {
	if a.set["json"] {
		return show(env, a, map[string]any{"entries": all}, "")
	}
	var b strings.Builder
	for _, r := range all {
		b.WriteString(r.Line() + "\n")
	}
	_, err := fmt.Fprint(env.Streams.Out, b.String())
	return err
}

func ledgerListCommand(env Env) *cli.Command {
	return ledgerCall(env, "list", "print every fact, lesson and preference", "viber ledger list [--json]", nil, 0,
		func(a rawArgs, s ledger.Store) error {
			return listed(env, a, s, ledger.Fact, ledger.Lesson, ledger.Rejected)
		})
}

func listed(env Env, a rawArgs, s ledger.Store, kinds ...ledger.Kind) error {
	all, broken, err := s.Entries(kinds...)
	if err != nil {
		return err
	}
	if broken > 0 {
		fmt.Fprintf(env.Streams.Err, "viber: warning: %d lines of %s cannot be read and were left alone\n", broken, filepath.Join(s.Dir, "ledger.jsonl"))
	}
	if a.set["json"] {
		return show(env, a, map[string]any{"entries": append([]ledger.Entry{}, all...)}, "")
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintln(&b, e.Summary())
	}
	_, err = fmt.Fprint(env.Streams.Out, b.String())
	return err
}

func ledgerCompactCommand(env Env) *cli.Command {
	return ledgerCall(env, "compact", "rewrite the store without what was forgotten or resolved", "viber ledger compact", nil, 0,
		func(a rawArgs, s ledger.Store) error {
			n, err := s.Compact()
			if err != nil {
				return err
			}
			return show(env, a, map[string]int{"dropped": n}, fmt.Sprintf("dropped: %d", n))
		})
}
