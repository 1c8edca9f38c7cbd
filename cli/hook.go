package cli

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"viber/hooksimpl"
	"viber/install"
	"viber/internal/exit"
)

func hookCommand(env Env) *cli.Command {
	return &cli.Command{
		Name:      "hook",
		Usage:     "answer one hook call of the client: payload on stdin, verdict on stdout",
		UsageText: "viber hook EVENT|CHECK [--root DIR] < payload.json",
		Description: "EVENT is an event of the client; every check that listens to it is asked. CHECK asks one check alone.\n" +
			"Nothing on stdout means no opinion; else it is one JSON object. The exit code is 0, also on a refusal.\n\n" +
			"Example:\n   viber hook PreToolUse < payload.json\n   viber hook kill-guard < payload.json",
		SkipFlagParsing: true,
		Action: func(c *cli.Context) error {
			if c.Args().Len() == 0 || asksForHelp(c.Args().Slice()) {
				return cli.ShowSubcommandHelp(c)
			}
			return exit.Status(Hook(env, c.Args().Slice()))
		},
	}
}

func asksForHelp(args []string) bool {
	return len(args) == 0 || slices.Contains(args, "--help") || slices.Contains(args, "-h")
}

// Hook answers `viber hook ARGS` and returns the exit code, which is never 2: the client would read that as a refusal.
func Hook(env Env, args []string) (code int) {
	defer func() {
		if recover() != nil {
			code = exit.Failed
		}
	}()
	call := readHookArgs(args)
	user := hookUser(env)
	if call.scope == install.ScopeProject && user.UserHooks() {
		return exit.OK // the user's own line answers
	}
	return runHook(env, user, call, env.Streams.In)
}

// hookArgs are the arguments of a registered hook line. What is not known is passed over: the line may be of another version.
type hookArgs struct{ name, root, scope string }

func readHookArgs(args []string) hookArgs {
	var call hookArgs
	for i := 0; i < len(args); i++ {
		flag, value, glued := strings.Cut(args[i], "=")
		if !strings.HasPrefix(flag, "-") {
			if call.name == "" {
				call.name = args[i]
			}
			continue
		}
		if !glued && i+1 < len(args) {
			i++
			value = args[i]
		}
		switch flag {
		case "--root":
			call.root = value
		case "--scope":
			call.scope = value
		}
	}
	return call
}

func runHook(env Env, user *install.HookCall, call hookArgs, in io.Reader) int {
	out := env.Streams.Out
	if user.Off() {
		call.name, out = "", io.Discard // the payload is still read: the client waits for that
	}
	return hooksimpl.Run(hooksimpl.Options{Name: call.name, Stdin: in, Stdout: out, World: hookWorld(env, user, call.root), End: env.Exit})
}

func hookUser(env Env) *install.HookCall { return install.NewHookCall(installEnv(env)) }

func hookWorld(env Env, user *install.HookCall, root string) *hooksimpl.World {
	return &hooksimpl.World{Getenv: env.Getenv, Now: env.Now, Sleep: env.Sleep, Root: root, Environ: env.Environ, Files: env.Files,
		State: user.State, ConfigDir: user.ConfigDir}
}

// pipedWait is how long a bare `viber` waits for a payload to begin.
const pipedWait = 200 * time.Millisecond

// pipedHook answers a bare `viber` whose stdin is not a terminal: as a hook when a payload with an event comes, since
// clients that do not know `args` drop them; with the help otherwise.
func pipedHook(env Env, args []string) int {
	text := hooksimpl.ReadSoon(env.Streams.In, pipedWait)
	p, err := hooksimpl.ParsePayload(text)
	if err == nil && p.Event != "" {
		return runHook(env, hookUser(env), hookArgs{name: p.Event}, bytes.NewReader(text))
	}
	if env.Getenv("CLAUDE_PROJECT_DIR") != "" {
		return exit.Failed // the client calls: 2 would refuse what it asks about
	}
	env.Streams.Out = env.Streams.Err
	runApp(env, args)
	fmt.Fprintln(env.Streams.Err, "viber: no command and no hook payload on stdin")
	return exit.Usage
}
