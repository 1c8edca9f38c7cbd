package install

import (
	"errors"
	"fmt"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
)

// HooksOffPath is the file that switches every check of every hook off while it stands there: one line, the time until
// when in RFC 3339, or "always".
func HooksOffPath(p Places) string { return filepath.Join(p.State, "hooks-off") }

const offAlways = "always"

// SwitchHooks switches the hooks off, for a while when wait is not zero, or on again. It is state, not settings, and only
// a person on a terminal may do it.
func SwitchHooks(env Env, on bool, wait time.Duration) error {
	p, err := FindPlaces(env)
	if err != nil {
		return err
	}
	if on {
		if err := env.Files.Remove(HooksOffPath(p)); err != nil {
			return err
		}
		fmt.Fprintln(env.Streams.Out, "the hooks are on")
		return nil
	}
	if env.Agent() || !env.Streams.CanPrompt() {
		return exit.With(exit.Refused, errors.New("hooks are switched off by a person on a terminal only"))
	}
	until := offAlways
	if wait > 0 {
		until = env.Now().Add(wait).UTC().Format(time.RFC3339)
	}
	if err := env.Files.Write(HooksOffPath(p), []byte(until+"\n"), fsx.Options{Mode: 0o600, DirMode: 0o700}); err != nil {
		return err
	}
	fmt.Fprintf(env.Streams.Out, "the hooks are off %s; 'viber hooks on' switches them on\n", describeUntil(until))
	return nil
}

// hooksOffUntil says until when the hooks are off, empty when they are on.
func hooksOffUntil(env Env, p Places) string {
	text, err := fsx.Read(HooksOffPath(p))
	until := strings.TrimSpace(string(text))
	if err != nil || until == "" || broughtByProject(env, p) {
		return ""
	}
	if end, err := time.Parse(time.RFC3339, until); err == nil && !env.Now().Before(end) {
		return ""
	}
	return describeUntil(until)
}

func describeUntil(until string) string {
	end, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return "until they are switched on"
	}
	return "until " + end.Local().Format(time.DateTime)
}

// broughtByProject reports whether the state directory lies in a work tree or in the project of the session: a project's
// settings can set the environment of hooks, and so name a directory of its own for it, or for the home. A home that is a
// project counts as the user's when the system's accounts say so.
func broughtByProject(env Env, p Places) bool {
	home, state := resolved(p.Home), resolved(p.State)
	if project := env.Getenv("CLAUDE_PROJECT_DIR"); project != "" && holds(resolved(project), state) {
		return !holds(resolved(project), home) || !accountHome(home)
	}
	layout, ok := gitx.Find(state)
	return ok && (layout.Top != home || !accountHome(home))
}

// accountHome reports whether home is what the system's accounts, not the environment, name.
func accountHome(home string) bool {
	account, err := user.Current()
	return err == nil && resolved(account.HomeDir) == home
}
