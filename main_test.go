package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"viber": storyViber})
}

// TestStories plays cli/testdata/<area>/*.txtar with the real program and a throw-away HOME.
func TestStories(t *testing.T) {
	areas, err := filepath.Glob("cli/testdata/*")
	if err != nil || len(areas) == 0 {
		t.Fatalf("no stories found: %v", err)
	}
	for _, area := range areas {
		t.Run(filepath.Base(area), func(t *testing.T) {
			testscript.Run(t, testscript.Params{
				Dir:                 area,
				Setup:               throwAwayWorld,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
				Cmds:                storyCommands(),
			})
		})
	}
}

// throwAwayWorld gives a story its own HOME and nothing of the developer's.
func throwAwayWorld(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for _, dir := range []string{home, filepath.Join(env.WorkDir, "project"), filepath.Join(env.WorkDir, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	for k, v := range map[string]string{
		"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": filepath.Join(home, "AppData", "Local"),
		"XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "CLAUDE_CONFIG_DIR": "",
		"TMPDIR": filepath.Join(env.WorkDir, "tmp"), "TZ": "UTC", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8",
		"NO_COLOR": "", "CI": "", "CLAUDECODE": "", "TERM": "xterm",
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CEILING_DIRECTORIES": env.WorkDir,
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
	} {
		env.Setenv(k, v)
	}
	env.Cd = filepath.Join(env.WorkDir, "project")
	return nil
}

// storyCommands are the commands stories use beside testscript's own.
func storyCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"exits":       exits,
		"grep-id":     grepID,
		"newline-dir": newlineDir,
		"snapshot":    snapshot,
		"unmark":      unmark,
	}
}
