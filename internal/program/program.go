// Package program starts the user's own tools (gh, a browser opener, playwright-cli): found on the PATH it is given, argv
// only, never a shell, with a time limit and a bound on what is read back.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Call is one program to start.
type Call struct {
	Path  string // absolute, from Find
	Args  []string
	Dir   string
	Env   []string      // KEY=value
	Stdin io.Reader     // nil = empty
	Limit time.Duration // 0 = one minute
	// MaxOutput is how many bytes of each stream are kept; 0 = 16 MiB. Reading more is an error.
	MaxOutput int
	// Alone gives the program a session of its own, so that it cannot take the terminal.
	Alone bool
}

// Result is what a program left.
type Result struct {
	Stdout, Stderr []byte
	Code           int
}

// ErrTimeout says that the program was stopped by its time limit: whether its work was done is not known.
var ErrTimeout = errors.New("no answer in time")

// ErrTooLong says that the program wrote more than MaxOutput.
var ErrTooLong = errors.New("the answer is too long")

// Find returns the absolute path of the program called name on the PATH of environ. Relative PATH entries are passed over.
func Find(name string, environ []string) (string, bool) { return FindOutside("", name, environ) }

// FindOutside is Find without what lies in the folder top, also behind a link: a project's settings can set PATH, and what
// a project brings is not run.
func FindOutside(top, name string, environ []string) (string, bool) {
	for _, dir := range filepath.SplitList(value(environ, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, name))
		if err == nil && !within(top, path) {
			return path, true
		}
	}
	return "", false
}

// within reports whether path, as it is spelled or where its links lead, lies in top.
func within(top, path string) bool {
	if top == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	for _, p := range []string{path, real} {
		if rel, err := filepath.Rel(top, p); err == nil && filepath.IsLocal(rel) {
			return true
		}
	}
	return false
}

// Run starts c and waits. A non-zero exit is no error here; err is set when the program could not be started, took too
// long or wrote too much.
func Run(ctx context.Context, c Call) (Result, error) {
	out, errb := newBounded(c.MaxOutput), newBounded(c.MaxOutput)
	code, late, err := c.run(ctx, out, errb)
	res := Result{Stdout: out.kept.Bytes(), Stderr: errb.kept.Bytes(), Code: code}
	var exitErr *exec.ExitError
	switch {
	case late != nil:
		return res, c.timeout()
	case out.over || errb.over:
		return res, ErrTooLong
	case errors.As(err, &exitErr):
		return res, nil
	}
	return res, err
}

// run starts c with these outputs and waits. late is why it was stopped before its end, nil when it was not; the code of a
// program that did not start is -1.
func (c Call) run(ctx context.Context, out, errb io.Writer) (code int, late, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.limit())
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, c.Stdin
	cmd.WaitDelay = 2 * time.Second
	if c.Alone {
		detach(cmd)
	}
	cmd.Stdout, cmd.Stderr = out, errb
	err = cmd.Run()
	code = -1
	if cmd.ProcessState != nil {
		code = cmd.ProcessState.ExitCode()
	}
	return code, ctx.Err(), err
}

func (c Call) limit() time.Duration {
	if c.Limit == 0 {
		return time.Minute
	}
	return c.Limit
}

func (c Call) timeout() error { return fmt.Errorf("%w (%s)", ErrTimeout, c.limit()) }

// Attach runs c on the user's own streams, for as long as it takes; a non-zero exit is an error.
func Attach(ctx context.Context, c Call, out io.Writer) error {
	cmd := exec.CommandContext(ctx, c.Path, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdin = c.Dir, c.Env, c.Stdin
	cmd.Stdout, cmd.Stderr = out, out
	return cmd.Run()
}

// Start starts c in the background, cut loose from this process, and does not wait for it.
func Start(c Call) error {
	cmd := exec.Command(c.Path, c.Args...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// bounded keeps its first bytes. It embeds no buffer: a copy would fill that past the bound.
type bounded struct {
	kept bytes.Buffer
	left int
	over bool
}

func newBounded(limit int) *bounded {
	if limit == 0 {
		limit = 16 << 20
	}
	return &bounded{left: limit}
}

func (b *bounded) Write(p []byte) (int, error) {
	keep := p
	if len(keep) > b.left {
		keep, b.over = keep[:b.left], true
	}
	b.left -= len(keep)
	b.kept.Write(keep)
	return len(p), nil
}

func value(environ []string, key string) string {
	for i := len(environ) - 1; i >= 0; i-- {
		k, v, _ := strings.Cut(environ[i], "=")
		if k == key || runtime.GOOS == "windows" && strings.EqualFold(k, key) {
			return v
		}
	}
	return ""
}

// Stream starts c and copies what it writes to out, at most MaxOutput bytes (0 = no bound) and as it comes; Stdout of the
// result stays empty.
func Stream(ctx context.Context, c Call, out io.Writer) (Result, error) {
	errb, kept := newBounded(0), &counted{to: out, left: c.MaxOutput, bound: c.MaxOutput > 0}
	code, late, err := c.run(ctx, kept, errb)
	if kept.err != nil {
		late, err = nil, kept.err
	}
	return c.streamed(Result{Stderr: errb.kept.Bytes(), Code: code}, late, err)
}

// Into is Stream without a hand in between: c writes to f itself, and there is no bound.
func Into(ctx context.Context, c Call, f *os.File) (Result, error) {
	errb := newBounded(0)
	code, late, err := c.run(ctx, f, errb)
	return c.streamed(Result{Stderr: errb.kept.Bytes(), Code: code}, late, err)
}

// streamed judges the end of a program whose output went elsewhere.
func (c Call) streamed(res Result, late, err error) (Result, error) {
	var exitErr *exec.ExitError
	switch {
	case errors.Is(late, context.Canceled):
		return res, errors.New("cancelled")
	case late != nil:
		return res, c.timeout()
	case errors.As(err, &exitErr):
		return res, nil
	}
	return res, err
}

// counted hands on what is written to it, up to a bound.
type counted struct {
	to    io.Writer
	left  int
	bound bool
	err   error
}

func (w *counted) Write(p []byte) (int, error) {
	if w.bound {
		if w.left -= len(p); w.left < 0 {
			w.err = ErrTooLong
			return 0, w.err
		}
	}
	n, err := w.to.Write(p)
	if err != nil {
		w.err = err
	}
	return n, err
}
