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

// Sweep removes temporary files and links that a stopped write left beside the file at path and that are older than age.
// Call it under the lock that guards the file.
func (d Door) Sweep(path string, age time.Duration, now time.Time) error {
	target, err := Resolve(path)
	if err != nil {
		return nil // nothing can be beside a file that cannot be named
	}
	entries, _ := os.ReadDir(filepath.Dir(target))
	prefix := strings.TrimSuffix(tempPattern(target), "*")
	for _, e := range entries {
		random, ours := strings.CutPrefix(e.Name(), prefix)
		info, err := e.Info()
		if !ours || !isRandom(random) || err != nil || info.IsDir() || now.Sub(info.ModTime()) < age {
			continue
		}
		if err := d.Remove(filepath.Join(filepath.Dir(target), e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// isRandom reports whether s is what os.CreateTemp or randomName put into a name.
func isRandom(s string) bool { return s != "" && strings.Trim(s, "0123456789abcdefl") == "" }
