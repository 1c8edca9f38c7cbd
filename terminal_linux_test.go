package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"viber/cli"
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
	for _, name := range []string{"home", "project", "bin"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(dir, "bin", "viber")
	if err := os.WriteFile(exe, []byte("program"), 0o755); err != nil {
		t.Fatal(err)
	}
	terminal, tty := openTerminal(t)
	vars := map[string]string{"HOME": filepath.Join(dir, "home"), "TMPDIR": filepath.Join(dir, "tmp"), "TERM": "xterm"}
	env := cli.Env{
		Streams: term.Streams{In: tty, Out: tty, Err: tty, InTTY: true, OutTTY: true, ErrTTY: true},
		Getenv:  func(name string) string { return vars[name] },
		Dir:     filepath.Join(dir, "project"), Exe: exe, Now: time.Now, ManagedDir: filepath.Join(dir, "none"),
	}
	done := make(chan int, 1)
	go func() { done <- cli.Main(env, []string{"viber", "setup"}); tty.Close() }()
	screen = play(terminal, text)
	return <-done, screen
}

// play is the person: it answers cursor queries as a terminal does and types text once the question stands there, and
// again every half second, since the prompt loses what comes together with an answer to its queries.
func play(terminal *os.File, text string) string {
	var screen bytes.Buffer
	buf, answered := make([]byte, 4096), 0
	ended, asked := make(chan struct{}), make(chan struct{})
	go retype(terminal, text, asked, ended)
	defer close(ended)
	for {
		n, err := terminal.Read(buf)
		before := bytes.Contains(screen.Bytes(), []byte("Apply these changes?"))
		screen.Write(buf[:n])
		for queries := bytes.Count(screen.Bytes(), []byte("\x1b[6n")); answered < queries; answered++ {
			_, _ = terminal.WriteString("\x1b[1;1R")
		}
		if !before && bytes.Contains(screen.Bytes(), []byte("Apply these changes?")) {
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
