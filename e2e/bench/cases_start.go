package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func startCases() []benchCase {
	return []benchCase{
		{name: "viber version", limit: 3.4, prepare: func(w *world) (command, command, error) {
			return w.version(), command{}, nil
		}},
		{name: "second viber setup --yes", limit: 40, runs: 60, prepare: setUp},
	}
}

func (w *world) version() command { return command{argv: []string{w.viber, "version"}, says: "viber "} }

// setUp is a git project that was set up before, in a home of its own. No client is on PATH: its version check is no part
// of the budget, and the case fails where there is one.
func setUp(w *world) (viber, reference command, err error) {
	dir, err := w.gitProject("setup")
	if err != nil {
		return command{}, command{}, err
	}
	home := filepath.Join(w.dir, "setup-home")
	if err := os.Mkdir(home, 0o755); err != nil {
		return command{}, command{}, err
	}
	again := command{argv: []string{w.viber, "setup", "--yes"}, dir: dir, env: []string{"HOME=" + home}, says: "nothing to do"}
	first := exec.Command(w.viber, "setup", "--yes")
	first.Dir, first.Env = dir, append(append([]string{}, w.env...), again.env...)
	out, err := first.CombinedOutput()
	if err != nil {
		return command{}, command{}, fmt.Errorf("setup: %w: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(home, ".claude", "settings.json")); err != nil {
		return command{}, command{}, fmt.Errorf("setup registered no hooks: %w", err)
	}
	if hasClient() {
		return command{}, command{}, fmt.Errorf("claude is on PATH; the case measures setup without it")
	}
	return again, command{}, nil
}

// hasClient says whether the PATH of the cases has the client.
func hasClient() bool {
	for _, dir := range []string{"/usr/bin", "/bin"} {
		if _, err := os.Stat(filepath.Join(dir, "claude")); err == nil {
			return true
		}
	}
	return false
}
