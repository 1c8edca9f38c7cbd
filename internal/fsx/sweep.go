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

// Sweep removes temporary files that a stopped write left beside the file at path and that are older than age.
// Call it under the lock that guards the file.
func (d Door) Sweep(path string, age time.Duration, now time.Time) error {
	target, err := Resolve(path)
	if err != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Dir(target))
	if err != nil {
		return nil
	}
	prefix := strings.TrimSuffix(tempPattern(target), "*")
	for _, e := range entries {
		random, ours := strings.CutPrefix(e.Name(), prefix)
		info, err := e.Info()
		if !ours || !digits(random) || err != nil || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < age {
			continue
		}
		if err := d.Remove(filepath.Join(filepath.Dir(target), e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func digits(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
