package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
)

const landUsage = "usage: viber plan-path --land <plan> [--into <key>]"

// lockWait is how long a landing waits for another one.
const lockWait = 20 * time.Second

// source is the plan that is landed.
type source struct {
	given string // as typed
	full  string // on disk
	text  string
	lines []string // stripped, as the landed copy will have them
	plan  *Plan
	slug  string
}

// readSource reads a plan named on the command line; anything but a regular file is a usage error that names it.
func (p pather) readSource(given string) (source, error) {
	s := source{given: given, full: onDisk(p.place.Dir, hostPath(given))}
	text, err := readText(p.place.Dir, filepath.ToSlash(s.full))
	if err != nil {
		return s, refuse(pathUsage, "plan file not found: %s", given)
	}
	s.text = text
	s.lines = stripPlan(text)
	s.plan = ParsePlan(given, text)
	s.slug = Slug(splitLines(text), s.full)
	return s, nil
}

// land is `plan-path --land` (spec plan 4.3).
func (p pather) land(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "" {
		return usage(landUsage)
	}
	src, err := p.readSource(args[0])
	if err != nil {
		return err
	}
	key, into, err := intoKey(args[1:], src.plan.Front.Into)
	if err != nil {
		return err
	}
	unlock, err := fsx.Lock(p.lockFile(), lockWait)
	if err != nil {
		return refuse(pathLock, "nothing was landed: %w", err)
	}
	defer unlock()
	l := landing{pather: p, src: src}
	if into {
		return l.round(ctx, key)
	}
	return l.first(ctx)
}

// intoKey is the run a round goes into: the command line's, else the plan's own.
func intoKey(args []string, front string) (key string, into bool, err error) {
	switch {
	case len(args) == 0:
		return front, front != "", nil
	case args[0] != "--into" || len(args) > 2:
		return "", false, usage(landUsage)
	case len(args) == 1:
		return "", true, nil
	}
	return args[1], true, nil
}

// lockFile keeps landings apart; it lies where git does not see it.
func (p pather) lockFile() string {
	if p.place.InGit {
		return filepath.Join(p.place.Layout.CommonDir, "viber", "landing.lock")
	}
	return filepath.Join(p.place.Root, ".temp", "viber", "landing.lock")
}

// landing is one --land, under the lock.
type landing struct {
	pather
	src source
}

// first lands a plan that names no run: it is one already, an open run of its slug answers, or a new directory is made.
func (l landing) first(ctx context.Context) error {
	if key, ok := l.ownRun(); ok {
		return l.existing(ctx, key)
	}
	if l.src.slug == "" {
		return refuse(pathUsage, "%s: neither the title nor the file name leaves a slug; give the plan a title with letters or digits", l.src.given)
	}
	b, undo, err := l.branch(ctx)
	if err != nil {
		return err
	}
	s, err := l.place.survey(l.runs)
	if err != nil {
		return err
	}
	if f, ok := s.Latest(l.continues); ok {
		l.claim(l.place.Root, f.Key)
		return l.answer(s, f, "existing", b)
	}
	key, err := l.create()
	if err != nil {
		if undo != nil {
			undo(ctx)
		}
		return l.notLanded(path.Join(l.runs, key), err)
	}
	return l.answerLanded(key, b)
}

// continues reports whether a run is an open one of the source's slug; a draft counts only for a draft.
func (l landing) continues(f Found) bool {
	if !strings.HasSuffix(f.Key, "_"+l.src.slug) || f.Settled() {
		return false
	}
	return !f.Draft || l.src.plan.Draft()
}

// ownRun is the key of the run whose plan.md the source is, physically: exactly one level under the runs directory.
func (l landing) ownRun() (string, bool) {
	real, err := filepath.EvalSymlinks(l.src.full)
	runs, err2 := filepath.EvalSymlinks(onDisk(l.place.Root, l.runs))
	if err != nil || err2 != nil || filepath.Base(real) != "plan.md" {
		return "", false
	}
	dir := filepath.Dir(real)
	return filepath.Base(dir), filepath.Dir(dir) == runs
}

// existing answers a run that stays as it is.
func (l landing) existing(ctx context.Context, key string) error {
	b, err := l.readBranching(ctx)
	if err != nil {
		return exit.With(pathBranch, err)
	}
	return l.answerAs(key, "existing", b)
}

func (l landing) answerLanded(key string, b *branching) error { return l.answerAs(key, "new", b) }

