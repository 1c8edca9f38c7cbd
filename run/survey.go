package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Survey is every run directory of a project that holds a plan, by name.
type Survey struct {
	Dir        string // the runs directory relative to the root
	Runs       []Found
	Unreadable []string // plans that are there and cannot be read, and why
}

// Found is one run directory as plan-path sees it.
type Found struct {
	Key, Plan            string // Plan is the path of plan.md relative to the root
	Touched              time.Time
	Done, Skipped, Total int
	Draft                bool // the plan has no task block

	text string
}

// Read reads the run's plan whole.
func (f Found) Read() *Plan { return ParsePlan(f.Plan, f.text) }

// Settled reports whether every task is done or skipped; a draft is not.
func (f Found) Settled() bool { return !f.Draft && f.Done+f.Skipped >= f.Total }

// State is draft, open or done.
func (f Found) State() string {
	switch {
	case f.Draft:
		return "draft"
	case f.Settled():
		return "done"
	}
	return "open"
}

// survey reads the runs of the project. Hidden directories are not looked at, and neither are links that lead out of it.
func (p Place) survey(runs string) (Survey, error) {
	s := Survey{Dir: runs}
	entries, err := os.ReadDir(onDisk(p.Root, runs))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || isFile(onDisk(p.Root, "docs")) {
			return s, nil
		}
		return s, err
	}
	var keys []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Type().IsRegular() {
			continue
		}
		if e.Type()&fs.ModeSymlink != 0 && !p.holds(onDisk(p.Root, path.Join(runs, e.Name()))) {
			continue
		}
		keys = append(keys, e.Name())
	}
	dir, err := openFolder(onDisk(p.Root, runs))
	if err != nil {
		return s, err
	}
	defer dir.close()
	reader := runReader{dir: dir, runs: runs, full: onDisk(p.Root, runs), unmade: unmadeIn(p.Layout)}
	s.Runs = reader.findAll(keys)
	if len(s.Runs) < len(keys) {
		s.Unreadable = reader.unreadable(keys, s.Runs)
	}
	return s, nil
}

// unreadable are the plans among keys that are there and are not among the found ones.
func (r runReader) unreadable(keys []string, found []Found) (plans []string) {
	for _, key := range keys {
		if len(found) > 0 && found[0].Key == key { // both are in order
			found = found[1:]
			continue
		}
		if err := opens(filepath.Join(r.full, key, "plan.md")); err != nil {
			plans = append(plans, fmt.Sprintf("%s: %v", path.Join(r.runs, key, "plan.md"), cause(err)))
		}
	}
	return plans
}

// opens says why the file at full cannot be read; nil when it can, or when there is no file.
func opens(full string) error {
	info, err := os.Stat(full)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && !info.Mode().IsRegular() {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := os.Open(full)
	if err != nil {
		return err
	}
	return f.Close()
}

// warnUnreadable names the plans of a survey that cannot be read.
func (c Call) warnUnreadable(s Survey) {
	for _, plan := range s.Unreadable {
		c.warn("%s; this run is not looked at", plan)
	}
}

// runReader reads the runs of one directory: dir is open at full, which is runs below the root.
type runReader struct {
	dir        folder
	runs, full string
	unmade     *pendingCommit
}

// findAll reads the runs called keys and drops those without a plan; waiting for the disk is shared between a few readers.
func (r runReader) findAll(keys []string) []Found {
	type slot struct {
		Found
		ok bool
	}
	slots := make([]slot, len(keys))
	readers := min(runtime.NumCPU(), 4, len(keys)/16+1)
	var all sync.WaitGroup
	for first := range readers {
		all.Add(1)
		go func() {
			defer all.Done()
			for i := first; i < len(keys); i += readers {
				slots[i].Found, slots[i].ok = r.find(keys[i])
			}
		}()
	}
	all.Wait()
	var found []Found
	for _, s := range slots {
		if s.ok {
			found = append(found, s.Found)
		}
	}
	return found
}

func (r runReader) find(key string) (Found, bool) {
	f := Found{Key: key, Plan: path.Join(r.runs, key, "plan.md")}
	text, touched, ok := r.dir.read(key + "/plan.md")
	if !ok {
		return f, false
	}
	f.Touched, f.text = touched, text
	status, touched, ok := r.dir.read(key + "/status.md")
	if ok && touched.After(f.Touched) {
		f.Touched = touched
	}
	var ids []string
	ids, f.Draft = scanIDs(text)
	f.Total = len(ids)
	status = r.unmade.truth(filepath.Join(r.full, key, "status.md"), status)
	f.Done, f.Skipped = ParseStatus(status).Progress(ids)
	return f, true
}

// Latest returns the run touched last among those keep accepts; a tie goes to the first name.
func (s Survey) Latest(keep func(Found) bool) (Found, bool) {
	var best Found
	ok := false
	for _, f := range s.Runs {
		if keep(f) && (!ok || f.Touched.After(best.Touched)) {
			best, ok = f, true
		}
	}
	return best, ok
}

// Open returns the runs other than key whose tasks are not all settled; drafts are never open.
func (s Survey) Open(key string) []Found {
	var open []Found
	for _, f := range s.Runs {
		if f.Key != key && f.State() == "open" {
			open = append(open, f)
		}
	}
	return open
}

// Get returns the run called key.
func (s Survey) Get(key string) (Found, bool) {
	return s.Latest(func(f Found) bool { return f.Key == key })
}
