package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
	"viber/internal/secrets"
	"viber/schema"
)

// decomposition is a --split that was looked at and may be applied.
type decomposition struct {
	call    Call
	place   Place
	run     *Run
	parts   Parts
	dir     string // the run's directory on disk
	own     string // the same relative to the root
	inside  bool   // it lies in the work tree
	commits []string
}

// newDecomposition plans every file of --split and refuses what could not be written, before anything is.
func newDecomposition(c Call, place Place, r *Run, changes []gitx.Change) (*decomposition, error) {
	d := &decomposition{call: c, place: place, run: r, dir: onDisk(place.Dir, r.Dir)}
	d.own, d.inside = place.rel(r.Dir)
	if lexical := filepath.Clean(d.dir); gitx.Within(place.Root, lexical) && !place.holds(lexical) {
		return nil, fmt.Errorf("%s: a link leads out of %s; nothing was written", r.Dir, place.Root)
	}
	for _, name := range []string{"spec.md", "roadmap.md", "status.md"} {
		if err := d.writable(name); err != nil {
			return nil, err
		}
	}
	prototype := ""
	if isFile(filepath.Join(d.dir, "prototype.html")) {
		prototype = r.runFile("prototype.html")
	}
	d.parts = r.Plan.Split(prototype)
	d.commits = d.pathspecs(prototype != "", changes)
	return d, nil
}

func (d *decomposition) writable(name string) error {
	full := filepath.Join(d.dir, name)
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", d.run.runFile(name), cause(err))
	case info.IsDir():
		return fmt.Errorf("%s: a directory stands where a file belongs; move it away", d.run.runFile(name))
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: a link stands where a file belongs; replace it by the file", d.run.runFile(name))
	}
	return nil
}

// pathspecs are the paths of the commit, relative to the root. A roadmap.md that goes is among them when git knows it.
func (d *decomposition) pathspecs(prototype bool, changes []gitx.Change) []string {
	specs := []string{"plan.md", "spec.md", "tasks", "status.md"}
	roadmap := path.Join(d.own, "roadmap.md")
	known := isFile(filepath.Join(d.dir, "roadmap.md"))
	for _, c := range changes {
		if c.Path == roadmap {
			known = c.Code != "??"
		}
	}
	if d.parts.Roadmap != "" || known {
		specs = append(specs, "roadmap.md")
	}
	if prototype {
		specs = append(specs, "prototype.html")
	}
	for i, name := range specs {
		specs[i] = path.Join(d.own, name)
	}
	return specs
}

// apply writes the files and commits them; a commit that does not come about is a warning (spec plan 6.4).
func (d *decomposition) apply(ctx context.Context) error {
	unlock, err := d.place.lockCommits(ctx)
	if err != nil {
		return d.call.fail(exit.Failed, err)
	}
	defer unlock()
	if err := d.write(); err != nil {
		return d.call.fail(exit.Failed, err)
	}
	fmt.Fprintf(d.call.Err, "decomposed %d tasks into %s/tasks\n", len(d.parts.Tasks), d.run.Dir)
	d.takeUp()
	if !d.place.InGit || !d.inside {
		return nil
	}
	if err := d.commit(ctx); err != nil {
		d.call.warn("%s is decomposed but not committed: %v", d.run.Dir, err)
	}
	return nil
}

// takeUp lets the run go on where somebody had stopped it: with --split its build begins, or begins again.
func (d *decomposition) takeUp() {
	if path.Dir(d.own) != d.place.runsDir() || !d.inside {
		return
	}
	file := StateFile{Path: filepath.Join(d.place.StateDir(path.Base(d.own)), StateName), Files: d.call.Files, Now: d.call.Now}
	if err := file.takeUp(); err != nil {
		d.call.warn("the run still counts as stopped: %v", err)
	}
}

func (d *decomposition) write() error {
	d.sweep()
	if err := d.writeTasks(); err != nil {
		return err
	}
	if err := d.put("spec.md", d.parts.Spec); err != nil {
		return err
	}
	if d.parts.Roadmap == "" {
		if err := d.call.Files.Remove(filepath.Join(d.dir, "roadmap.md")); err != nil {
			return err
		}
	} else if err := d.put("roadmap.md", d.parts.Roadmap); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(d.dir, "status.md")); errors.Is(err, fs.ErrNotExist) {
		return d.put("status.md", d.parts.Status)
	}
	return nil
}

