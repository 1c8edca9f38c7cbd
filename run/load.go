package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"viber/internal/gitx"
)

// Run is a run directory as it stands on disk.
type Run struct {
	Key     string // name of the directory
	Dir     string // path relative to the root, with "/"
	Plan    *Plan
	Status  *Status // never nil
	Rulings []string
}

// PlanError says that the plan itself could not be read, and not a file beside it.
type PlanError struct{ Err error }

func (e *PlanError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *PlanError) Unwrap() error { return e.Err }

// LoadRun reads the run whose directory is dir (relative to root, with "/"). A missing plan.md is an error that
// errors.Is(err, fs.ErrNotExist) recognises; missing status.md and rulings.md are none.
func LoadRun(root, dir string) (*Run, error) {
	return LoadRunAt(root, path.Join(dir, "plan.md"))
}

// LoadRunAt is LoadRun for any plan file; status.md and rulings.md are looked for beside it.
func LoadRunAt(root, planPath string) (*Run, error) {
	text, err := readText(root, planPath)
	if err != nil {
		return nil, &PlanError{err}
	}
	dir := path.Dir(planPath)
	r := &Run{Key: path.Base(dir), Dir: dir, Plan: ParsePlan(planPath, text)}
	status, err := statusText(root, path.Join(dir, "status.md"))
	if err != nil {
		return nil, err
	}
	rulings, err := readOptional(root, path.Join(dir, "rulings.md"))
	if err != nil {
		return nil, err
	}
	r.Status, r.Rulings = ParseStatus(status), ParseRulings(rulings)
	return r, nil
}

// onDisk turns a "/" path relative to root, or an absolute one, into one of this system.
func onDisk(root, p string) string {
	p = filepath.FromSlash(p)
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(root, p)
}

func readText(root, p string) (string, error) {
	full := onDisk(root, p)
	info, err := os.Stat(full)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p, cause(err))
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s: not a regular file", p)
	}
	text, err := os.ReadFile(full)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p, cause(err))
	}
	return string(text), nil
}

func readOptional(root, p string) (string, error) {
	text, err := readText(root, p)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return text, err
}

// cause is a file error without the path it carries, which the caller names in its own spelling.
func cause(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}

// keyOnDisk is the run's key when its directory was given as "." or ends in "..".
func (r *Run) keyOnDisk(dir string) string {
	if r.Key == "." || r.Key == ".." {
		return filepath.Base(dir)
	}
	return r.Key
}

func isFile(full string) bool {
	info, err := os.Stat(full)
	return err == nil && info.Mode().IsRegular()
}

func readable(full string) bool {
	if !isFile(full) {
		return false
	}
	f, err := os.Open(full)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

// holds reports whether full, an absolute path, lies in the project when its links are followed. A path that does not
// exist is judged by its nearest directory that does.
func (p Place) holds(full string) bool {
	for {
		real, err := filepath.EvalSymlinks(full)
		if err == nil {
			return gitx.Within(p.Root, real)
		}
		up := filepath.Dir(full)
		if up == full {
			return false
		}
		full = up
	}
}
