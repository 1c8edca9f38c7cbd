package schema

import (
	"path/filepath"
	"testing"
)

// TestProjectCannotLoosen: for a guard the user's own value stands against a looser one of the project; a tighter one counts.
func TestProjectCannotLoosen(t *testing.T) {
	t.Parallel()
	secrets := Key{Name: "guards.secrets", Kind: Choice, Values: []string{"off", "on"}, Default: "on", Guard: true}
	size := Key{Name: "guards.read-size", Kind: Choice, Values: []string{"off", "observe", "enforce"}, Default: "off", Guard: true}
	limit := Key{Name: "guards.read-size-limit", Kind: Amount, Default: "262144", Guard: true}
	branches := Key{Name: "guards.protected-branches", Kind: List, Default: "main", Guard: true}
	for _, c := range []struct {
		key           Key
		user, project string
		want          string
		from          Source
	}{
		{secrets, "", "", "on", FromDefault},
		{secrets, "", "secrets: off", "on", FromDefault},
		{secrets, "secrets: off", "", "off", FromUser},
		{secrets, "secrets: off", "secrets: on", "on", FromShared},
		{secrets, "secrets: on", "secrets: off", "on", FromUser},
		{secrets, "secrets: nonsense", "secrets: off", "on", FromDefault},
		{size, "", "read-size: enforce", "enforce", FromShared},
		{size, "read-size: enforce", "read-size: observe", "enforce", FromUser},
		{size, "", "read-size: often", "off", FromDefault},
		{limit, "", "read-size-limit: 1000", "1000", FromShared},
		{limit, "read-size-limit: 500", "read-size-limit: 1000", "500", FromUser},
		{limit, "", "read-size-limit: 99999999999999999999999", "262144", FromDefault},
		{limit, "read-size-limit: 500", "read-size-limit: 0", "500", FromUser},
		{limit, "read-size-limit: 0", "", "262144", FromDefault},
		{branches, "", "protected-branches: release, main", "main, release", FromShared},
		{branches, "protected-branches: a", "protected-branches:", "a", FromUser},
	} {
		root, config := t.TempDir(), t.TempDir()
		put(t, Path(root), "guards:\n  "+c.project+"\n")
		put(t, LocalPath(root), "guards:\n  secrets: off\n  read-size: off\n")
		put(t, filepath.Join(config, "viber.yml"), "guards:\n  "+c.user+"\n")
		got := ReadFor(root, config).resolve(c.key)
		if got.Value != c.want || got.Source != c.from {
			t.Errorf("%s: user %q, project %q: got %s from %s, want %s from %s", c.key.Name, c.user, c.project, got.Value, got.Source, c.want, c.from)
		}
	}
}

// TestUserFileLiesBelow: for any other key the project's file wins, and the user's fills what it leaves open.
func TestUserFileLiesBelow(t *testing.T) {
	t.Parallel()
	root, config := t.TempDir(), t.TempDir()
	put(t, Path(root), "build:\n  qa: false\n  memory: nonsense\ntiers:\n  max: sonnet\n")
	put(t, LocalPath(root), "tiers:\n  min: sonnet\n")
	put(t, UserPath(config), "build:\n  qa: true\n  memory: true\n  rules: true\ntiers:\n  min: haiku\n  max: fable\n")
	c := ReadFor(root, config)
	for key, want := range map[string]string{"build.qa": "false", "build.memory": "true", "build.rules": "true", "tiers.min": "sonnet", "tiers.max": "sonnet"} {
		if got := c.Value(key); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
	}
	if Read(root).Bool("build.rules") {
		t.Error("without a configuration directory the user's file was read")
	}
}
