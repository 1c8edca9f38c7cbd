package commit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/fsx"
	"viber/run"
	"viber/schema"
)

// archive is one run on its way from docs/<runs> to docs/<specifications>.
type archive struct {
	from, to string // relative to the root, with "/"
	top      string // docs/<runs>
	repo     *repo

	kept int // regular files that stay
}

// Archive is `viber archive-run <run dir>`: it moves a finished run to the specifications, without what only the build
// needed, in one commit (commit contract, 6). Refused, it leaves the run where it was.
func Archive(ctx context.Context, c run.Call) error {
	if len(c.Args) != 1 || c.Args[0] == "" {
		return report(c, faultf(codeUsage, "usage: archive-run.sh <run-dir>"))
	}
	r, err := openAnywhere(ctx, c)
	if err != nil {
		return report(c, err)
	}
	defer r.close()
	earlier, err := r.recover(ctx)
	if err == nil && earlier.is(c.Args) {
		return earlier.tell(r)
	}
	var a *archive
	if err == nil {
		a, err = r.archiveOf(c.Args[0])
	}
	if err == nil && r.layout.GitDir != "" {
		err = a.inRepository(ctx)
	} else if err == nil {
		err = a.outside()
	}
	return report(c, err)
}

// archiveOf checks that the argument names a finished run and that its place is free.
func (r *repo) archiveOf(typed string) (*archive, error) {
	config := schema.Read(r.root)
	a := &archive{repo: r, top: "docs/" + config.Value("directories.runs")}
	dir := strings.ReplaceAll(typed, `\`, "/")
	dir = strings.TrimPrefix(strings.TrimSuffix(dir, "/"), "./")
	a.from = path.Clean(dir)
	a.to = "docs/" + config.Value("directories.specifications") + "/" + path.Base(a.from)
	if err := a.check(dir); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(r.at(a.to)); err == nil {
		return nil, faultf(codeUnknown, "%s already exists - nothing was moved", a.to)
	}
	if top := path.Dir(a.to); !r.mayHold(top) {
		return nil, faultf(codeRefused, "could not move %s to %s - nothing was moved: %s is no directory", a.from, a.to, top)
	}
	return a, nil
}

// mayHold reports whether dir is a directory, or can be made.
func (r *repo) mayHold(dir string) bool {
	info, err := os.Stat(r.at(dir))
	return err == nil && info.IsDir() || errors.Is(err, fs.ErrNotExist)
}

func (r *repo) at(rel string) string { return filepath.Join(r.root, filepath.FromSlash(rel)) }

func (a *archive) check(dir string) error {
	switch {
	case slices.Contains(strings.Split(dir, "/"), ".."):
		return faultf(codeUsage, "refused %s - a run directory carries no '..' segment", dir)
	case !strings.HasPrefix(a.from, a.top+"/"):
		return faultf(codeUsage, "refused %s - a run directory lives under %s/", dir, a.top)
	}
	full := a.repo.at(a.from)
	if info, err := os.Stat(full); err != nil || !info.IsDir() {
		return faultf(codeUsage, "run directory not found: %s%s", dir, a.archived())
	}
	status, err := os.ReadFile(filepath.Join(full, "status.md"))
	if err != nil {
		return faultf(codeUsage, "refused %s - no status.md, so this is not a run directory", dir)
	}
	plan, err := os.ReadFile(filepath.Join(full, "plan.md"))
	if err != nil {
		return nil // no plan, nothing to be unfinished
	}
	ids := run.ParsePlan("plan.md", string(plan)).IDs()
	done, skipped := run.ParseStatus(string(status)).Progress(ids)
	if done+skipped < len(ids) {
		return faultf(codeNoChanges, "refused %s - the run is unfinished: %d of %d tasks settled", dir, done+skipped, len(ids))
	}
	return nil
}

// archived says that the run is in the archive already, if it is.
func (a *archive) archived() string {
	if info, err := os.Stat(a.repo.at(a.to)); err != nil || !info.IsDir() {
		return ""
	}
	return " - it is archived: " + a.to
}

// scaffold are the parts of a run directory that only the build needed.
func scaffold() []string { return []string{"plan.md", "status.md", "tasks", "work"} }

func isScaffold(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return slices.Contains(scaffold(), first)
}

// outside moves the run where there is no repository.
func (a *archive) outside() error {
	a.count()
	if err := a.remember("", a.told()+" - no git repository)"); err != nil {
		return refused(err)
	}
	if err := a.move(); err != nil {
		return err
	}
	a.repo.clear(a.from, a.to)
	_, err := fmt.Fprintln(a.repo.call.Out, a.told()+" - no git repository)")
	a.repo.forget()
	return err
}

func (a *archive) told() string { return fmt.Sprintf("ARCHIVED: %s (%d files", a.to, a.kept) }

// count counts the regular files that stay.
func (a *archive) count() {
	root := a.repo.at(a.from)
	_ = filepath.WalkDir(root, func(p string, e fs.DirEntry, err error) error {
		name, relErr := filepath.Rel(root, p)
		if err == nil && relErr == nil && e.Type().IsRegular() && !isScaffold(filepath.ToSlash(name)) {
			a.kept++
		}
		return nil
	})
}

// inRepository moves the run, commits the move, and only then removes the scaffold: until the commit stands, taking the run
// back is one rename.
func (a *archive) inRepository(ctx context.Context) error {
	r := a.repo
	if err := r.awaitIndexLock(); err != nil {
		return err
	}
	if err := r.inProgress(); err != nil {
		return err
	}
	tracked, err := r.tracked(ctx, []string{a.from})
	if err != nil {
		return err
	}
	if len(tracked) == 0 {
		return faultf(codeRefused, "could not move %s to %s - nothing was moved: git knows none of its files", a.from, a.to)
	}
	head, err := r.run(ctx, "", nil, "rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		return err
	}
	a.count()
	if err := a.remember(string(bytes.TrimSpace(head.Stdout)), a.told()+")"); err != nil {
		return refused(err)
	}
	if err := a.move(); err != nil {
		r.forget()
		return err
	}
	j := &job{head: string(bytes.TrimSpace(head.Stdout)), subject: a.subject(), plan: &planFile{}, index: r.ownIndex()}
	err = a.stage(ctx, tracked, j)
	if err == nil {
		err = r.commit(ctx, j)
	}
	_ = r.files.Remove(j.index)
	if err != nil {
		return a.takeBack(err)
	}
	r.clear(a.from, a.to)
	if err := r.settle(context.WithoutCancel(ctx), j); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(r.call.Out, a.told()+")"); err != nil {
		return err
	}
	if !j.unsettled {
		r.forget()
	}
	return nil
}

func (a *archive) subject() string { return "docs(viber): archive run " + path.Base(a.from) }

func (a *archive) remember(head, told string) error {
	return a.repo.writeJournal(journal{Args: a.repo.call.Args, Head: head, Mark: a.subject(), From: a.from, To: a.to, Rest: told})
}

// move renames the run directory to its place.
func (a *archive) move() error {
	r := a.repo
	err := r.files.MkdirAll(filepath.Dir(r.at(a.to)), 0o755)
	if err == nil {
		err = r.files.Rename(r.at(a.from), r.at(a.to))
	}
	if err != nil {
		r.removeEmpty(path.Dir(a.to))
		return faultf(codeRefused, "could not move %s to %s - nothing was moved: %v", a.from, a.to, cause(err))
	}
	return nil
}

// stage puts the move on an index of its own: what was tracked leaves its old place; what was tracked or is not ignored
// enters the new one.
func (a *archive) stage(ctx context.Context, tracked []string, j *job) error {
	r := a.repo
	if err := r.copyIndex(j.index); err != nil {
		return refused(err)
	}
	out, err := r.must(ctx, "", nil, "--no-optional-locks", "ls-files", "-z", "-o", "--exclude-standard", "--", a.to)
	if err != nil {
		return err
	}
	paths := slices.Clone(tracked)
	for name := range strings.SplitSeq(string(out), "\x00") {
		if rest, ok := strings.CutPrefix(name, a.to+"/"); ok && !isScaffold(rest) {
			paths = append(paths, name)
		}
	}
	for _, t := range tracked {
		rest := strings.TrimPrefix(t, a.from+"/")
		moved := path.Join(a.to, rest)
		if _, err := os.Lstat(r.at(moved)); err == nil && !isScaffold(rest) && !slices.Contains(paths, moved) {
			paths = append(paths, moved)
		}
	}
	_, err = r.must(ctx, j.index, nulList(paths), "update-index", "-z", "--add", "--remove", "--replace",
		"--ignore-skip-worktree-entries", "--stdin")
	if err != nil {
		return err
	}
	return a.leaveOut(ctx, j)
}

// leaveOut takes what others staged off the own index.
func (a *archive) leaveOut(ctx context.Context, j *job) error {
	changes, err := a.repo.stagedOn(ctx, j)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if !strings.HasPrefix(c.path, a.from+"/") && !strings.HasPrefix(c.path, a.to+"/") {
			j.others = append(j.others, c)
		}
	}
	if len(j.others) == 0 {
		return nil
	}
	_, err = a.repo.must(ctx, j.index, indexInfo(j.others, true), "update-index", "-z", "--index-info")
	return err
}

// takeBack moves the run home after a refusal.
func (a *archive) takeBack(refusal error) error {
	r := a.repo
	if err := r.moveBack(a.from, a.to); err != nil {
		r.call.Warn("%s could not be moved back to %s: %v", a.to, a.from, err)
		return refusal // the journal stays: the next call tries again
	}
	r.forget()
	var f *fault
	if errors.As(refusal, &f) && f.text == "" {
		return faultf(f.code, "the archive of %s was not committed - the run is where it was", a.from)
	}
	return refusal
}

func (r *repo) moveBack(from, to string) error {
	if _, err := os.Lstat(r.at(to)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if _, err := os.Lstat(r.at(from)); err == nil {
		return nil // it was never moved
	}
	if err := r.files.MkdirAll(filepath.Dir(r.at(from)), 0o755); err != nil {
		return err
	}
	if err := r.files.Rename(r.at(to), r.at(from)); err != nil {
		return err
	}
	r.removeEmpty(path.Dir(to))
	return nil
}

// clear removes the scaffold from the archived run, and the directories that are empty now.
func (r *repo) clear(from, to string) {
	for _, name := range scaffold() {
		if err := r.files.RemoveAll(r.at(path.Join(to, name))); err != nil {
			r.call.Warn("could not remove %s: %v", path.Join(to, name), cause(err))
		}
	}
	r.removeEmpty(to)
	r.removeEmpty(path.Dir(from))
}

// removeEmpty removes the directory dir and its parents as long as they are empty.
func (r *repo) removeEmpty(dir string) {
	for dir != "." && dir != "/" {
		entries, err := os.ReadDir(r.at(dir))
		if err != nil || len(entries) > 0 || r.files.Remove(r.at(dir)) != nil {
			return
		}
		dir = path.Dir(dir)
	}
}

func (r *repo) ownIndex() string {
	return filepath.Join(r.layout.GitDir, fmt.Sprintf("index.commit-task.%d", os.Getpid()))
}

// copyIndex gives a commit an index of its own, which starts as the user's. The copy keeps the time of the original: git
// tells by it which entries it must not trust, because their file may have changed within the same tick of the clock.
func (r *repo) copyIndex(to string) error {
	from := filepath.Join(r.layout.GitDir, "index")
	info, err := os.Stat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	index, err := readIfThere(from)
	if err == nil {
		err = r.files.Write(to, index, fsx.Options{})
	}
	if err == nil {
		err = os.Chtimes(to, info.ModTime(), info.ModTime())
	}
	return err
}

// stagedOn lists what differs from HEAD on the own index of j.
func (r *repo) stagedOn(ctx context.Context, j *job) ([]change, error) {
	base, err := r.orEmptyTree(ctx, j.head)
	if err != nil {
		return nil, err
	}
	out, err := r.must(ctx, j.index, nil, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", base, "--")
	return parseRaw(out), err
}
