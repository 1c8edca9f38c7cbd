package cli

import (
	"fmt"
	"slices"
	"strings"

	"viber/internal/buildinfo"
	"viber/run"
)

// direct answers the calls that skills and scripts make all the time without building the command tree, which would cost
// more than their work. Whatever has a flag or asks for help is left to the tree.
func direct(env Env, args []string) (action func() error, ok bool) {
	if len(args) < 2 || slices.ContainsFunc(args[2:], isForTree) {
		return nil, false
	}
	rest := args[2:]
	switch args[1] {
	case "version":
		return func() error { return sayVersion(env) }, len(rest) == 0
	case "config":
		return func() error { return sayConfig(env) }, len(rest) == 0
	case "run-clock":
		return func() error { return sayClock(env, rest) }, true
	case "switch-text":
		return func() error { return saySwitchText(env, rest) }, true
	}
	return nil, false
}

func isForTree(arg string) bool {
	return strings.HasPrefix(arg, "-") || arg == "help" || arg == "h"
}

func sayVersion(env Env) error {
	return say(env, fmt.Sprintf("viber %s\n", buildinfo.Current().Version))
}

func sayConfig(env Env) error { return say(env, projectConfig(env).Block()) }

func sayClock(env Env, args []string) error {
	now, known := clock(env)
	return say(env, run.Clock(now, known, args))
}

// saySwitchText takes the key, the skill's directory and the fragment's name; what is missing is empty.
func saySwitchText(env Env, args []string) error {
	var given [3]string
	copy(given[:], args)
	return say(env, projectConfig(env).SwitchText(env.Dir, given[0], given[1], given[2]))
}
