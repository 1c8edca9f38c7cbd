package run

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// Survey is every run directory of a project that holds a plan, by name.
type Survey struct {
	Dir  string // the runs directory relative to the root
	Runs []Found
}

// Found is one run directory as plan-path sees it.
type Found struct {
	Key, Plan            string // Plan is the path of plan.md relative to the root
	Touched              time.Time
	Done, Skipped, Total int
	Read                 *Plan
}

// Draft reports whether the run's plan has no task block.
func (f Found) Draft() bool { return f.Read.Draft() }

// Settled reports whether every task is done or skipped; a draft is not.
func (f Found) Settled() bool { return !f.Draft() && f.Done+f.Skipped >= f.Total }

// State is draft, open or done.
func (f Found) State() string {
	switch {
	case f.Draft():
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
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.Type().IsRegular() {
			continue
		}
		if e.Type()&fs.ModeSymlink != 0 && !p.holds(onDisk(p.Root, path.Join(runs, e.Name()))) {
			continue
		}
		if f, ok := p.find(runs, e.Name()); ok {
			s.Runs = append(s.Runs, f)
		}
	}
	return s, nil
}

func (p Place) find(runs, key string) (Found, bool) {
	f := Found{Key: key, Plan: path.Join(runs, key, "plan.md")}
	text, touched, ok := readDated(onDisk(p.Root, f.Plan))
	if !ok {
		return f, false
	}
	f.Touched = touched
	f.Read = ParsePlan(f.Plan, text)
	status, touched, ok := readDated(filepath.Join(onDisk(p.Root, runs), key, "status.md"))
	if ok && touched.After(f.Touched) {
		f.Touched = touched
	}
	ids := f.Read.IDs()
	f.Total = len(ids)
	f.Done, f.Skipped = ParseStatus(status).Progress(ids)
	return f, true
}

// readDated reads a regular file and its time of change; ok is false for anything else.
func readDated(full string) (text string, touched time.Time, ok bool) {
	file, err := os.Open(full)
	if err != nil {
		return "", time.Time{}, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", time.Time{}, false
	}
	buf := make([]byte, info.Size()+1)
	n := 0
	for {
		if n == len(buf) {
			buf = append(buf, 0)
			buf = buf[:cap(buf)]
		}
		m, err := file.Read(buf[n:])
		n += m
		if err != nil || m == 0 {
			break
		}
		if int64(n) == info.Size() { // the usual end, without a read that only says so
			break
		}
	}
	return string(buf[:n]), info.ModTime(), true
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
