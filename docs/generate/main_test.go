//go:build !urfave_cli_no_docs

package main

import (
	"os"
	"path/filepath"
	"testing"

	"viber/cli"
)

// TestCommandListIsCurrent keeps docs/commands.md as the command tree has it.
func TestCommandListIsCurrent(t *testing.T) {
	want, err := cli.Markdown(emptyEnv(nil))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join("..", "commands.md"))
	if err != nil || string(got) != want {
		t.Errorf("docs/commands.md is not current (%v); run: go run ./docs/generate commands", err)
	}
}
