package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
	"viber/run"
)

const (
	indexLockWait = 2 * time.Second // for git's index.lock of somebody else
)

// repo is the repository one call works in, locked against other calls.
type repo struct {
	call   run.Call
	git    gitx.Git // at the root, plumbing environment
	files  fsx.Door
	layout gitx.Layout
	root   string
	unlock func()
	note   *journal // of this call's commit, once it is written
}

func rootOf(dir string) string {
	if l, ok := gitx.Find(dir); ok && l.Top != "" {
		return l.Top
	}
	return dir
}

// open finds and locks the repository of the working directory.
func open(ctx context.Context, c run.Call) (*repo, error) {
	l, ok := gitx.Find(c.Dir)
	switch {
	case !ok:
		return nil, faultf(codeRefused, "%s is not in a git repository: there is nothing to commit to", c.Dir)
	case l.Top == "":
		return nil, faultf(codeRefused, "%s is a bare repository: a commit needs a work tree", c.Dir)
	}
	return lock(ctx, c, l)
}

// openAnywhere is open for what works without git too.
func openAnywhere(ctx context.Context, c run.Call) (*repo, error) {
	l, ok := gitx.Find(c.Dir)
	if !ok || l.Top == "" {
		l = gitx.Layout{Top: c.Dir}
	}
	return lock(ctx, c, l)
}

func lock(ctx context.Context, c run.Call, l gitx.Layout) (*repo, error) {
	r := &repo{call: c, git: c.Git(), layout: l, root: l.Top, files: c.Files}
	r.git.Dir = l.Top
	unlock, err := run.LockCommits(ctx, run.CommitsDir(l))
	if err != nil {
		return nil, refused(err)
	}
	r.unlock = unlock
	return r, nil
}

func (r *repo) close() { r.unlock() }

// state is a file of ours in the git directory, or in .temp where there is none.
func (r *repo) state(name string) string { return filepath.Join(run.CommitsDir(r.layout), name) }

// begin refuses what no commit may start in, and settles what a killed call left.
func (r *repo) begin(ctx context.Context) (earlier *journal, err error) {
	if err := r.awaitIndexLock(); err != nil {
		return nil, err
	}
	if earlier, err = r.recover(ctx); err != nil {
		return nil, err
	}
	return earlier, r.inProgress()
}

// inProgress refuses while git is in the middle of something that the next commit would conclude.
func (r *repo) inProgress() error {
	if what, out := r.layout.InProgress(); what != "" {
		return faultf(codeRefused, "%s is in progress and this commit would conclude it - finish it first: '%s'", what, out)
	}
	return nil
}

// awaitIndexLock gives another git a moment to let go of the index.
func (r *repo) awaitIndexLock() error {
	lock := filepath.Join(r.layout.GitDir, "index.lock")
	for waited := time.Duration(0); ; waited += 20 * time.Millisecond {
		if _, err := os.Lstat(lock); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if waited >= indexLockWait {
			return faultf(codeRefused, "another git process holds %s - wait for it; if none is running, remove that file", lock)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// run starts a plumbing command. What git says on stderr goes to the user when it failed.
func (r *repo) run(ctx context.Context, index string, stdin []byte, args ...string) (gitx.Result, error) {
	if err := r.step(args); err != nil {
		return gitx.Result{}, refused(err)
	}
	g := r.git
	if index != "" {
		g.Env = append(append([]string{}, g.Env...), "GIT_INDEX_FILE="+index)
	}
	res, err := g.Run(ctx, stdin, args...)
	if err != nil {
		return res, refused(err)
	}
	return res, nil
}

func (r *repo) step(args []string) error {
	if r.files.Step == nil {
		return nil
	}
	return r.files.Step("git", verb(args))
}

// must is run for a command that has to succeed.
func (r *repo) must(ctx context.Context, index string, stdin []byte, args ...string) ([]byte, error) {
	res, err := r.run(ctx, index, stdin, args...)
	if err != nil {
		return nil, err
	}
	if res.Code != 0 {
		_, _ = r.call.Err.Write(res.Stderr)
		return nil, faultf(codeRefused, "%v", gitx.Fail(verb(args), res))
	}
	return res.Stdout, nil
}

// verb is the command among git's arguments, past options like -c and --no-optional-locks.
func verb(args []string) string {
	for i := 0; i < len(args); i++ {
		if args[i] == "-c" {
			i++
		} else if !strings.HasPrefix(args[i], "-") {
			return args[i]
		}
	}
	return ""
}

func (r *repo) write(path string, data, before []byte) error {
	return r.files.Write(path, data, fsx.Options{Before: &before})
}

// sweep removes the temporary files a killed write left in a run directory; this call holds the lock.
func (r *repo) sweep(dir string) {
	for _, name := range []string{".status.md.viber-*", ".rulings.md.viber-*"} {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(dir), name))
		for _, f := range found {
			_ = r.files.Remove(f)
		}
	}
}

func escapeGlob(path string) string {
	if os.PathSeparator == '\\' {
		return path // no escapes there; names with brackets are rare
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// readIfThere reads a file; a missing one is nil.
func readIfThere(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cause(err))
	}
	return text, nil
}

func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
