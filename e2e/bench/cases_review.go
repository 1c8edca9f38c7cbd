package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func reviewCases() []benchCase {
	return []benchCase{{
		name: "review diff + guides, 200,000 lines", limit: 1.3, runs: 15,
		prepare: func(w *world) (command, command, error) {
			dir, err := w.largeChange(5000, 40)
			line := fmt.Sprintf("%[1]s review diff feature --base main --dir .temp/r --json && exec %[1]s review guides --diff .temp/r --json", w.viber)
			viber := command{argv: []string{"/bin/sh", "-c", line}, dir: dir, says: "src/m7/AGENTS.md"}
			reference := command{argv: []string{"/bin/sh", "-c", "exec git diff --no-color --find-renames main...feature > .temp/patch"}, dir: dir}
			return viber, reference, err
		},
	}}
}

// largeChange makes a repository whose branch feature changes n files, lines lines in each.
func (w *world) largeChange(n, lines int) (dir string, err error) {
	dir = filepath.Join(w.dir, "review-project")
	if err := os.MkdirAll(filepath.Join(dir, ".temp"), 0o755); err != nil {
		return "", err
	}
	for _, step := range []struct {
		branch, word string
	}{{"main", "before"}, {"feature", "after"}} {
		var stream strings.Builder
		out := bufio.NewWriter(&stream)
		fmt.Fprintf(out, "commit refs/heads/%s\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\n", step.branch)
		if step.branch == "feature" {
			fmt.Fprintln(out, "from refs/heads/main")
		}
		for f := range n {
			var text strings.Builder
			for i := range lines / 2 {
				fmt.Fprintf(&text, "line %d of file %d says %s\n", i, f, step.word)
			}
			fmt.Fprintf(out, "M 100644 inline src/m%d/p%d/file%d.go\ndata %d\n%s\n", f%100, f%500, f, text.Len(), text.String())
		}
		fmt.Fprintf(out, "M 100644 inline src/m7/AGENTS.md\ndata 2\nx\n\n")
		if err := out.Flush(); err != nil {
			return "", err
		}
		for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}} {
			cmd := exec.Command("git", args...)
			cmd.Dir, cmd.Env = dir, w.env
			if args[0] == "fast-import" {
				cmd.Stdin = strings.NewReader(stream.String())
			}
			if text, err := cmd.CombinedOutput(); err != nil {
				return "", fmt.Errorf("git %s: %w: %s", args[0], err, text)
			}
		}
	}
	checkout := exec.Command("git", "checkout", "-q", "feature")
	checkout.Dir, checkout.Env = dir, w.env
	if text, err := checkout.CombinedOutput(); err != nil {
		return "", fmt.Errorf("git checkout: %w: %s", err, text)
	}
	return dir, nil
}
