// Package term is the only door to the terminal: streams, colour, prompts.
package term

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Streams are the three standard streams of one run of the program and what they are connected to.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	InTTY, OutTTY, ErrTTY bool
	// InPiped: stdin is a pipe, a socket or a file, so something may have been sent.
	InPiped bool
	// CI, NoColor, Dumb mirror the environment variables CI, NO_COLOR and TERM=dumb.
	CI, NoColor, Dumb bool
}

// System returns the process's own streams.
func System(getenv func(string) string) Streams {
	return Streams{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		InPiped: piped(os.Stdin),
		InTTY:   term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY:  term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY:  term.IsTerminal(int(os.Stderr.Fd())),
		CI:      getenv("CI") != "" && getenv("CI") != "false",
		NoColor: getenv("NO_COLOR") != "",
		Dumb:    getenv("TERM") == "dumb",
	}
}

func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeDevice == 0
}

// CanPrompt reports whether a person can be asked: stdin and stdout are a terminal and CI is unset.
func (s Streams) CanPrompt() bool { return s.InTTY && s.OutTTY && !s.CI }

// Color reports whether Out may carry colour.
func (s Streams) Color() bool { return s.OutTTY && !s.NoColor && !s.Dumb }

// Progress reports whether Err may carry a moving progress line.
func (s Streams) Progress() bool { return s.ErrTTY && !s.CI && !s.Dumb }
