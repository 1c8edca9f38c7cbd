package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/internal/exit"
	"viber/internal/near"
)

// usageError says what is wrong with a command line in the words of the help, and where to look.
func usageError(c *cli.Context, err error, _ bool) error {
	name, flags := "viber", []cli.Flag(nil)
	if c != nil && c.Command != nil {
		flags = c.Command.Flags
		if c.Command.Name != "" && c.Command.Name != "viber" {
			name = c.Command.HelpName
		}
	}
	return exit.With(exit.Usage, fmt.Errorf("%s; see '%s --help'", flagProblem(err.Error(), flags), name))
}

// flagProblem tells a complaint of the flag reader in viber's own words; what it does not know it leaves as it is.
func flagProblem(complaint string, flags []cli.Flag) string {
	if name, ok := strings.CutPrefix(complaint, "flag provided but not defined: "); ok {
		return unknownOption(name, flags)
	}
	if name, ok := strings.CutPrefix(complaint, "flag needs an argument: "); ok {
		return dashed(strings.TrimLeft(name, "-")) + " needs a value"
	}
	if rest, ok := strings.CutPrefix(complaint, "invalid boolean value "); ok {
		_, name, _ := strings.Cut(rest, " for -")
		name, _, _ = strings.Cut(name, ":")
		return dashed(name) + " takes no value"
	}
	if rest, ok := strings.CutPrefix(complaint, "invalid value "); ok {
		value, name, _ := strings.Cut(rest, " for flag -")
		name, _, _ = strings.Cut(name, ":")
		return fmt.Sprintf("%s %s, not %s", dashed(name), takes(flags, name), value)
	}
	return complaint
}

// unknownOption complains about an option that a command does not have.
func unknownOption(name string, flags []cli.Flag) string {
	name = strings.TrimLeft(name, "-")
	known := []string{"help"}
	for _, f := range flags {
		known = append(known, f.Names()...)
	}
	if meant := near.Word(name, known); meant != "" {
		return fmt.Sprintf("unknown option %s; did you mean %s?", dashed(name), dashed(meant))
	}
	return "unknown option " + dashed(name)
}

// takes says what the option called name wants.
func takes(flags []cli.Flag, name string) string {
	for _, f := range flags {
		for _, n := range f.Names() {
			if n != name {
				continue
			}
			switch f.(type) {
			case *cli.DurationFlag:
				return "takes a time such as 30m or 2h"
			case *cli.IntFlag, *cli.Int64Flag, *cli.UintFlag:
				return "takes a whole number"
			case *cli.BoolFlag:
				return "takes no value"
			}
		}
	}
	return "takes another value"
}

// dashed is the name of an option as it is typed.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// unknownCommand complains about a word that is none of the commands below above ("viber", "viber hooks").
func unknownCommand(above, word string, commands []*cli.Command) error {
	var known []string
	for _, c := range commands {
		if !c.Hidden {
			known = append(known, c.Names()...)
		}
	}
	if meant := near.Word(word, known); meant != "" {
		return fmt.Errorf("unknown command %q; did you mean '%s %s'?", word, above, meant)
	}
	return fmt.Errorf("unknown command %q; see '%s --help'", word, above)
}

// onlyCommands is the action of a command that does nothing but hold others.
func onlyCommands(code int) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.Args().Present() && c.Args().First() != "help" {
			return exit.With(code, unknownCommand(c.Command.HelpName, c.Args().First(), c.Command.Subcommands))
		}
		return cli.ShowSubcommandHelp(c)
	}
}

// completeCommands gives every command of the tree what the library would do worse: the words of its usage errors, and an
// answer to a subcommand that is not there.
func completeCommands(commands []*cli.Command) {
	for _, c := range commands {
		if c.OnUsageError == nil {
			c.OnUsageError = usageError
		}
		if len(c.Subcommands) > 0 && c.Action == nil {
			c.Action = onlyCommands(exit.Usage)
		}
		completeCommands(c.Subcommands)
	}
}

// errAgentOrder refuses an option of an agent that stands before the command: permission rules read the command's first
// words, so that 'viber -q setup' would pass the rule that asks before 'viber setup'.
var errAgentOrder = exit.With(exit.Usage, errors.New("a coding agent writes the command first and its options behind it, for the client's permission rules read 'viber COMMAND'"))
