package cli

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// flagsFirst returns args with the flags of the command put before its words, so that `viber plugin add ./x --yes` means
// what it says. Words after "--" stay where they are, and so does everything of a command that takes its arguments raw.
func flagsFirst(app *cli.App, args []string) []string {
	leaf, at := findCommand(app, args)
	if leaf == nil || leaf.SkipFlagParsing || len(leaf.Subcommands) > 0 {
		return args
	}
	var flags, words []string
	for i := at; i < len(args); i++ {
		n := flagLength(leaf.Flags, args[i:])
		switch {
		case args[i] == "--":
			words = append(append([]string{"--"}, words...), args[i+1:]...)
			return slices.Concat(args[:at], flags, words)
		case n > 0:
			flags = append(flags, args[i:i+n]...)
			i += n - 1
		default:
			words = append(words, args[i])
		}
	}
	return slices.Concat(args[:at], flags, words)
}

// findCommand follows args down the tree; at is where the arguments of the command begin.
func findCommand(app *cli.App, args []string) (leaf *cli.Command, at int) {
	commands, flags := app.Commands, app.Flags
	for at = 1; at < len(args); {
		if n := flagLength(flags, args[at:]); n > 0 {
			at += n
			continue
		}
		i := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[at]) })
		if i < 0 {
			return leaf, at
		}
		leaf = commands[i]
		commands, flags = leaf.Subcommands, nil
		at++
	}
	return leaf, at
}

// flagLength is how many of args the flag at their start takes with its value; 0 when it is none of known.
func flagLength(known []cli.Flag, args []string) int {
	if !strings.HasPrefix(args[0], "-") || args[0] == "-" || args[0] == "--" {
		return 0
	}
	name, _, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	if name == "help" || name == "h" {
		return 1
	}
	for _, f := range known {
		if !slices.Contains(f.Names(), name) {
			continue
		}
		if _, isSwitch := f.(*cli.BoolFlag); isSwitch || hasValue || len(args) == 1 {
			return 1
		}
		return 2
	}
	return 0
}

func quietFlag() cli.Flag {
	return &cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing but errors and what was asked for"}
}

func verboseFlag() cli.Flag {
	return &cli.BoolFlag{Name: "verbose", Usage: "name what was found and each step on stderr"}
}

// switched reports whether the switch name was given, before the command or behind it.
func switched(c *cli.Context, name string) bool {
	return slices.ContainsFunc(c.Lineage(), func(up *cli.Context) bool {
		return slices.Contains(up.LocalFlagNames(), name) && up.Bool(name)
	})
}

// loudness hands --quiet and --verbose on.
func loudness(env Env, c *cli.Context) Env {
	env.Quiet, env.Verbose = switched(c, "quiet"), switched(c, "verbose")
	return env
}
