package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"

	"viber/cli"
)

// storyViber is the program as stories run it: the real one, with two doors for tests that the real one has not.
// STORY_STEP=kill:OP:NAME or fail:OP:NAME ends or fails the program at the file operation OP on a file called NAME;
// STORY_MANAGED is the folder of managed settings.
func storyViber() {
	env := cli.SystemEnv(os.Args)
	env.Exit = os.Exit
	env.ManagedDir = os.Getenv("STORY_MANAGED")
	if env.ManagedDir == "" {
		env.ManagedDir = filepath.Join(os.Getenv("HOME"), "no-managed-settings")
	}
	if kind, where, ok := strings.Cut(os.Getenv("STORY_STEP"), ":"); ok {
		env.Files.Step = storyStep(kind, where)
	}
	os.Exit(cli.Main(env, os.Args))
}

func storyStep(kind, where string) func(op, path string) error {
	wanted, name, _ := strings.Cut(where, ":")
	return func(op, path string) error {
		if op != wanted || filepath.Base(path) != name {
			return nil
		}
		if kind == "kill" {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		return &fs.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
	}
}

// exits runs a command that has to end with the given exit code: exits 3 viber setup --yes.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE program args...")
	}
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// unmark drops every "~~" from a file: a story that plants a key writes it so that no scanner takes the story for a leak.
func unmark(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unmark FILE")
	}
	path := ts.MkAbs(args[0])
	text := strings.ReplaceAll(ts.ReadFile(args[0]), "~~", "")
	ts.Check(os.WriteFile(path, []byte(text), 0o644))
}

// grepID puts the id of a plan printed as JSON into a variable: grep-id stdout NAME.
func grepID(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: grep-id FILE NAME")
	}
	var plan struct {
		ID string `json:"id"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &plan))
	if plan.ID == "" {
		ts.Fatalf("no id in %s", args[0])
	}
	ts.Setenv(args[1], plan.ID)
}

// newlineDir makes a directory with a line end in its name and goes there.
func newlineDir(ts *testscript.TestScript, neg bool, args []string) {
	dir := ts.MkAbs(filepath.Join(ts.Getenv("WORK"), "line\nend"))
	ts.Check(os.MkdirAll(dir, 0o755))
	ts.Check(ts.Chdir(dir))
}

// snapshot writes what a tree holds - names, modes, times, link targets, bytes - into a file: snapshot FILE DIR...
func snapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: snapshot FILE DIR...")
	}
	var b strings.Builder
	for _, dir := range args[1:] {
		err := filepath.WalkDir(ts.MkAbs(dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			target, _ := os.Readlink(path)
			var sum [sha256.Size]byte
			if info.Mode().IsRegular() {
				data, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				sum = sha256.Sum256(data)
			}
			fmt.Fprintf(&b, "%q %s %d %q %x\n", path, info.Mode(), info.ModTime().UnixNano(), target, sum)
			return nil
		})
		ts.Check(err)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}
