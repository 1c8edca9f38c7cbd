package cli

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/gate"
	"viber/run"
)

func runStateCommand(env Env) *cli.Command {
	return groupCommand("state", "read and change a run's state", "The state is a JSON file; its shape is printed by 'viber schema state'.",
		stateGetCommand(env), stateSetCommand(env), stateAskCommand(env))
}

func stateGetCommand(env Env) *cli.Command {
	return tableCommand(env, "get", "print a run's state, or the part a JSON pointer names",
		"viber run state get\nviber run state get RUN /reviewIterations/-1", "", nil,
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 2, "RUN and a JSON pointer"); err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			_, tree, err := f.Load()
			if err != nil {
				return stateExit(err)
			}
			pointer := ""
			if len(a.words) == 2 {
				pointer = a.words[1]
			}
			v, err := tree.At(pointer)
			if err != nil {
				return stateExit(err)
			}
			e := json.NewEncoder(env.Streams.Out)
			e.SetIndent("", "  ")
			return e.Encode(v)
		})
}

func stateSetCommand(env Env) *cli.Command {
	return tableCommand(env, "set", "change a run's state, if it still has the version you read",
		`viber run state set RUN status=running phase=build
viber run state set RUN --if-version 7 phases.build.retryCount=1
viber run state set KEY --if-version 0 task=PROJ-12  begin the state of a run that has no plan
viber run state set RUN --merge patch.json          a JSON merge patch; - for standard input`,
		"KEY may be dotted, VALUE is JSON or else a text, null removes. Without --if-version the change goes on top of whatever is there.",
		[]string{"if-version=", "merge="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1000, "RUN and KEY=VALUE"); err != nil {
				return err
			}
			want, err := ifVersion(a)
			if err != nil {
				return err
			}
			patch, err := statePatch(env, a)
			if err != nil {
				return err
			}
			f, err := env.stateCall().FindOrBegin(a.words[0], want)
			if err != nil {
				return stateExit(err)
			}
			s, err := f.Merge(env.stateCall(), want, patch)
			return wroteState(env, a, s, err)
		})
}

func statePatch(env Env, a rawArgs) (run.Tree, error) {
	if a.value("merge") == "" {
		if len(a.words) < 2 {
			return nil, usagef("want KEY=VALUE or --merge FILE")
		}
		patch, err := run.ParseAssignments(a.words[1:])
		if err != nil {
			return nil, usagef("%v", err)
		}
		return patch, nil
	}
	if len(a.words) > 1 {
		return nil, usagef("--merge and KEY=VALUE do not go together")
	}
	data, err := gate.ReadInput(env.path(a.value("merge")), env.Streams.In)
	if err != nil {
		return nil, stateExit(err)
	}
	patch, err := run.ParsePatch(data)
	return patch, stateExit(err)
}

// ifVersion reads --if-version; -1 when it was not given.
func ifVersion(a rawArgs) (int64, error) {
	text := a.value("if-version")
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, usagef("--if-version %q is no version", text)
	}
	return n, nil
}

func stateAskCommand(env Env) *cli.Command {
	return tableCommand(env, "ask", "park a run on a question",
		`viber run state ask RUN --id q1 --step review --text "Ship with 2 parked findings?" --option ship="Ship it" --option back="Send one back"`,
		"--kind is single (the default), multi or free.",
		[]string{"id=", "step=", "text=", "kind=", "option=", "if-version="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 1, "RUN"); err != nil {
				return err
			}
			want, err := ifVersion(a)
			if err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			s, err := f.File.Ask(want, question(a))
			return wroteState(env, a, s, err)
		})
}

func question(a rawArgs) run.Question {
	q := run.Question{ID: a.value("id"), StepID: a.value("step"), Text: a.value("text"), Kind: run.QuestionKind(a.value("kind"))}
	if q.Kind == "" {
		q.Kind = "single"
	}
	for _, o := range a.values["option"] {
		id, label, _ := strings.Cut(o, "=")
		if label == "" {
			label = id
		}
		q.Options = append(q.Options, run.Option{ID: id, Label: label})
	}
	return q
}
