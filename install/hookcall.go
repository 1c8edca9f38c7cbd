package install

import (
	"os/user"
	"path/filepath"

	"viber/internal/gitx"
)

// HooksOff reports whether the user switched the hooks off for now (`viber hooks off`).
func HooksOff(env Env) bool {
	p, err := FindPlaces(env)
	return err == nil && hooksOffUntil(env, p) != ""
}

// UserHooks reports whether the user's own settings on this machine carry hooks of viber: a hook line that a project shares
// then stays silent, or every check would speak twice.
func UserHooks(env Env) bool {
	p, err := FindPlaces(env)
	if err != nil {
		return false
	}
	rec, _, err := ReadRecord(p)
	if err != nil || rec == nil {
		return false
	}
	for _, w := range rec.Settings {
		if w.Scope == ScopeUser && w.Hooks > 0 {
			return true
		}
	}
	return false
}

// HookState is the state directory of a hook call, empty when there is none. Where the environment names one that the
// project itself could have brought, it is the one the system's accounts lead to.
func HookState(env Env) string {
	p, err := FindPlaces(env)
	if err == nil && !broughtByProject(env, p) {
		return p.State
	}
	account, accountErr := user.Current()
	if accountErr != nil {
		return ""
	}
	getenv := env.Getenv
	env.Getenv = func(name string) string {
		switch name {
		case homeVariable():
			return account.HomeDir
		case "XDG_STATE_HOME", "LOCALAPPDATA", "CLAUDE_CONFIG_DIR":
			return ""
		}
		return getenv(name)
	}
	if p, err = FindPlaces(env); err != nil {
		return ""
	}
	return p.State
}

// HookConfigDir is the client's configuration directory whose viber.yml a hook may take for the user's own; empty when
// there is none. A project's settings can set the environment of hooks: a directory that the project itself could have
// brought does not count.
func HookConfigDir(env Env) string {
	p, err := FindPlaces(env)
	if err != nil {
		return ""
	}
	config := resolved(p.Config)
	if account, err := user.Current(); err == nil && config == resolved(filepath.Join(account.HomeDir, ".claude")) {
		return p.Config
	}
	if project := env.Getenv("CLAUDE_PROJECT_DIR"); project != "" && holds(resolved(project), config) {
		return ""
	}
	if _, inTree := gitx.Find(config); inTree {
		return ""
	}
	return p.Config
}
