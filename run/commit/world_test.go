package commit_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/run"
	"viber/run/commit"
)

// TestMain also is the program that gets killed: see killed.
func TestMain(m *testing.M) {
	if os.Getenv("VIBER_TEST_KILL_AT") != "" {
		os.Exit(untilKilled())
	}
	os.Exit(m.Run())
}

const (
	runDir   = "docs/_specs/2026-03-04-05-06-07_parcels"
	planPath = runDir + "/plan.md"
	twoTasks = "# Parcels\n\n## Tasks\n\n<!-- TASK -->\n### T1 - store parcels\n- Files: lib/store.py\n<!-- /TASK -->\n\n" +
		"<!-- TASK -->\n### T2 - show parcels\n- Files: lib/view.py, lib/render.py\n<!-- /TASK -->\n"
	fresh = "# status\n\nprogress: 0/2\ndone: none\nskipped: none\nunreviewed: none\ndeferred: none\nclosed: none\n"
)

// world is a repository of a test's own and the environment its git sees.
type world struct {
	*testing.T
	dir  string
	env  []string
	scan bool // secrets
}

func newWorld(t *testing.T) world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := world{T: t, dir: filepath.Join(dir, "project")}
	home := filepath.Join(dir, "home")
	for _, d := range []string{w.dir, home} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w.env = []string{"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "HOME=" + home, "USERPROFILE=" + home,
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "TZ=UTC", "LC_ALL=C.UTF-8", "TMPDIR=" + os.TempDir(),
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-01-01T00:00:00Z",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z"}
	w.git("init", "-q", "-b", "main")
	w.git("config", "core.autocrlf", "false")
	return w
}

// copied is a repository like w, in a place of its own.
func (w world) copied(t *testing.T) world {
	t.Helper()
	c := world{T: t, dir: filepath.Join(t.TempDir(), "project"), env: w.env, scan: w.scan}
	if err := os.CopyFS(c.dir, os.DirFS(w.dir)); err != nil {
		t.Fatal(err)
	}
	return c
}

// withRun makes the project a repository with a run of two tasks in it.
func withRun(t *testing.T) world {
	t.Helper()
	w := newWorld(t)
	w.write(planPath, twoTasks)
	w.write(runDir+"/status.md", fresh)
	w.write("README.md", "parcels\n")
	w.commitAll("seed")
	return w
}

func (w world) path(name string) string { return filepath.Join(w.dir, filepath.FromSlash(name)) }

func (w world) write(name, text string) {
	w.Helper()
	if err := os.MkdirAll(filepath.Dir(w.path(name)), 0o755); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(w.path(name), []byte(text), 0o644); err != nil {
		w.Fatal(err)
	}
}

func (w world) read(name string) string {
	w.Helper()
	text, err := os.ReadFile(w.path(name))
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

func (w world) hook(name, body string) {
	w.Helper()
	w.write(".git/hooks/"+name, "#!/bin/sh\n"+body)
	if err := os.Chmod(w.path(".git/hooks/"+name), 0o755); err != nil {
		w.Fatal(err)
	}
}

func (w world) try(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = w.dir, w.env
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("git %q: %w: %s", args, err, errb.String())
	}
	return out.String(), nil
}

func (w world) git(args ...string) string {
	w.Helper()
	out, err := w.try(args...)
	if err != nil {
		w.Fatal(err)
	}
	return out
}

func (w world) commitAll(subject string) {
	w.Helper()
	w.git("add", "-A")
	w.git("commit", "-q", "-m", subject)
}

type command func(context.Context, run.Call) error

func commandNamed(name string) command {
	switch name {
	case "commit-task":
		return commit.Task
	case "archive-run":
		return commit.Archive
	case "commit":
		return commit.Commit
	case "plan-path":
		return run.PlanPath
	case "plan-index":
		return run.PlanIndex
	}
	return nil
}

type said struct {
	code     int
	out, err string
}

// call runs a command in process; line is its name and arguments.
func (w world) call(line ...string) said {
	w.Helper()
	return callWith(w, fsx.Door{}, nil, line...)
}

func callWith(w world, files fsx.Door, gitCalls *int, line ...string) said {
	return callUntil(context.Background(), w, files, gitCalls, line...)
}

func callUntil(ctx context.Context, w world, files fsx.Door, gitCalls *int, line ...string) said {
	var out, errb bytes.Buffer
	c := run.Call{Args: line[1:], Dir: w.dir, Environ: w.env, Out: &out, Err: &errb, Now: fixedNow, Files: files,
		GitCalls: gitCalls, ScanSecrets: w.scan}
	err := commandNamed(line[0])(ctx, c)
	return said{code: exit.Code(err), out: out.String(), err: errb.String()}
}

func fixedNow() time.Time { return time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC) }

// must is call for a command that has to succeed.
func (w world) must(line ...string) said {
	w.Helper()
	s := w.call(line...)
	if s.code != 0 {
		w.Fatalf("%q: exit %d\n%s%s", line, s.code, s.out, s.err)
	}
	return s
}

// picture is everything of a repository that a refused call must leave alone.
func (w world) picture() string {
	w.Helper()
	head, _ := w.try("rev-parse", "-q", "--verify", "HEAD")
	return strings.Join([]string{head, w.git("ls-files", "-s"), w.git("status", "--porcelain=v2", "--untracked-files=all")}, "\n")
}

func (w world) history() string {
	w.Helper()
	return w.git("log", "--reverse", "--format=* %s%n%b", "--name-status", "--no-renames")
}

func sortedLines(text string) []string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	slices.Sort(lines)
	return lines
}
