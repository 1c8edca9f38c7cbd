package run

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/fsx"
)

// round lands the plan into the run key (spec plan 4.3, with a key).
func (l landing) round(ctx context.Context, key string) error {
	if !isFileName(key) {
		return refuse(pathUsage, "--into %q is not a run key; a key is the name of a directory in %s", key, l.runs)
	}
	dir := path.Join(l.runs, key)
	full := onDisk(l.place.Root, dir)
	if info, err := os.Stat(full); err != nil || !info.IsDir() {
		return refuse(pathUsage, "--into %s: no such run in %s", key, l.runs)
	}
	if own, ok := l.ownRun(); ok && own == key {
		return l.existing(ctx, key)
	}
	before, err := readTarget(full)
	if err != nil {
		return l.notLanded(path.Join(dir, "plan.md"), err)
	}
	if !l.place.holds(full) || !l.place.holds(filepath.Join(full, "plan.md")) {
		return l.notLanded(path.Join(dir, "plan.md"), errors.New("a link leads out of the repository"))
	}
	if l.frozen(full, before) {
		if before == nil || ParsePlan("", string(*before)).Draft() || !l.sameRound(string(*before)) {
			return refuse(pathFrozen, "%s is not a draft: it has tasks or progress; land the plan without --into, or into a draft", dir)
		}
		b, _, err := l.branch(ctx)
		if err != nil {
			return err
		}
		return l.answerAs(key, "existing", b)
	}
	return l.replace(ctx, key, full, before)
}

// readTarget reads the plan of a run, nil when it has none; anything but a regular file is an error.
func readTarget(full string) (*[]byte, error) {
	name := filepath.Join(full, "plan.md")
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("plan.md there is not a regular file")
	}
	text, err := os.ReadFile(name)
	return &text, err
}

// frozen reports whether the run takes no other plan: it has progress, task files, or a plan with tasks.
func (l landing) frozen(full string, before *[]byte) bool {
	if _, err := os.Stat(filepath.Join(full, "status.md")); err == nil {
		return true
	}
	if info, err := os.Stat(filepath.Join(full, "tasks")); err == nil && info.IsDir() {
		return true
	}
	return before != nil && !ParsePlan("", string(*before)).Draft()
}

// sameRound reports whether the landed plan is the source, apart from source lines.
func (l landing) sameRound(landed string) bool {
	return slices.Equal(withoutSource(splitLines(landed)), withoutSource(l.src.lines))
}

func withoutSource(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "source:") })
}

// replace puts the source over the draft. The mockup goes first: a landing killed in between is landed again whole.
func (l landing) replace(ctx context.Context, key, full string, before *[]byte) error {
	b, undo, err := l.branch(ctx)
	if err != nil {
		return err
	}
	name := filepath.Join(full, "plan.md")
	was := new([]byte)
	if before != nil {
		was = before
	}
	if undo != nil { // the checkout may have brought another draft
		if was, err = readTarget(full); was == nil {
			was = new([]byte)
		}
	}
	if err == nil {
		_ = l.Files.SweepDir(full, 0, l.Now()) // what a killed landing was writing
		err = l.prototype(full)
	}
	if err == nil {
		err = l.Files.Write(name, l.copyFor(full), fsx.Options{Before: was})
	}
	if err != nil {
		if undo != nil {
			undo(ctx)
		}
		return l.notLanded(path.Join(l.runs, key, "plan.md"), err)
	}
	return l.answerLanded(key, b)
}
