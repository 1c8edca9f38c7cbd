package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// rawArgs are the arguments of a contract command: options may stand before, between and behind the other words.
type rawArgs struct {
	words  []string
	values map[string][]string
	set    map[string]bool
}

// errHelpWanted is --help or -h among the arguments.
var errHelpWanted = errors.New("help wanted")

// readRaw reads args by a list of options: "name" is a switch, "name=" takes a value. "--" ends the options.
func readRaw(args []string, options ...string) (rawArgs, error) {
	r := rawArgs{values: map[string][]string{}, set: map[string]bool{}}
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			r.words = append(r.words, args[i+1:]...)
			return r, nil
		}
		if arg == "--help" || arg == "-h" {
			return r, errHelpWanted
		}
		name, isOption := strings.CutPrefix(arg, "--")
		if !isOption {
			r.words = append(r.words, arg)
			continue
		}
		name, value, attached := strings.Cut(name, "=")
		switch {
		case slices.Contains(options, name) && !attached:
			r.set[name] = true
		case slices.Contains(options, name+"="):
			if !attached {
				if i++; i == len(args) {
					return r, usagef("--%s needs a value", name)
				}
				value = args[i]
			}
			r.set[name] = true
			r.values[name] = append(r.values[name], value)
		default:
			return r, &usageProblem{unknownOption(name, rawFlags(options))}
		}
	}
	return r, nil
}

// value is the last value of an option, empty when it was not given.
func (r rawArgs) value(name string) string {
	all := r.values[name]
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// count checks how many words there are; least and most bound them, what names them for the error.
func (r rawArgs) count(least, most int, what string) error {
	if n := len(r.words); n < least || n > most {
		if n > most {
			return usagef("one argument too many: %q; want %s", r.words[most], what)
		}
		return usagef("want %s", what)
	}
	return nil
}

// rawCommand is a contract command whose options are read from its raw arguments; wrong makes of a wrong command line of
// the command name what the user sees, and the exit code.
func rawCommand(name, usage, usageText, description string, options []string, call func(c *cli.Context, a rawArgs) error,
	wrong func(name string, err error, asJSON bool) error) *cli.Command {
	command := contractCommand(name, usage, usageText, description, func(c *cli.Context, args []string) error {
		a, err := readRaw(args, append(options, "json")...)
		if err == nil {
			err = call(c, a)
		}
		if errors.Is(err, errHelpWanted) {
			return cli.ShowSubcommandHelp(c)
		}
		var problem *usageProblem
		if errors.As(err, &problem) {
			return wrong(strings.TrimPrefix(c.Command.HelpName, "viber "), err, slices.Contains(args, "--json"))
		}
		return err
	})
	command.Flags = rawFlags(options)
	return command
}
