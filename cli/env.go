// Package cli turns command lines into options and calls the packages that do the work. It holds no logic.
package cli

import (
	"os"
	"time"

	"viber/internal/fsx"
	"viber/internal/term"
)

// Env is what a command sees of the outside world; tests build their own.
type Env struct {
	Streams term.Streams
	Getenv  func(string) string
	Environ []string // KEY=value, for child processes
	Dir     string   // working directory, absolute
	Exe     string   // path of the running executable as the system names it, links not resolved
	Now     func() time.Time
	Sleep   func(time.Duration)
	Files   fsx.Door // the zero value; tests make it fail
	// Exit ends the process at once: a hook call that is late cannot return. nil: it is waited for.
	Exit func(code int)
	// ManagedDir is the folder of an administrator's settings; empty is the system's own.
	ManagedDir string
	// Quiet and Verbose are what --quiet and --verbose say.
	Quiet, Verbose bool
}

// SystemEnv returns the world of this process for the command line args. A hook call is not told where it is: it works where
// its payload says, and starts too often for what it does not need.
func SystemEnv(args []string) Env {
	env := Env{
		Streams: term.System(os.Getenv),
		Getenv:  os.Getenv,
		Environ: os.Environ(),
		Now:     time.Now,
		Sleep:   time.Sleep,
	}
	if !isHookCall(args) {
		env.Dir, _ = os.Getwd()
		env.Exe, _ = os.Executable()
	}
	return env
}
