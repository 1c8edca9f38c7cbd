// Package install sets projects up for viber and takes everything back: it reads the world, builds a Plan, shows it, and
// applies exactly what was shown. Nothing is written while a plan is being made.
package install

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"viber/install/host"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// Env is what the commands of this room see of the outside world.
type Env struct {
	Streams term.Streams
	Getenv  func(string) string
	Environ []string
	Dir     string // working directory, absolute
	Exe     string // the running executable as the system names it
	Version string // of this binary
	Now     func() time.Time
	Files   fsx.Door
	// ManagedDir is the folder of managed settings; empty is the system's own.
	ManagedDir string
	// Plugin holds the plugin's files; nil is the one in this binary.
	Plugin fs.FS
	// Quiet leaves out everything but errors, questions and what was asked for; Verbose names each step on stderr.
	Quiet, Verbose bool
}

// news is where a command says what is true after it worked.
func (e Env) news() io.Writer {
	if e.Quiet {
		return io.Discard
	}
	return e.Streams.Out
}

// step names a step on stderr when --verbose asked for it.
func (e Env) step(format string, args ...any) {
	if e.Verbose {
		fmt.Fprintf(e.Streams.Err, "viber: "+format+"\n", args...)
	}
}

// Agent reports whether the command was started by a coding agent, which may only apply what a person was shown.
func (e Env) Agent() bool { return e.Getenv("CLAUDECODE") != "" }

// Places are the directories of one user that viber works in; all are absolute.
type Places struct {
	Home   string
	Config string // Claude Code's: CLAUDE_CONFIG_DIR or ~/.claude
	State  string // viber's own: journal, record, plugin folders
	Codex  string // Codex's: CODEX_HOME or ~/.codex
	Data   string // viber's own: a copy of the binary where no better path is stable
}

// FindPlaces works out the user's directories and refuses (exit code 3) a home that cannot be used: unset, relative, not
// a directory, or of another account.
func FindPlaces(env Env) (Places, error) {
	home := env.Getenv(homeVariable())
	if err := checkHome(home); err != nil {
		return Places{}, exit.With(exit.Refused, err)
	}
	p := Places{Home: filepath.Clean(home), Config: env.Getenv("CLAUDE_CONFIG_DIR"), State: stateDir(env, home)}
	if p.Config == "" {
		p.Config = filepath.Join(p.Home, ".claude")
	}
	if !filepath.IsAbs(p.Config) {
		return Places{}, exit.With(exit.Refused, fmt.Errorf("CLAUDE_CONFIG_DIR is %q; it must be an absolute path", p.Config))
	}
	p.Config = filepath.Clean(p.Config)
	p.Codex = host.CodexHome(env.Getenv, p.Home)
	p.Data = filepath.Join(baseDir(env, p.Home, "XDG_DATA_HOME", ".local/share"), "viber")
	for _, dir := range []string{p.Config, p.State} {
		if err := checkOwner(env, dir); err != nil {
			return Places{}, exit.With(exit.Refused, err)
		}
	}
	return p, nil
}

func homeVariable() string {
	if runtime.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

func checkHome(home string) error {
	name := homeVariable()
	if home == "" {
		return fmt.Errorf("%s is not set; set it to your home directory", name)
	}
	if !filepath.IsAbs(home) {
		return fmt.Errorf("%s is %q; it must be an absolute path", name, home)
	}
	info, err := os.Stat(home)
	if err != nil || !info.IsDir() {
		return fmt.Errorf("%s is %q, which is not a directory", name, home)
	}
	return nil
}

// checkOwner refuses a directory of another account: what root writes there, its owner could not change any more.
func checkOwner(env Env, dir string) error {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	if !fsx.OwnedByOther(dir) {
		return nil
	}
	if env.Getenv("SUDO_USER") != "" {
		return fmt.Errorf("%s belongs to another account than the one viber runs as; run it as %s, without sudo", dir, env.Getenv("SUDO_USER"))
	}
	return fmt.Errorf("%s belongs to another account than the one viber runs as; check %s, or take the directory back with: sudo chown -R \"$(id -u)\" %q", dir, homeVariable(), dir)
}

// stateDir is where viber keeps its state for a user whose home is home.
func stateDir(env Env, home string) string {
	return filepath.Join(baseDir(env, home, "XDG_STATE_HOME", ".local/state"), "viber")
}

// baseDir is the system's directory for one kind of a program's files.
func baseDir(env Env, home, xdg, fallback string) string {
	switch runtime.GOOS {
	case "windows":
		if dir := env.Getenv("LOCALAPPDATA"); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, "AppData", "Local")
	case "darwin":
		if dir := env.Getenv(xdg); filepath.IsAbs(dir) {
			return dir
		}
		return filepath.Join(home, "Library", "Application Support")
	}
	if dir := env.Getenv(xdg); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, filepath.FromSlash(fallback))
}
