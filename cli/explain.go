package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"viber/hooksimpl"
	"viber/internal/exit"
	"viber/internal/fsx"
)

func explainCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:  "explain",
		Usage: "show what the hooks say to something, and why",
		Description: "Nothing that is judged is run, and nothing is changed: the checks only read. syntax starts the parsers that it would start.\n\n" +
			"Examples:\n   viber explain command 'git push --force'\n   viber explain hook payload.json",
		Subcommands: []*cli.Command{explainShell(env), explainHook(env), explainGate(env)},
	}
}

func explainShell(env Env) *cli.Command {
	return &cli.Command{
		Name:      "command",
		Usage:     "judge a shell command as the hooks would before it runs",
		UsageText: "viber explain command [--agent TYPE] [--tool Bash|PowerShell] [--json] 'COMMAND'",
		Description: "Example:\n   viber explain command --agent viber:task-coder 'ps ax | xargs kill'\n\n" +
			"Without --agent the command is one of the main session.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "agent", Usage: "`TYPE` of the agent that runs the command, as viber:task-coder"},
			&cli.StringFlag{Name: "tool", Value: hooksimpl.ToolBash, Usage: "the client's `TOOL`: Bash or PowerShell"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			if c.Args().Len() != 1 {
				return exit.With(exit.Usage, errors.New("give the command as one argument, in quotes"))
			}
			p := hooksimpl.CommandPayload(c.String("tool"), c.Args().First(), c.String("agent"), env.Dir)
			return printExplanations(env, c, hooksimpl.Explain(hookWorld(env, hookUser(env), ""), p))
		},
	}
}

func explainHook(env Env) *cli.Command {
	return &cli.Command{
		Name:        "hook",
		Usage:       "judge a hook payload",
		UsageText:   "viber explain hook [--json] PAYLOAD.json|-",
		Description: "Example:\n   viber explain hook payload.json",
		Flags:       []cli.Flag{jsonFlag()},
		Action: func(c *cli.Context) error {
			text, err := readArgument(env, c)
			if err != nil {
				return err
			}
			all, err := hooksimpl.ExplainPayload(hookWorld(env, hookUser(env), ""), text)
			if err != nil {
				return exit.With(exit.Refused, fmt.Errorf("%s: %w", c.Args().First(), err))
			}
			return printExplanations(env, c, all)
		},
	}
}

func explainGate(env Env) *cli.Command {
	return &cli.Command{
		Name:      "gate",
		Usage:     "judge the plan of a recorded session as plan-gate would, with the lines that decide",
		UsageText: "viber explain gate [--cwd DIR] [--json] TRANSCRIPT",
		Description: "Example:\n   viber explain gate ~/.claude/projects/-home-me-shop/4f1c.jsonl\n\n" +
			"--cwd is the working directory of the session; its viber.yml holds the switch for plain plan mode.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "cwd", Usage: "working `DIR` of the session (default: this one)"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			path, err := transcriptArgument(env, c)
			if err != nil {
				return err
			}
			cwd := env.Dir
			if c.IsSet("cwd") {
				cwd = absolute(env, c.String("cwd"))
			}
			report := hooksimpl.ExplainGate(hookWorld(env, hookUser(env), ""), path, cwd)
			if c.Bool("json") {
				return printJSON(env, report)
			}
			report.Print(env.Streams.Out)
			return nil
		},
	}
}

func jsonFlag() cli.Flag { return &cli.BoolFlag{Name: "json", Usage: "print JSON"} }

func printExplanations(env Env, c *cli.Context, all []hooksimpl.Explanation) error {
	if c.Bool("json") {
		return printJSON(env, all)
	}
	hooksimpl.PrintExplanations(env.Streams.Out, all)
	return nil
}

func printJSON(env Env, v any) error {
	enc := json.NewEncoder(env.Streams.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func readArgument(env Env, c *cli.Context) ([]byte, error) {
	switch {
	case c.Args().Len() != 1:
		return nil, exit.With(exit.Usage, errors.New("give one file, or - for standard input"))
	case c.Args().First() == "-":
		return io.ReadAll(env.Streams.In)
	}
	text, err := fsx.Read(absolute(env, c.Args().First()))
	if err == nil && text == nil {
		err = exit.With(exit.Refused, fmt.Errorf("%s: no such file", c.Args().First()))
	}
	return text, err
}

func transcriptArgument(env Env, c *cli.Context) (string, error) {
	if c.Args().Len() != 1 {
		return "", exit.With(exit.Usage, errors.New("give one transcript; they are in the projects folder of the client's configuration directory"))
	}
	path := absolute(env, c.Args().First())
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", exit.With(exit.Refused, fmt.Errorf("%s: no such file; transcripts are in the projects folder of the client's configuration directory", path))
	}
	return path, nil
}

func absolute(env Env, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(env.Dir, path)
}
