package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"viber/internal/exit"
)

func completionCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion script of a shell",
		UsageText: "viber completion bash|zsh|fish|powershell",
		Description: "The folder has to be there.\n\nExamples:\n   viber completion bash > ~/.local/share/bash-completion/completions/viber\n" +
			"   viber completion zsh > \"${fpath[1]}/_viber\"\n   viber completion fish > ~/.config/fish/completions/viber.fish\n" +
			"   viber completion powershell >> $PROFILE",
		Action: func(c *cli.Context) error {
			script, ok := completionScript(env, c.Args().First())
			if !ok || c.Args().Len() != 1 {
				return exit.With(exit.Usage, fmt.Errorf("name one shell: bash, zsh, fish or powershell"))
			}
			_, err := fmt.Fprint(env.Streams.Out, script)
			return err
		},
	}
}
