package cli

import (
	"github.com/urfave/cli/v2"

	"viber/ledger/memory"
)

func memoryMapCommand(env Env) *cli.Command {
	return contractCommand("memory-map",
		"list the project's CLAUDE.md files with their sizes and gaps",
		"viber memory-map [--reset PATH...]",
		"Sizes are held against 4,000 bytes for the root, 12,000 for any other file and 32,000 for the chain from the root.\n"+
			"--reset removes the named files, all or none; one with changes that are not committed is refused (3).\n\n"+
			"Example:\n   viber memory-map",
		func(c *cli.Context, args []string) error { return memory.Map(c.Context, env.memoryCall(args)) })
}

func rulesMapCommand(env Env) *cli.Command {
	return contractCommand("rules-map",
		"list the project's rules with their sizes and the files they match",
		"viber rules-map",
		"Sizes are held against 4,000 bytes for a file and 40,000 for the directory.\n\nExample:\n   viber rules-map",
		func(c *cli.Context, args []string) error { return memory.Rules(c.Context, env.memoryCall(args)) })
}

func (e Env) memoryCall(args []string) memory.Call {
	return memory.Call{Args: args, Dir: e.Dir, Environ: e.Environ, Out: e.Streams.Out, Now: e.Now}
}
