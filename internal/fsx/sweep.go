package fsx

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

const tempMark = ".viber-"

// tempPattern names temporary files so that they are hidden, told apart by a random part, and found again by Sweep.
func tempPattern(target string) string { return "." + filepath.Base(target) + tempMark + "*" }

// Sweep removes temporary files and links that a stopped write left beside the file at path and that are older than age
// (0: all of them). Call it under the lock that guards the file.
func (d Door) Sweep(path string, age time.Duration, now time.Time) error {
	target, err := Resolve(path)
	if err != nil {
		return nil // nothing can be beside a file that cannot be named
	}
	return d.sweep(filepath.Dir(target), strings.TrimSuffix(tempPattern(target), "*"), age, now)
}

// SweepDir is Sweep for every file of the directory dir.
func (d Door) SweepDir(dir string, age time.Duration, now time.Time) error {
	return d.sweep(dir, ".", age, now)
}

// leftAfter is the age at which the temporary file beside a file of ours is no longer that of a write under way.
const leftAfter = 10 * time.Minute

// WriteOwn is Write for a file of viber's own state, which nobody else reads. What a stopped write left beside the file is
// removed once it is old: state is written again and again, and mostly by programs that may be stopped at any time.
func (d Door) WriteOwn(path string, data []byte, before *[]byte) error {
	if err := d.Write(path, data, Options{Mode: 0o600, DirMode: 0o700, Before: before}); err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		_ = d.Sweep(path, leftAfter, info.ModTime())
	}
	return nil
}

func (d Door) sweep(dir, prefix string, age time.Duration, now time.Time) error {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		random := e.Name()[strings.LastIndex(e.Name(), "-")+1:]
		ours := strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), tempMark+random) && isRandom(random)
		info, err := e.Info()
		if !ours || err != nil || info.IsDir() || age > 0 && now.Sub(info.ModTime()) < age {
			continue
		}
		if err := d.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// isRandom reports whether s is what os.CreateTemp or randomName put into a name.
func isRandom(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdefl") == "" }
