package cli

import (
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"viber/internal/buildinfo"
	"viber/internal/exit"
)

// Main runs the command line args (args[0] is the program) and returns the exit code.
// It prints the error, once, on stderr.
//
// Calls of the client's hooks are answered before the command tree is built.
func Main(env Env, args []string) int {
	if isHookCall(args) {
		return Hook(env, args[2:])
	}
	if len(args) == 1 && env.Streams.InPiped {
		return pipedHook(env, args)
	}
	return runApp(env, args)
}

func isHookCall(args []string) bool {
	return len(args) > 1 && args[1] == "hook" && !asksForHelp(args[2:])
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
	env, args, err := globalOptions(env, args)
	if err != nil {
		return err
	}
	args = helpBehind(args)
	if action, ok := direct(env, args); ok {
		return action()
	}
	app := newApp(env)
	return app.Run(flagsFirst(app, args))
}

// globalOptions takes the options off that stand before the command and mean the whole program: -C DIR and --version.
func globalOptions(env Env, args []string) (Env, []string, error) {
	program, rest := args[:min(1, len(args))], args[min(1, len(args)):]
	if len(rest) > 1 && strings.HasPrefix(rest[0], "-") && env.Getenv("CLAUDECODE") != "" {
		return env, args, errAgentOrder
	}
	for len(rest) > 0 {
		switch {
		case rest[0] == "--version" || rest[0] == "-v":
			return env, append(slices.Clone(program), "version"), nil
		case rest[0] == "-C" && len(rest) > 1:
			env.Dir = env.path(rest[1])
			if info, err := os.Stat(env.Dir); err != nil || !info.IsDir() {
				return env, args, exit.With(exit.Usage, fmt.Errorf("-C %s: no such directory", rest[1]))
			}
			rest = rest[2:]
		default:
			return env, slices.Concat(program, rest), nil
		}
	}
	return env, slices.Concat(program, rest), nil
}

// helpBehind turns `viber help setup` into `viber setup --help`.
func helpBehind(args []string) []string {
	if len(args) > 2 && args[1] == "help" && !strings.HasPrefix(args[2], "-") {
		return append(slices.Concat(args[:1], args[2:]), "--help")
	}
	return args
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
		Flags:                  globalFlags(),
		ExitErrHandler:         func(*cli.Context, error) {},
		OnUsageError:           usageError,
		Commands:               commands(env),
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return exit.With(exit.Usage, unknownCommand("viber", c.Args().First(), c.App.Commands))
			}
			return cli.ShowAppHelp(c)
		},
	}
	quietLibrary()
	completeCommands(app.Commands)
	return app
}

// quietLibrary keeps the command library from ending the process and from writing errors of its own; its switches are
// variables of the package, so they are set once.
var quietLibrary = sync.OnceFunc(func() {
	cli.OsExiter = func(int) {}
	cli.ErrWriter = io.Discard
	cli.HelpPrinter = printHelp
	cli.HelpFlag = helpFlag{&cli.BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help", DisableDefaultText: true}}
})

// helpFlag is the one flag all commands share. A flag notes what it is applied to in itself; this one does so in a copy.
type helpFlag struct{ *cli.BoolFlag }

// Apply registers the flag with set.
func (h helpFlag) Apply(set *flag.FlagSet) error {
	own := *h.BoolFlag
	return own.Apply(set)
}

// globalFlags are the options that stand before a command. -C and --version are read by globalOptions; the flags only tell
// about them.
func globalFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "C", Usage: "work in `DIR` instead of the working directory"},
		quietFlag(), verboseFlag(),
		&cli.BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version"},
	}
}
