//go:build unix

package install

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/install/settings"
)

// TestLinesThatDoNotBehaveLikeHooks runs small scripts in the place of viber.
func TestLinesThatDoNotBehaveLikeHooks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := &World{Env: Env{Environ: []string{"PATH=" + os.Getenv("PATH"), "VIBER_X=1", "GIT_DIR=/x", "CLAUDE_PROJECT_DIR=/y"}}, Record: &Record{}, Places: Places{Config: dir}}
	b, err := newBench(w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.remove)
	for name, c := range map[string]struct{ script, verdict, fault string }{
		"silent":      {"cat >/dev/null", saysNothing, ""},
		"deny":        {`echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`, saysDeny, ""},
		"fails":       {"echo oops >&2; exit 2", "", "exit status 2: oops"},
		"noisy":       {"echo debug >&2", "", "wrote to stderr: debug"},
		"banner":      {"echo hello", "", "not one JSON object"},
		"slow":        {"exec sleep 60", "", "no answer within"},
		"environment": {`test -z "$VIBER_X$GIT_DIR" && test "$CLAUDE_PROJECT_DIR" = "$PWD" && test -n "$XDG_STATE_HOME"`, saysNothing, ""},
		"payload":     {`grep -q '"hook_event_name":"Stop"'`, saysNothing, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte("#!/bin/sh\n"+c.script+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
			limit := 30.0
			if name == "slow" {
				limit = 0.3
			}
			for form, h := range map[string]settings.Handler{
				"exec":  {Event: "Stop", Command: path, Args: []string{"hook", "Stop"}, HasArgs: true, Timeout: limit},
				"shell": {Event: "Stop", Command: "'" + path + "' hook Stop", Timeout: limit},
			} {
				got, _, err := b.call(registered{Handler: h}, path, b.payload("Stop", nil))
				switch {
				case c.fault == "" && (err != nil || got != c.verdict):
					t.Errorf("%s form: %q %v, want %q", form, got, err, c.verdict)
				case c.fault != "" && (err == nil || !strings.Contains(err.Error(), c.fault)):
					t.Errorf("%s form: %v, want %q", form, err, c.fault)
				}
			}
		})
	}
}
