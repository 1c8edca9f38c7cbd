package cli

import (
	"flag"
	"fmt"
	"io"
	"sync"

	"github.com/urfave/cli/v2"

	"viber/internal/buildinfo"
	"viber/internal/exit"
)

// Categories of commands in `viber --help`.
const (
	forPeople = "For people"
	forPlugin = "For the plugin's skills and hooks"
	forBoth   = "For both"
)

// Main runs the command line args (args[0] is the program) and returns the exit code.
// It prints the error, once, on stderr.
//
// Calls of the client's hooks are answered before the command tree is built.
func Main(env Env, args []string) int {
	if len(args) > 1 && args[1] == "hook" && !asksForHelp(args[2:]) {
		return Hook(env, args[2:])
	}
	if len(args) == 1 && env.Streams.InPiped {
		return pipedHook(env, args)
	}
	return runApp(env, args)
}

func runApp(env Env, args []string) int {
	notice := startNotice(env, args)
	err := dispatch(env, args)
	if msg := message(err); msg != "" {
		fmt.Fprintf(env.Streams.Err, "viber: %s\n", msg)
	}
	if line := notice(); line != "" {
		fmt.Fprintln(env.Streams.Err, line)
	}
	return exit.Code(err)
}

func dispatch(env Env, args []string) error {
	if action, ok := direct(env, args); ok {
		return action()
	}
	app := newApp(env)
	return app.Run(flagsFirst(app, args))
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func newApp(env Env) *cli.App {
	app := &cli.App{
		Name:                   "viber",
		Usage:                  "set up, run, inspect and remove the viber plugin for coding agents",
		Version:                buildinfo.Version,
		HideVersion:            true,
		Reader:                 env.Streams.In,
		Writer:                 env.Streams.Out,
		ErrWriter:              env.Streams.Err,
		UseShortOptionHandling: true,
		Flags:                  []cli.Flag{quietFlag(), verboseFlag()},
		ExitErrHandler:         func(*cli.Context, error) {},
		OnUsageError:           usageError,
		Commands:               commands(env),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return exit.With(exit.Usage, fmt.Errorf("unknown command %q; run 'viber --help' for the list", c.Args().First()))
			}
			return cli.ShowAppHelp(c)
		},
	}
	quietLibrary()
	setUsageErrors(app.Commands)
	return app
}

// quietLibrary keeps the command library from ending the process and from writing errors of its own; its switches are
// variables of the package, so they are set once.
var quietLibrary = sync.OnceFunc(func() {
	cli.OsExiter = func(int) {}
	cli.ErrWriter = io.Discard
	cli.HelpFlag = helpFlag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help", DisableDefaultText: true}}
})

// helpFlag is the one flag all commands share. A flag notes what it is applied to in itself; this one does so in a copy.
type helpFlag struct{ *cli.BoolFlag }

// Apply registers the flag with set.
func (h helpFlag) Apply(set *flag.FlagSet) error {
	own := *h.BoolFlag
	return own.Apply(set)
}

func usageError(c *cli.Context, err error, _ bool) error {
	name := "viber"
	if c != nil && c.Command != nil && c.Command.Name != "" && c.Command.Name != "viber" {
		name = c.Command.HelpName
	}
	return exit.With(exit.Usage, fmt.Errorf("%w; see '%s --help'", err, name))
}

func setUsageErrors(cmds []*cli.Command) {
	for _, c := range cmds {
		if c.OnUsageError == nil {
			c.OnUsageError = usageError
		}
		setUsageErrors(c.Subcommands)
	}
}
