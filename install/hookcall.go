package install

import (
	"os"
	"os/user"
	"path/filepath"
	"sync"

	"viber/internal/gitx"
)

// HookCall is what one hook call may know of the user's own directories. Each is looked for once, when it is first asked
// for.
type HookCall struct {
	env    Env
	places func() (Places, error)
	state  func() string
	config func() string
}

// NewHookCall returns the directories of the user in env.
func NewHookCall(env Env) *HookCall {
	h := &HookCall{env: env}
	h.places = sync.OnceValues(func() (Places, error) { return FindPlaces(env) })
	h.state = sync.OnceValue(h.findState)
	h.config = sync.OnceValue(h.findConfig)
	return h
}

// Off reports whether the user switched the hooks off for now (`viber hooks off`).
func (h *HookCall) Off() bool {
	switched := HooksOffPath(Places{State: stateDir(h.env, h.env.Getenv(homeVariable()))})
	if _, err := os.Stat(switched); err != nil {
		return false // they hardly ever are, and every call asks
	}
	p, err := h.places()
	return err == nil && hooksOffUntil(h.env, p) != ""
}

// UserHooks reports whether the user's own settings on this machine carry hooks of viber: a hook line that a project shares
// then stays silent, or every check would speak twice.
func (h *HookCall) UserHooks() bool {
	p, err := h.places()
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

// State is the state directory, empty when there is none. Where the environment names one that the project itself could
// have brought, it is the one the system's accounts lead to.
func (h *HookCall) State() string { return h.state() }

func (h *HookCall) findState() string {
	p, err := h.places()
	account, accountErr := user.Current()
	if err == nil && accountErr == nil && p.State == stateDir(unnamed(h.env), account.HomeDir) {
		return p.State // nobody's choice
	}
	if err == nil && !broughtByProject(h.env, p) {
		return p.State
	}
	if accountErr != nil {
		return ""
	}
	env := unnamed(h.env)
	getenv := env.Getenv
	env.Getenv = func(name string) string {
		if name == homeVariable() {
			return account.HomeDir
		}
		return getenv(name)
	}
	if p, err = FindPlaces(env); err != nil {
		return ""
	}
	return p.State
}

// unnamed is env without the variables that name directories of the user's.
func unnamed(env Env) Env {
	getenv := env.Getenv
	env.Getenv = func(name string) string {
		switch name {
		case "XDG_STATE_HOME", "LOCALAPPDATA", "CLAUDE_CONFIG_DIR":
			return ""
		}
		return getenv(name)
	}
	return env
}

// ConfigDir is the client's configuration directory whose viber.yml a hook may take for the user's own; empty when there
// is none. A project's settings can set the environment of hooks: a directory that the project itself could have brought
// does not count.
func (h *HookCall) ConfigDir() string { return h.config() }

func (h *HookCall) findConfig() string {
	p, err := h.places()
	if err != nil {
		return ""
	}
	own := ""
	if account, err := user.Current(); err == nil {
		own = filepath.Join(account.HomeDir, ".claude")
	}
	if p.Config == own {
		return own
	}
	config := resolved(p.Config)
	if own != "" && config == resolved(own) {
		return p.Config
	}
	if project := h.env.Getenv("CLAUDE_PROJECT_DIR"); project != "" && holds(resolved(project), config) {
		return ""
	}
	if _, inTree := gitx.Find(config); inTree {
		return ""
	}
	return p.Config
}
