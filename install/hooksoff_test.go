package install

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAProjectCannotSwitchHooksOff: its settings set the environment of the user's hooks, so they can name a state directory.
func TestAProjectCannotSwitchHooksOff(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	clone := filepath.Join(filepath.Dir(b.project), "clone")
	for _, file := range []string{"HEAD", "objects/x", "refs/x"} {
		path := filepath.Join(clone, ".git", filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, path, "ref: refs/heads/main\n", 0o644)
	}
	vars := map[string]string{"CLAUDE_PROJECT_DIR": b.project}
	getenv := b.env.Getenv
	b.env.Getenv = func(name string) string {
		if v := vars[name]; v != "" {
			return v
		}
		return getenv(name)
	}
	home := filepath.Dir(filepath.Dir(b.settings))
	for state, off := range map[string]bool{filepath.Join(home, "state"): true, filepath.Join(b.project, "state"): false, filepath.Join(clone, "state"): false} {
		vars["XDG_STATE_HOME"], vars["LOCALAPPDATA"] = state, state
		p, err := FindPlaces(b.env)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(p.State, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, HooksOffPath(p), "always\n", 0o600)
		if got := hooksOffUntil(b.env, p) != ""; got != off {
			t.Errorf("state in %s: off is %v", state, got)
		}
	}
	vars["HOME"], vars["USERPROFILE"] = b.project, b.project
	vars["XDG_STATE_HOME"], vars["LOCALAPPDATA"] = filepath.Join(b.project, "state"), filepath.Join(b.project, "state")
	p, err := FindPlaces(b.env)
	if err != nil {
		t.Fatal(err)
	}
	if got := hooksOffUntil(b.env, p); got != "" {
		t.Errorf("home and state in the project: off %s", got)
	}
}