func (l landing) answerAs(key, state string, b *branching) error {
	s, err := l.place.survey(l.runs)
	if err != nil {
		return err
	}
	f, ok := s.Get(key)
	if !ok {
		return l.notLanded(path.Join(l.runs, key), errors.New("the run cannot be read back"))
	}
	l.claim(l.place.Root, key)
	return l.answer(s, f, state, b)
}

// branch does the branch step.
func (l landing) branch(ctx context.Context) (*branching, func(context.Context), error) {
	b, err := l.readBranching(ctx)
	if err != nil || b == nil {
		return nil, nil, err
	}
	undo, err := b.step(ctx, l.src.plan, l.src.slug)
	if err != nil {
		return nil, nil, exit.With(pathBranch, err)
	}
	return b, undo, nil
}

func (l landing) notLanded(where string, err error) error {
	if errors.Is(err, fsx.ErrChanged) {
		return refuse(pathLock, "could not land %s: %w; nothing was written, land again", where, err)
	}
	return refuse(pathCopy, "could not land %s: %w", where, cause(err))
}

// stampForm is how a key starts, in local time.
const stampForm = "2006-01-02-15-04-05"

// create makes the run's directory: filled beside its place, then renamed, so that a killed landing leaves no half run.
func (l landing) create() (key string, err error) {
	key = l.Now().Local().Format(stampForm) + "_" + l.src.slug
	runs := onDisk(l.place.Root, l.runs)
	if err := l.Files.MkdirAll(runs, 0o755); err != nil {
		return key, err
	}
	if !l.place.holds(runs) {
		return key, errors.New("a link leads out of the repository")
	}
	key = l.freeKey(runs)
	if err := l.sweep(runs); err != nil {
		return key, err
	}
	tmp := filepath.Join(runs, halfRun+key)
	if err := l.fill(tmp, filepath.Join(runs, key)); err != nil {
		_ = l.Files.RemoveAll(tmp)
		return key, err
	}
	if err := l.Files.Rename(tmp, filepath.Join(runs, key)); err != nil {
		_ = l.Files.RemoveAll(tmp)
		return key, err
	}
	return key, nil
}

// halfRun starts the name of a directory that a landing is filling; hidden, so that no reader takes it for a run.
const halfRun = ".landing-"

// sweep removes what killed landings left; the lock says that no other is at work.
func (l landing) sweep(runs string) error {
	entries, err := os.ReadDir(runs)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), halfRun) {
			if err := l.Files.RemoveAll(filepath.Join(runs, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// freeKey is the key of this second, or of the next one nobody has taken.
func (l landing) freeKey(runs string) string {
	for at := l.Now().Local(); ; at = at.Add(time.Second) {
		key := at.Format(stampForm) + "_" + l.src.slug
		if _, err := os.Lstat(filepath.Join(runs, key)); errors.Is(err, fs.ErrNotExist) {
			return key
		}
	}
}

func (l landing) fill(tmp, final string) error {
	if err := l.Files.MkdirAll(tmp, 0o755); err != nil {
		return err
	}
	if err := l.prototype(tmp); err != nil {
		return err
	}
	return l.Files.Write(filepath.Join(tmp, "plan.md"), l.copyFor(final), fsx.Options{})
}

// copyFor is the text of the landed plan when its directory is dir.
func (l landing) copyFor(dir string) []byte {
	if real, err := filepath.EvalSymlinks(filepath.Dir(dir)); err == nil {
		dir = filepath.Join(real, filepath.Base(dir))
	}
	lines := withSource(slices.Clone(l.src.lines), filepath.ToSlash(filepath.Join(dir, "plan.md")))
	return []byte(joinLines(lines))
}

// prototype copies the mockup the plan names into dir, or removes an older one when it names none. A mockup that cannot be
// had is one warning.
func (l landing) prototype(dir string) error {
	target := filepath.Join(dir, "prototype.html")
	named := l.src.plan.Front.Prototype
	if named == "" {
		return l.Files.Remove(target)
	}
	full := onDisk(l.place.Dir, hostPath(named))
	data, err := l.readPrototype(full)
	if err == nil {
		err = l.Files.Write(target, data, fsx.Options{})
	}
	if err != nil {
		l.warn("prototype %s was not copied: %v", named, cause(err))
	}
	return nil
}

// maxPrototype bounds a mockup (bytes).
const maxPrototype = 32 << 20

func (l landing) readPrototype(full string) ([]byte, error) {
	info, err := os.Stat(full)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("not a regular file")
	case info.Size() > maxPrototype:
		return nil, fmt.Errorf("larger than %d MiB", maxPrototype>>20)
	case l.place.inside(full) && !l.place.holds(full):
		return nil, errors.New("a link leads out of the repository")
	}
	return os.ReadFile(full)
}
