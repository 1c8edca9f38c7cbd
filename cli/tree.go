package cli

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// Line is one command of the tree as a person types it: its words after "viber", and what its help says it takes.
type Line struct {
	Words string // "config get"
	Usage string // its usage line and description
	Flags []string
}

// Tree lists every command of viber, the groups too, in the order of the help. Documentation and the tests of the plugin's
// texts read it, so that no text can name a command that is not there.
func Tree(env Env) []Line {
	return lines("", commands(env))
}

func lines(above string, commands []*cli.Command) []Line {
	var all []Line
	for _, c := range commands {
		words := strings.TrimSpace(above + " " + c.Name)
		line := Line{Words: words, Usage: c.UsageText + "\n" + c.ArgsUsage + "\n" + c.Description}
		for _, f := range c.Flags {
			line.Flags = append(line.Flags, f.Names()...)
		}
		all = append(append(all, line), lines(words, c.Subcommands)...)
	}
	return all
}
