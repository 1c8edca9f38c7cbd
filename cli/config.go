package cli

import (
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"viber/schema"
)

func configCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:  "config",
		Usage: "print the project's resolved configuration",
		UsageText: `viber config               the resolved configuration, one line a key
viber config --branching   the branches a run may use`,
		Description:     "Without a word it prints what skills read: one line a key. The commands below are for people.\n\nExamples:\n   viber config\n   viber config list\n   viber config set build.qa true",
		SkipFlagParsing: true,
		Subcommands:     configPeople(env),
		Action: func(c *cli.Context) error {
			switch c.Args().First() {
			case "--help", "-h":
				return cli.ShowSubcommandHelp(c)
			case "--branching":
				return say(env, projectConfig(env).Branching().Report())
			}
			return sayConfig(env)
		},
	}
}

func projectConfig(env Env) *schema.Config {
	return schema.ReadFor(schema.Root(env.Dir), configDir(env))
}

// configDir is where the client keeps its configuration; empty when the user has no home.
func configDir(env Env) string {
	if dir := env.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if home := env.Getenv(name); home != "" {
			return filepath.Join(home, ".claude")
		}
	}
	return ""
}

func say(env Env, text string) error {
	_, err := io.WriteString(env.Streams.Out, text)
	return err
}
