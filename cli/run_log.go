package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/run"
)

func runLogCommand(env Env) *cli.Command {
	return tableCommand(env, "log", "print a run's events, or add one",
		`viber run log RUN
viber run log add RUN review.reviewer_timeout reviewer=opus
viber run log add RUN review.diff_truncated bytes_dropped=81234`,
		"Events are kept beside the state; a credential among the values is refused.", nil,
		func(c *cli.Context, a rawArgs) error {
			if len(a.words) > 0 && a.words[0] == "add" {
				return addEvent(env, a.words[1:])
			}
			if err := a.count(0, 1, "RUN"); err != nil {
				return err
			}
			f, err := findRun(env, a.words)
			if err != nil {
				return err
			}
			events, err := f.Events()
			if err != nil {
				return stateExit(err)
			}
			return showEvents(env, a, events)
		})
}

func addEvent(env Env, words []string) error {
	if len(words) < 2 {
		return usagef("want log add RUN EVENT [KEY=VALUE ...]")
	}
	f, err := findRun(env, words[:1])
	if err != nil {
		return err
	}
	return stateExit(f.AddEvent(words[1], words[2:]))
}

func showEvents(env Env, a rawArgs, events []run.Event) error {
	if a.set["json"] {
		return show(env, a, map[string]any{"events": append([]run.Event{}, events...)}, "")
	}
	var b strings.Builder
	for _, e := range events {
		b.WriteString(e.String() + "\n")
	}
	_, err := fmt.Fprint(env.Streams.Out, b.String())
	return err
}
