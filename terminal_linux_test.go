package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"viber/cli"
	"viber/internal/fsx"
	"viber/internal/term"
)

// On a terminal the plan is shown and one question asked; everything but a yes changes nothing, and a cursor report that
// leaks into the input is no answer.
func TestSetupAsksOnATerminal(t *testing.T) {
	for name, c := range map[string]struct {
		typed string
		code  int
		done  bool
	}{
		"no":                        {"n\r", 4, false},
		"return alone":              {"\r", 4, false},
		"ctrl-c":                    {"\x03", 4, false},
		"end of input":              {"\x04", 4, false},
		"yes":                       {"y\r", 0, true},
		"yes after a leaked report": {"\x1b[1;1Ry\r", 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			code, screen := setupOnTerminal(t, dir, c.typed)
			if code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, screen)
			}
			if _, err := os.Stat(filepath.Join(dir, "project", ".claude", "viber.yml")); (err == nil) != c.done {
				t.Errorf("viber.yml: %v", err)
			}
			if strings.Count(screen, "plan ") < 1 || !strings.Contains(screen, "settings.json") {
				t.Errorf("the plan was not shown:\n%s", screen)
			}
		})
	}
}

// setupOnTerminal runs viber setup on a pseudo-terminal of its own and types text at its question.
func setupOnTerminal(t *testing.T, dir, text string) (code int, screen string) {
	t.Helper()
	return onTerminal(t, terminalEnv(t, dir), "Apply these", text)
}

// terminalEnv is a world below dir with a home, a project and an executable; its streams are missing.
func terminalEnv(t *testing.T, dir string) cli.Env {
	t.Helper()
	for _, name := range []string{"home", "project", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(dir, "bin", "viber")
	if err := os.WriteFile(exe, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"HOME": filepath.Join(dir, "home"), "TMPDIR": filepath.Join(dir, "tmp"), "TERM": "xterm", "PATH": filepath.Join(dir, "bin")}
	return cli.Env{
		Getenv: func(name string) string { return vars[name] },
		Dir:    filepath.Join(dir, "project"), Exe: exe, Now: time.Now, ManagedDir: filepath.Join(dir, "none"),
	}
}

// onTerminal runs viber setup in env on a pseudo-terminal and types text once question stands there.
func onTerminal(t *testing.T, env cli.Env, question, text string) (code int, screen string) {
	t.Helper()
	terminal, tty := openTerminal(t)
	env.Streams = term.Streams{In: tty, Out: tty, Err: tty, InTTY: true, OutTTY: true, ErrTTY: true}
	done := make(chan int, 1)
	go func() { done <- cli.Main(env, []string{"viber", "setup"}); tty.Close() }()
	screen = play(terminal, question, text)
	return <-done, screen
}

// A setup that was stopped half way: on a terminal the next one shows the rest and asks; it is finished, taken back or
// left as it is.
func TestSetupAsksAboutOneThatWasStopped(t *testing.T) {
	const down = "\x1b[B"
	for name, c := range map[string]struct {
		typed            string
		code             int
		settings, config bool
	}{
		"finish it":    {"\r", 0, true, true},
		"take it back": {down + "\r", 4, false, false},
		"leave it":     {down + down + "\r", 4, false, true},
		"ctrl-c":       {"\x03", 4, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := terminalEnv(t, dir)
			stopHalfWay(t, env)
			code, screen := onTerminal(t, env, "What shall become of it?", c.typed)
			if code != c.code || !strings.Contains(screen, "was stopped half way") || !strings.Contains(screen, "settings.json") {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, screen)
			}
			for path, want := range map[string]bool{"home/.claude/settings.json": c.settings, "project/.claude/viber.yml": c.config} {
				if _, err := os.Stat(filepath.Join(dir, path)); (err == nil) != want {
					t.Errorf("%s: %v\n%s", path, err, screen)
				}
			}
		})
	}
}

// stopHalfWay runs a setup that dies where it would write settings.json, after everything else.
func stopHalfWay(t *testing.T, env cli.Env) {
	t.Helper()
	env.Streams = term.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	env.Files = fsx.Door{Step: func(op, path string) error {
		if op == "create" && strings.Contains(path, "settings.json") {
			panic("killed")
		}
		return nil
	}}
	defer func() {
		if recover() != "killed" {
			t.Fatal("the setup was not stopped")
		}
	}()
	cli.Main(env, []string{"viber", "setup", "--yes"})
}

// Another plugin called viber is enabled: on a terminal setup offers to have the client disable it, and goes on.
func TestSetupOffersToDisableAnotherViber(t *testing.T) {
	for name, c := range map[string]struct {
		typed    string
		disabled bool
		screen   string
	}{
		"disable":   {"\r", true, "nothing was changed"}, // the same key at the next question means no
		"stop here": {"\x1b[B\r", false, "disable the other plugin with: claude plugin disable viber@acme"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := terminalEnv(t, dir)
			put(t, filepath.Join(dir, "home/.claude/settings.json"), `{"enabledPlugins": {"viber@acme": true}}`, 0o644)
			put(t, filepath.Join(dir, "bin/claude"), `#!/bin/sh
[ "$1" = --version ] && echo "2.1.332 (Claude Code)" && exit
[ "$*" = "plugin disable viber@acme" ] && echo "{}" > "$CLAUDE_CONFIG_DIR/settings.json"
`, 0o755)
			code, screen := onTerminal(t, env, "What shall become of it?", c.typed)
			if code != 4 || !strings.Contains(screen, c.screen) {
				t.Errorf("exit code %d\n%s", code, screen)
			}
			text, err := os.ReadFile(filepath.Join(dir, "home/.claude/settings.json"))
			if err != nil || (string(text) == "{}\n") != c.disabled {
				t.Errorf("settings: %s %v\n%s", text, err, screen)
			}
		})
	}
}

func put(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

// play is the person: it answers cursor queries as a terminal does and types text once the question stands there, and
// again every half second, since the prompt loses what comes together with an answer to its queries.
func play(terminal *os.File, question, text string) string {
	var screen bytes.Buffer
	buf, answered := make([]byte, 4096), 0
	ended, asked := make(chan struct{}), make(chan struct{})
	go retype(terminal, text, asked, ended)
	defer close(ended)
	for {
		n, err := terminal.Read(buf)
		before := bytes.Contains(screen.Bytes(), []byte(question))
		screen.Write(buf[:n])
		for queries := bytes.Count(screen.Bytes(), []byte("\x1b[6n")); answered < queries; answered++ {
			_, _ = terminal.WriteString("\x1b[1;1R")
		}
		if !before && bytes.Contains(screen.Bytes(), []byte(question)) {
			close(asked)
		}
		if err != nil {
			return screen.String()
		}
	}
}

func retype(terminal *os.File, text string, asked, ended chan struct{}) {
	select {
	case <-asked:
	case <-ended:
		return
	}
	for {
		select {
		case <-ended:
			return
		case <-time.After(500 * time.Millisecond):
			_, _ = terminal.WriteString(text)
		}
	}
}

func openTerminal(t *testing.T) (terminal, tty *os.File) {
	t.Helper()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() })
	fd := int(terminal.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	tty, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return terminal, tty
}
