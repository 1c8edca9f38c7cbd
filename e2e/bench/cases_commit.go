package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func commitCases() []benchCase {
	return []benchCase{
		{name: "commit-task, against git add and git commit", limit: 3.4, goal: 3, runs: 40, prepare: commitAgainst(plainCommit)},
		{name: "commit-task, against 24 git processes", limit: 0.6, goal: 0.5, runs: 20, prepare: commitAgainst(commitOf24)},
	}
}

const benchPlan = "docs/_specs/2026-03-04-05-06-07_parcels/plan.md"

// commitAgainst commits the same two files, in two repositories of 5,000 files, with commit-task and with a shell script.
func commitAgainst(script string) func(w *world) (command, command, error) {
	return func(w *world) (viber, reference command, err error) {
		n := 0
		change := func(dir string) func() error {
			return func() error {
				n++
				for _, name := range []string{"lib/store.py", "lib/view.py"} {
					if err := put(dir, name, fmt.Sprintf("version = %d\n", n)); err != nil {
						return err
					}
				}
				return nil
			}
		}
		repo := func(name string) (string, error) {
			dir, err := os.MkdirTemp(w.dir, name)
			if err != nil {
				return "", err
			}
			return dir, w.largeRepo(dir)
		}
		mine, err := repo("commit-task-")
		if err != nil {
			return viber, reference, err
		}
		theirs, err := repo("plain-")
		if err != nil {
			return viber, reference, err
		}
		viber = command{argv: []string{w.viber, "commit-task", benchPlan, "T1"}, dir: mine, says: "T1", before: change(mine)}
		reference = command{argv: []string{"sh", "-ec", script}, dir: theirs, before: change(theirs)}
		return viber, reference, nil
	}
}

const plainCommit = `git add lib/store.py lib/view.py && git commit -q -m "T1 - store parcels" -m "Refs: plan task T1"`

// commitOf24 is the same commit the way a careful script makes it: looked at from all sides, and on an index of its own.
const commitOf24 = `
files="lib/store.py lib/view.py"
git rev-parse --show-toplevel; git rev-parse --is-inside-work-tree; git rev-parse --git-dir; git rev-parse -q --verify HEAD
git ls-files -z -- $files; git add -u -- $files; git ls-files -z -o --exclude-standard -- $files; git add -- $files
for f in $files; do git ls-files -- $f; git ls-tree -r HEAD -- $f; done
git diff --cached --quiet -- $files || true
git status --porcelain -- docs; git add -- docs/_specs
export GIT_INDEX_FILE=$(git rev-parse --git-dir)/index.own
git read-tree HEAD; git rm -q -r --cached --ignore-unmatch -- $files
GIT_INDEX_FILE=$(git rev-parse --git-dir)/index git ls-files -s -z -- $files > .git/entries
git update-index -z --index-info < .git/entries
git commit -q -m "T1 - store parcels" -m "Refs: plan task T1"
unset GIT_INDEX_FILE; rm -f .git/index.own
git rev-parse --short HEAD; git status --porcelain -uall -z; git diff --cached --quiet`

// largeRepo makes dir a repository of 5,000 files with a run of one task.
func (w *world) largeRepo(dir string) error {
	for i := range 5000 {
		if err := put(dir, fmt.Sprintf("src/d%02d/file%04d.txt", i%100, i), strings.Repeat(fmt.Sprintf("line of file %d\n", i), 20)); err != nil {
			return err
		}
	}
	plan := "# Parcels\n\n## Tasks\n\n<!-- TASK -->\n### T1 - store parcels\n- Files: lib/store.py, lib/view.py\n<!-- /TASK -->\n"
	if err := put(dir, benchPlan, plan); err != nil {
		return err
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "gc.auto", "0"}, {"add", "-A"}, {"commit", "-q", "-m", "seed"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, w.env
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	return nil
}

func put(dir, name, text string) error {
	full := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return os.WriteFile(full, []byte(text), 0o644)
}
