package cli

import (
	"fmt"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"viber/run"
)

func runLockCommand(env Env) *cli.Command {
	return groupCommand("lock", "a named lock that outlives the command, for builds", "Acquire ends 5 when another owner holds the lock.",
		lockAcquireCommand(env), lockReleaseCommand(env))
}

func lockAcquireCommand(env Env) *cli.Command {
	return tableCommand(env, "acquire", "take a lock",
		"viber run lock acquire build --owner T3\nviber run lock acquire build --owner T3 --pid $PPID --max-age 30m",
		"With --pid the lock is stale when that process is gone, without one when it is older than --max-age (default 2h).",
		[]string{"owner=", "pid=", "max-age="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "NAME"); err != nil {
				return err
			}
			o, err := lease(a)
			if err != nil {
				return err
			}
			l, err := env.runCall(nil).Acquire(o)
			if err != nil {
				return stateExit(err)
			}
			return show(env, a, l, fmt.Sprintf("lock %s: %s", l.Name, l.Owner))
		})
}

func lease(a rawArgs) (run.LeaseOptions, error) {
	o := run.LeaseOptions{Name: a.words[0], Owner: a.value("owner"), MaxAge: 2 * time.Hour}
	if o.Owner == "" {
		return o, usagef("--owner is missing")
	}
	var err error
	if text := a.value("pid"); text != "" {
		if o.PID, err = strconv.Atoi(text); err != nil || o.PID <= 0 {
			return o, usagef("--pid %q is no process id", text)
		}
	}
	if text := a.value("max-age"); text != "" {
		if o.MaxAge, err = time.ParseDuration(text); err != nil || o.MaxAge <= 0 {
			return o, usagef("--max-age %q is no duration such as 30m", text)
		}
	}
	return o, nil
}

func lockReleaseCommand(env Env) *cli.Command {
	return tableCommand(env, "release", "give a lock back", "viber run lock release build --owner T3", "", []string{"owner="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "NAME"); err != nil {
				return err
			}
			if a.value("owner") == "" {
				return usagef("--owner is missing")
			}
			return stateExit(env.runCall(nil).Release(a.words[0], a.value("owner")))
		})
}
