package term

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"viber/internal/exit"
)

// Editor returns the command line of the user's editor: VISUAL, EDITOR, or what every system of its kind has.
func Editor(getenv func(string) string) string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if command := strings.TrimSpace(getenv(name)); command != "" {
			return command
		}
	}
	if runtime.GOOS == "windows" {
		return "notepad"
	}
	return "vi"
}

// Edit opens the file at path with the editor's command line on the terminal and waits until the editor is closed.
// environ is the editor's environment.
func Edit(s Streams, command string, environ []string, path string) error {
	in, inOK := s.In.(*os.File)
	out, outOK := s.Out.(*os.File)
	if !inOK || !outOK {
		return ErrNoTerminal
	}
	argv := editorArgs(command)
	cmd := exec.Command(argv[0], append(argv[1:], path)...)
	cmd.Env = environ
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, os.Stderr
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return exit.With(exit.Failed, fmt.Errorf("the editor %q was not found; set VISUAL or EDITOR", argv[0]))
	}
	if err != nil {
		return exit.With(exit.Cancelled, fmt.Errorf("the editor ended with an error (%w); nothing was changed", err))
	}
	return nil
}

// editorArgs splits an editor's command line at blanks; a path that exists as it is, or stands in quotes, is one word.
func editorArgs(command string) []string {
	if _, err := os.Stat(command); err == nil {
		return []string{command}
	}
	if rest, ok := strings.CutPrefix(command, `"`); ok {
		if path, args, closed := strings.Cut(rest, `"`); closed {
			return append([]string{path}, strings.Fields(args)...)
		}
	}
	return strings.Fields(command)
}
