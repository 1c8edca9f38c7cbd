package install

import (
	"path/filepath"
	"testing"
)

// A project's settings can set the environment of the user's hooks. The state they keep (counters, faults) does not follow
// it into the project.
func TestAProjectCannotLeadHooksToItsOwnState(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	home := filepath.Dir(filepath.Dir(b.settings))
	vars := map[string]string{"CLAUDE_PROJECT_DIR": b.project}
	getenv := b.env.Getenv
	b.env.Getenv = func(name string) string {
		if v := vars[name]; v != "" {
			return v
		}
		return getenv(name)
	}
	own := filepath.Join(home, "state")
	vars["XDG_STATE_HOME"], vars["LOCALAPPDATA"] = own, own
	if got := NewHookCall(b.env).State(); got != filepath.Join(own, "viber") {
		t.Errorf("the user's own choice: %s", got)
	}
	planted := filepath.Join(b.project, "state")
	vars["XDG_STATE_HOME"], vars["LOCALAPPDATA"] = planted, planted
	if got := NewHookCall(b.env).State(); holds(resolved(b.project), resolved(got)) {
		t.Errorf("state in the project: %s", got)
	}
	vars[homeVariable()] = b.project
	delete(vars, "XDG_STATE_HOME")
	delete(vars, "LOCALAPPDATA")
	if got := NewHookCall(b.env).State(); holds(resolved(b.project), resolved(got)) {
		t.Errorf("home in the project: %s", got)
	}
}
