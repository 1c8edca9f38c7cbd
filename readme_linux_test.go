package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeShowsARealRun plays the transcript of README.md on a terminal: each piece between the cuts ("...") is what
// viber really prints, in that order.
func TestReadmeShowsARealRun(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(data), "```console\n")
	block, _, _ = strings.Cut(block, "```")
	runs := strings.Split("\n"+block, "\n$ viber setup\n")[1:]
	if len(runs) != 2 {
		t.Fatalf("%d runs of viber setup in the README, want 2", len(runs))
	}
	screens := setupTwice(t)
	for i, run := range runs {
		rest := screens[i]
		for _, piece := range strings.Split("\n"+strings.TrimSpace(run)+"\n", "\n...\n") {
			piece = strings.TrimSpace(asInReadme(piece, ""))
			_, after, found := strings.Cut(rest, piece)
			if !found {
				t.Fatalf("the README shows\n%s\nthe program prints\n%s", piece, rest)
			}
			rest = after
		}
	}
}

// setupTwice sets a project up on a terminal, as the README does, and then once more.
func setupTwice(t *testing.T) (screens [2]string) {
	t.Helper()
	dir := t.TempDir()
	env := terminalEnv(t, dir)
	shop := filepath.Join(dir, "home", "shop")
	put(t, filepath.Join(shop, ".git/HEAD"), "ref: refs/heads/main\n", 0o644)
	put(t, filepath.Join(dir, "home/.claude/settings.json"), "{\n  \"model\": \"opus\"\n}\n", 0o644)
	put(t, filepath.Join(dir, "home/.local/bin/viber"), "program", 0o755)
	put(t, filepath.Join(dir, "bin/claude"), "#!/bin/sh\necho '2.1.332 (Claude Code)'\n", 0o755)
	env.Dir, env.Exe = shop, filepath.Join(dir, "home/.local/bin/viber")
	for i, typed := range []string{"y\r", ""} {
		code, screen := onTerminal(t, env, "Apply these", typed)
		if code != 0 {
			t.Fatalf("exit code %d\n%s", code, screen)
		}
		screens[i] = asInReadme(screen, filepath.Join(dir, "home"))
	}
	return screens
}

var (
	escapes   = regexp.MustCompile(`\x1b(\[[0-9;?]*[A-Za-z]|[78])`)
	developed = regexp.MustCompile(`plugin/(dev-[0-9a-f]+|1\.0\.0)`)
	planID    = regexp.MustCompile(`(?m)^plan [0-9a-f]{12}`)
	retyped   = regexp.MustCompile(`(?m)^y+\n`) // an answer that was typed once more
	// How many files, hooks and rules there are moves with every release.
	counts = regexp.MustCompile(`\(\d+( files)?\)|\+1,\d+ @@`)
)

// asInReadme takes out of a screen what differs from one machine and build to the next.
func asInReadme(screen, home string) string {
	screen = strings.ReplaceAll(escapes.ReplaceAllString(screen, ""), "\r", "")
	if home != "" {
		screen = strings.ReplaceAll(screen, home, "/home/ana")
	}
	screen = developed.ReplaceAllString(strings.ReplaceAll(screen, "viber dev ", "viber 1.0.0 "), "plugin/1.0.0")
	screen = retyped.ReplaceAllString(screen, "")
	screen = counts.ReplaceAllString(screen, "(N$1)")
	return columnGaps.ReplaceAllString(planID.ReplaceAllString(screen, "plan ID"), "  ")
}
