package cli

import (
	"github.com/urfave/cli/v2"

	"viber/hooksimpl"
	"viber/internal/exit"
)

func replayCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "say what the hooks would have refused in a recorded session",
		UsageText: "viber replay [--all] [--json] TRANSCRIPT",
		Description: "Example:\n   viber replay ~/.claude/projects/-home-me-shop/4f1c.jsonl\n\n" +
			"Each call sees the transcript up to its own record; the session's subagents are included. Files are read as they are\n" +
			"now. Times are those of the checks alone, without the start of a process.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "list every call, not only the refused ones"},
			jsonFlag(),
		},
		Action: func(c *cli.Context) error {
			path, err := transcriptArgument(env, c)
			if err != nil {
				return err
			}
			calls, err := hooksimpl.Replay(hookWorld(env, hookUser(env), ""), path)
			if err != nil {
				return exit.With(exit.Refused, err)
			}
			if c.Bool("json") {
				return printJSON(env, calls)
			}
			hooksimpl.PrintReplay(env.Streams.Out, calls, c.Bool("all"))
			return nil
		},
	}
}
