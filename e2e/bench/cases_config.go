package main

import (
	"os"
	"path/filepath"
)

// configCases are the calls a skill's text makes before it says anything; they start no git.
func configCases() []benchCase {
	return []benchCase{
		configCase("viber config", "planning.plain-plan-review: true", "config"),
		configCase("viber switch-text", "the fragment", "switch-text", "planning.plain-plan-review", "skill", "review"),
		configCase("viber run-clock", "started: ", "run-clock"),
	}
}

// configCase runs args in a subdirectory of a git project that has a viber.yml and a skill with a fragment.
func configCase(name, says string, args ...string) benchCase {
	return benchCase{name: name, limit: 3.4, prepare: func(w *world) (command, command, error) {
		project, err := w.gitProject(args[0])
		if err != nil {
			return command{}, command{}, err
		}
		dir := filepath.Join(project, "web")
		fragments := filepath.Join(dir, "skill", "fragments")
		if err := os.MkdirAll(fragments, 0o755); err != nil {
			return command{}, command{}, err
		}
		err = os.WriteFile(filepath.Join(fragments, "review.true.md"), []byte("the fragment\n"), 0o644)
		return command{argv: append([]string{w.viber}, args...), dir: dir, says: says}, command{}, err
	}}
}
