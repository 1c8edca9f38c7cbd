package install

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"viber/install/settings"
)

// TestHooksComeByThePluginWhereOnlyPluginsMayBringThem: then nothing of them stands in the settings, so that there is one
// channel; when the rule goes, they move back.
func TestHooksComeByThePluginWhereOnlyPluginsMayBringThem(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	rule := filepath.Join(b.env.ManagedDir, "managed-settings.json")
	if err := os.MkdirAll(b.env.ManagedDir, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, rule, `{"strictPluginOnlyCustomization": ["hooks"]}`, 0o644)
	setup := SetupOptions{Env: b.env, Consent: Consent{Yes: true}, Wanted: Wanted{Scope: ScopeUser}, Dir: b.project}
	if err := Setup(setup); err != nil {
		t.Fatal(err)
	}
	hooks := filepath.Join(filepath.Dir(b.settings), "skills", "viber", "hooks", "hooks.json")
	file, err := settings.Parse(hooks, []byte(read(t, hooks)))
	if err != nil {
		t.Fatal(err)
	}
	program := "${CLAUDE_PLUGIN_ROOT}/bin/viber"
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	for _, h := range file.Handlers() {
		if h.Command != program || strings.Join(h.Args, " ") != "hook "+h.Event {
			t.Errorf("%+v", h)
		}
	}
	if len(file.Handlers()) == 0 || b.hooks(t) != 0 {
		t.Errorf("%d in the plugin, %d in the settings", len(file.Handlers()), b.hooks(t))
	}
	if err := os.Remove(rule); err != nil {
		t.Fatal(err)
	}
	if err := Setup(setup); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(hooks); err == nil || b.hooks(t) == 0 {
		t.Errorf("hooks.json is still there (%v), %d in the settings", err, b.hooks(t))
	}
}
