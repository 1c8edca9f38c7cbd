package forge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/internal/gitx"
)

// TestSecretTool: what the store says when it cannot is told with the other way; a token it does not have is no fault of it.
func TestSecretTool(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, get, set string }{
		"none":    {"exit 1", "in the system's credential store or git's; store one with 'viber forge login", "secret-tool ended with 1 and said nothing"},
		"locked":  {"echo 'secret-tool: Cannot create an item in a locked collection' >&2; exit 1", "locked collection, and git's credential helpers know none", "git credential approve"},
		"missing": {"", "package libsecret-tools", "git credential approve"},
	} {
		bin, home := t.TempDir(), t.TempDir()
		if c.script != "" {
			if err := os.WriteFile(filepath.Join(bin, "secret-tool"), []byte("#!/bin/sh\ncat > /dev/null\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		git := t.TempDir()
		if err := os.WriteFile(filepath.Join(git, "git"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		environ := []string{"PATH=" + bin + ":" + git + ":/nowhere", "HOME=" + home}
		if c.script != "" {
			environ[0] = "PATH=" + bin + ":" + git + ":/bin"
		}
		keys := NewKeys(home, environ)
		_, err := findToken(t.Context(), keys, gitx.Git{Dir: home, Env: environ}, "git.example.com")
		if err == nil || !strings.Contains(err.Error(), c.get) || strings.Contains(err.Error(), "gh ended") {
			t.Errorf("%s: get: %v", name, err)
		}
		if err := StoreToken(keys, "git.example.com", "", "sesame"); err == nil || !strings.Contains(err.Error(), c.set) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: set: %v", name, err)
		}
	}
}