// sweep removes what a killed call was writing; the lock says that no other is at work.
func (d *decomposition) sweep() {
	for _, dir := range []string{d.dir, filepath.Join(d.dir, "tasks")} {
		_ = d.call.Files.SweepDir(dir, 0, d.call.Now())
	}
}

// writeTasks makes tasks/ hold exactly the task files. Files that are right already are left alone, so that an interrupted
// call never leaves fewer than it found.
func (d *decomposition) writeTasks() error {
	dir := filepath.Join(d.dir, "tasks")
	if info, err := os.Lstat(dir); err == nil && !info.IsDir() {
		if err := d.call.Files.Remove(dir); err != nil {
			return err
		}
	}
	if err := d.call.Files.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	wanted := make(map[string]bool, len(d.parts.Tasks))
	for _, t := range d.parts.Tasks {
		wanted[t.Name] = true
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !wanted[e.Name()] || !e.Type().IsRegular() {
			if err := d.call.Files.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	for _, t := range d.parts.Tasks {
		if err := d.put(filepath.Join("tasks", t.Name), t.Text); err != nil {
			return err
		}
	}
	return nil
}

// put writes a file of the run unless it holds text already.
func (d *decomposition) put(name, text string) error {
	full := filepath.Join(d.dir, name)
	if now, err := os.ReadFile(full); err == nil && string(now) == text {
		return nil
	}
	return d.call.Files.Write(full, []byte(text), fsx.Options{})
}

// commit stages and commits exactly the run's own files; what the user has staged elsewhere stays as it is.
func (d *decomposition) commit(ctx context.Context) error {
	if err := d.secretFree(ctx); err != nil {
		return err
	}
	if what, out := d.place.Layout.InProgress(); what != "" {
		return fmt.Errorf("%s is in progress, and what is staged now goes with it when it is aborted; end it ('%s'), then run --split again", what, out)
	}
	git := d.place.git
	res, err := git.Run(ctx, nil, append([]string{"add", "-A", "--"}, d.commits...)...)
	if err := d.said("add", res, err); err != nil {
		return err
	}
	diff, err := git.Read(ctx, append([]string{"diff", "--cached", "--quiet", "--no-ext-diff", "HEAD", "--"}, d.commits...)...)
	if err != nil {
		return err
	}
	if diff.Code == 0 {
		return nil
	}
	args := []string{"commit", "-q", "-m", "chore(viber): decompose plan " + d.run.keyOnDisk(d.dir)}
	if n := d.run.Plan.Front.Issue.Number; n != "" {
		args = append(args, "-m", "Refs: #"+n)
	}
	args = append(args, "--")
	for _, p := range d.commits {
		args = append(args, ":(literal)"+p)
	}
	git.Env = gitx.UserEnv(d.call.Environ)
	res, err = git.AsUser(ctx, HooksLimit, nil, args...)
	return d.said("commit", res, err)
}

// HooksLimit bounds a git command that the user's hooks run inside: a commit, a checkout, a new work tree.
const HooksLimit = time.Hour

// checkOut runs a git command that writes a work tree, as the user would: hooks and filters run inside, and of a large
// repository it takes its time. What git says stays English.
func checkOut(ctx context.Context, g gitx.Git, args ...string) (gitx.Result, error) {
	return g.AsUser(ctx, HooksLimit, []string{"LC_ALL=C", "GIT_TERMINAL_PROMPT=0"}, args...)
}

// said passes git's output on to stderr and turns its failure into an error.
func (d *decomposition) said(command string, res gitx.Result, err error) error {
	_, _ = d.call.Err.Write(append(res.Stdout, res.Stderr...))
	if err != nil || res.Code == 0 {
		return err
	}
	return gitx.Fail(command, res)
}

// secretFree scans the plan, which every file of the commit is made of, when the project guards secrets.
func (d *decomposition) secretFree(ctx context.Context) error {
	if !schema.ReadFor(d.place.Root, d.call.ConfigDir).Bool("guards.secrets") {
		return nil
	}
	scan := secrets.Repository{Git: d.place.git, Layout: d.place.Layout, Now: d.call.Now()}
	report, err := scan.Text(ctx, d.run.Plan.Path, []byte(strings.Join(d.run.Plan.lines, "\n")))
	if err != nil {
		return err
	}
	if standing, worst := report.Worst(); standing != secrets.Allowed {
		f := worst[0]
		return fmt.Errorf("%s:%d: a credential (%s, %s); take it out of the plan and run --split again", d.run.Plan.Path, f.Line, f.Rule, f.Masked)
	}
	return nil
}
