package cli

import (
	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/run"
)

// contractCommand is a command that skills call: its arguments are taken raw, as its contract says, and only a lone --help
// is looked at here.
func contractCommand(name, usage, usageText, description string, call func(c *cli.Context, args []string) error) *cli.Command {
	return &cli.Command{
		Name:            name,
		Usage:           usage,
		UsageText:       usageText,
		Description:     description,
		SkipFlagParsing: true,
		HideHelp:        true,
		Action: func(c *cli.Context) error {
			args := c.Args().Slice()
			if onlyHelp(args) {
				return cli.ShowSubcommandHelp(c)
			}
			return call(c, args)
		},
	}
}

func onlyHelp(args []string) bool { return len(args) == 1 && (args[0] == "--help" || args[0] == "-h") }

func (e Env) runCall(args []string) run.Call {
	return run.Call{Args: args, Dir: e.Dir, ConfigDir: configDir(e), Environ: e.Environ, Out: e.Streams.Out, Err: e.Streams.Err, Now: e.Now}
}

func (e Env) forgeCall(args []string) forge.Call {
	return forge.Call{Args: args, Dir: e.Dir, Environ: e.Environ, Out: e.Streams.Out, Err: e.Streams.Err}
}
