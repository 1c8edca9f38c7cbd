package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"viber/internal/fsx"
)

// StateName is the file that holds a run's state, in the run's state directory.
const StateName = "state.json"

// StateRoot is the directory that holds the state of every run of the project: <git common dir>/viber/runs, or
// .temp/viber/runs outside a repository.
func (p Place) StateRoot() string {
	if p.InGit {
		return filepath.Join(p.Layout.CommonDir, "viber", "runs")
	}
	return filepath.Join(p.Root, ".temp", "viber", "runs")
}

// StateDir is the directory that holds the state of the run called key: state.json, session.json, tasks.json, events.jsonl.
func (p Place) StateDir(key string) string { return filepath.Join(p.StateRoot(), key) }

// Place looks for the repository around the working directory, without starting git.
func (c Call) Place() Place { return c.place() }

// StateCall is a call of a command that works on the state of runs.
type StateCall struct {
	Call
	UserState string // viber's state directory of the user, for the numbers of runs; empty when there is none
}

// Stored is a run that a command names: its key, its project and its state file.
type Stored struct {
	Key     string
	Project string // root of its work tree
	Dir     string // its state directory
	File    StateFile
}

// ErrNoRun says that no run fits what was asked for.
var ErrNoRun = errors.New("no such run")

// Find returns the run that ref names: a key, the end of one, "#N" or N as `viber runs` shows it, a run directory, a plan or
// state file. An empty ref is the run whose state was written last, else the only run there is.
func (c StateCall) Find(ref string) (Stored, error) {
	p := c.place()
	switch {
	case ref == "":
		return c.latest(p)
	case strings.HasSuffix(ref, ".json"):
		file := c.Abs(ref)
		return c.found(p, filepath.Base(filepath.Dir(file)), filepath.Dir(file)), nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(ref, "#")); err == nil {
		return c.numbered(n)
	}
	ref = strings.TrimSuffix(slashes(ref), "/")
	if strings.HasSuffix(ref, "/plan.md") {
		ref = path.Dir(ref)
	}
	want := path.Base(ref)
	var fits []string
	for _, key := range c.keys(p) {
		if key == want {
			return c.found(p, key, p.StateDir(key)), nil
		}
		if strings.HasSuffix(key, "_"+want) {
			fits = append(fits, key)
		}
	}
	switch len(fits) {
	case 1:
		return c.found(p, fits[0], p.StateDir(fits[0])), nil
	case 0:
		return Stored{}, fmt.Errorf("%w: %s; 'viber runs' lists them", ErrNoRun, ref)
	}
	return Stored{}, fmt.Errorf("%w called %s alone: %s", ErrNoRun, ref, strings.Join(fits, ", "))
}

// FindOrBegin is Find; with want 0 a key that no run has yet names a new one.
func (c StateCall) FindOrBegin(ref string, want int64) (Stored, error) {
	f, err := c.Find(ref)
	if errors.Is(err, ErrNoRun) && want == 0 && isFileName(ref) {
		p := c.place()
		return c.found(p, ref, p.StateDir(ref)), nil
	}
	return f, err
}

func (c StateCall) found(p Place, key, dir string) Stored {
	return Stored{Key: key, Project: p.Root, Dir: dir, File: StateFile{Path: filepath.Join(dir, StateName), Files: c.Files, Now: c.Now}}
}

// keys lists the runs of the project: those that have state and those that have a plan.
func (c StateCall) keys(p Place) []string {
	var all []string
	for _, dir := range []string{p.StateRoot(), filepath.Join(p.Root, filepath.FromSlash(p.runsDir()))} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if e.IsDir() && isFileName(e.Name()) && !strings.HasPrefix(e.Name(), ".") && !slices.Contains(all, e.Name()) {
				all = append(all, e.Name())
			}
		}
	}
	slices.Sort(all)
	return all
}

func (c StateCall) latest(p Place) (Stored, error) {
	keys := c.keys(p)
	var newest string
	var at time.Time
	for _, key := range keys {
		info, err := os.Stat(filepath.Join(p.StateDir(key), StateName))
		if err == nil && !info.ModTime().Before(at) {
			newest, at = key, info.ModTime()
		}
	}
	if newest == "" && len(keys) == 1 {
		newest = keys[0]
	}
	if newest == "" {
		return Stored{}, fmt.Errorf("%w here; name one of 'viber runs'", ErrNoRun)
	}
	return c.found(p, newest, p.StateDir(newest)), nil
}

// registered is a line of the registry that numbers the runs of all projects.
type registered struct {
	ID      int    `json:"id"`
	Key     string `json:"key"`
	Project string `json:"project"`
	Dir     string `json:"dir"`
}

func (c StateCall) registry() string { return filepath.Join(c.UserState, "runs.jsonl") }

func (c StateCall) registrations() ([]registered, error) {
	if c.UserState == "" {
		return nil, nil
	}
	data, err := fsx.ReadLines(c.registry())
	if err != nil {
		return nil, err
	}
	var all []registered
	for line := range strings.Lines(string(data)) {
		var r registered
		if json.Unmarshal([]byte(line), &r) == nil && r.ID > 0 {
			all = append(all, r)
		}
	}
	return all, nil
}

func (c StateCall) numbered(n int) (Stored, error) {
	all, err := c.registrations()
	if err != nil {
		return Stored{}, err
	}
	for _, r := range all {
		if r.ID == n {
			f := c.found(c.place(), r.Key, r.Dir)
			f.Project = r.Project
			return f, nil
		}
	}
	return Stored{}, fmt.Errorf("%w: #%d; 'viber runs' lists them", ErrNoRun, n)
}

// Number returns the run's number over all projects, giving it one when it has none; 0 when there is no place to keep it.
func (c StateCall) Number(f Stored) (int, error) {
	if c.UserState == "" {
		return 0, nil
	}
	if id, err := c.numberOf(f); err != nil || id > 0 {
		return id, err
	}
	unlock, err := fsx.Lock(c.registry()+".lock", stateWait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if id, err := c.numberOf(f); err != nil || id > 0 {
		return id, err
	}
	all, err := c.registrations()
	if err != nil {
		return 0, err
	}
	next := 1
	for _, r := range all {
		next = max(next, r.ID+1)
	}
	line, err := json.Marshal(registered{ID: next, Key: f.Key, Project: f.Project, Dir: f.Dir})
	if err != nil {
		return 0, err
	}
	return next, c.Files.AppendLines(c.registry(), append(line, '\n'))
}

func (c StateCall) numberOf(f Stored) (int, error) {
	all, err := c.registrations()
	for _, r := range all {
		if r.Dir == f.Dir {
			return r.ID, err
		}
	}
	return 0, err
}

// Load reads the run's state; a run that has only a plan has an empty one.
func (f Stored) Load() (RunState, Tree, error) {
	s, tree, err := f.File.Read()
	if errors.Is(err, ErrNoState) && f.hasPlan() {
		return RunState{Key: f.Key, Project: f.Project}, Tree{}, nil
	}
	return s, tree, err
}

func (f Stored) hasPlan() bool {
	_, err := f.Plan()
	return err == nil
}

// Plan reads the run's plan and progress from its work tree.
func (f Stored) Plan() (*Run, error) {
	r, err := LoadRun(f.Project, path.Join("docs", settings(f.Project).Value("directories.runs"), f.Key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return r, err
}
