package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/internal/program"
)

// Git runs the user's git in one directory: argv only, no shell, a built environment, a time limit.
type Git struct {
	Path    string        // absolute path of git; empty = the first on the PATH of Env outside the project
	Dir     string        // working directory
	Env     []string      // base environment (KEY=value); GIT_* that a project could set should already be gone
	Timeout time.Duration // per call; 0 = 60 s
	Calls   *int          // when set, counts the processes started
	Started func(pid int) // when set, is told the process of AsUser
	// MaxOutput bounds what Run keeps of git's output, in bytes; more ends git with ErrOutput. 0 = no bound.
	MaxOutput int64
}

// ErrOutput says that git wrote more than MaxOutput.
var ErrOutput = errors.New("git wrote more than is read of it")

// bounded keeps at most limit bytes; 0 = any number.
type bounded struct {
	kept  bytes.Buffer
	limit int64
	full  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.limit > 0 && int64(b.kept.Len()+len(p)) > b.limit {
		b.full = true
		return 0, ErrOutput
	}
	return b.kept.Write(p)
}

// Result is what one git process left.
type Result struct {
	Stdout, Stderr []byte
	Code           int
}

// Run starts git with args and waits. err is set when git could not be started or was stopped by the time limit;
// a non-zero exit is not an error here.
func (g Git) Run(ctx context.Context, stdin []byte, args ...string) (Result, error) {
	if g.Calls != nil {
		*g.Calls++
	}
	limit := g.Timeout
	if limit == 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	path, err := g.program()
	if err != nil {
		return Result{Code: -1}, err
	}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir = g.Dir
	cmd.Env = append(append([]string{}, g.Env...), "LC_ALL=C", "GIT_LITERAL_PATHSPECS=1", "GIT_TERMINAL_PROMPT=0")
	cmd.Stdin = bytes.NewReader(stdin)
	out, errb := bounded{limit: g.MaxOutput}, bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = &out, &errb
	err = cmd.Run()
	res := Result{Stdout: out.kept.Bytes(), Stderr: errb.Bytes(), Code: exitCode(cmd)}
	var exitErr *exec.ExitError
	if errors.As(err, &exitErr) && ctx.Err() == nil {
		err = nil
	}
	switch {
	case out.full:
		err = ErrOutput
	case ctx.Err() != nil:
		err = stopped(ctx, args, limit)
	}
	return res, err
}

// stopped says why the git of args was stopped: by the caller, as ErrInterrupted, or by its time limit.
func stopped(ctx context.Context, args []string, limit time.Duration) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fmt.Errorf("git %s: %w", commandName(args), ErrInterrupted)
	}
	return fmt.Errorf("git %s: no answer within %s", commandName(args), limit)
}

// ErrInterrupted is the reason of a git that the caller stopped.
var ErrInterrupted = errors.New("interrupted")

// program is the git to start: Path, or the first on the PATH of Env that does not come with the project.
func (g Git) program() (string, error) {
	if g.Path != "" {
		return g.Path, nil
	}
	path, ok := program.FindOutside(g.Project(), "git", g.Env)
	if !ok && !slices.ContainsFunc(g.Env, isPath) {
		return "git", nil
	}
	if !ok {
		return "", errors.New("no git on PATH outside the project; install git, or put its folder on PATH")
	}
	return path, nil
}

func isPath(kv string) bool {
	key, _, _ := strings.Cut(kv, "=")
	return strings.EqualFold(key, "PATH")
}

// Project is the work tree around Dir, links resolved; empty where that is the user's home, which holds programs too.
func (g Git) Project() string {
	top := g.Dir
	if l, ok := Find(g.Dir); ok && l.Top != "" {
		top = l.Top
	}
	for _, kv := range g.Env {
		home, ok := strings.CutPrefix(kv, "HOME=")
		if real, err := filepath.EvalSymlinks(home); ok && err == nil && real == top {
			return ""
		}
	}
	return top
}

// Out runs a reading git command (no optional locks) and returns its output without the last line end.
// A non-zero exit is an error with git's first error line.
func (g Git) Out(ctx context.Context, args ...string) (string, error) {
	res, err := g.Run(ctx, nil, append([]string{"--no-optional-locks"}, args...)...)
	if err != nil {
		return "", err
	}
	if res.Code != 0 {
		return "", Fail(commandName(args), res)
	}
	return strings.TrimSuffix(string(res.Stdout), "\n"), nil
}

// Read starts a reading git command: no optional locks, no file system monitor, no bare repository hidden in the project.
// A non-zero exit is no error here.
func (g Git) Read(ctx context.Context, args ...string) (Result, error) {
	return g.Run(ctx, nil, append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false",
		"-c", "safe.bareRepository=explicit"}, args...)...)
}

// commandName is the subcommand among args, behind git's own options.
func commandName(args []string) string {
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "-c" || args[i] == "-C":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}

// FirstLine returns the first line of git's error text.
func FirstLine(stderr []byte) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(stderr)), "\n")
	return line
}

func exitCode(cmd *exec.Cmd) int {
	if cmd.ProcessState == nil {
		return -1
	}
	return cmd.ProcessState.ExitCode()
}
