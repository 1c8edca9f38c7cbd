package upgrade

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/fsx"
)

// Swap puts a new binary in the place of the running one.
type Swap struct {
	Door fsx.Door
	// Target is the executable, links followed.
	Target string
	// Keep is where the replaced binary is kept for a rollback.
	Keep string
	GOOS string
}

// Do replaces the target with the binary next, on the same volume, and keeps the old one. Whatever step fails or is cut
// off, Target is a whole viber before and after it, and the earlier binary is in Keep or finds its way there at the next
// Sweep. On Windows, where a running program can be renamed but not replaced, there is one moment between two renames at
// which Target is missing; Mend puts it back after a kill in that moment.
func (s Swap) Do(next string) error {
	if err := s.copyPresent(); err != nil {
		return fmt.Errorf("keep the present viber: %w", err)
	}
	if err := s.place(next); err != nil {
		return err
	}
	s.settle()
	s.Sweep()
	return nil
}

func (s Swap) place(next string) error {
	if s.GOOS != "windows" {
		return s.Door.Rename(next, s.Target)
	}
	aside := s.Target + oldMark + suffix()
	err := s.Door.Rename(s.Target, aside)
	if err == nil {
		err = s.Door.Rename(next, s.Target)
	}
	if err != nil {
		return errors.Join(err, s.restore(aside))
	}
	return nil
}

// restore moves the old binary back unless a binary stands in its place.
func (s Swap) restore(aside string) error {
	if _, err := os.Stat(s.Target); err == nil {
		return nil
	}
	return os.Rename(aside, s.Target) //nolint:forbidigo // the way back must not fail where the way forth did
}

// Mend puts the binary back that a swap moved aside before it was killed, and reports whether it did.
func (s Swap) Mend() bool {
	if _, err := os.Lstat(s.Target); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	newest, at := "", time.Time{}
	for _, path := range s.leftovers(oldMark) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.ModTime().After(at) {
			newest, at = path, info.ModTime()
		}
	}
	return newest != "" && s.Door.Rename(newest, s.Target) == nil
}

// Rollback puts the kept binary back and keeps the one it replaces, so that a second rollback undoes the first.
func (s Swap) Rollback() error {
	data, err := os.ReadFile(s.Keep)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("no earlier viber is kept; only `viber upgrade` keeps one")
	}
	if err != nil {
		return err
	}
	dir := s.staging()
	defer func() { _ = s.Door.RemoveAll(dir) }()
	next := filepath.Join(dir, filepath.Base(s.Target))
	if err := s.Door.Write(next, data, fsx.Options{Mode: 0o755, DirMode: 0o700}); err != nil {
		return err
	}
	return s.Do(next)
}

// What stands beside the target while it is exchanged has its name and one of these marks in front of a random part.
const (
	oldMark  = ".old-"  // a binary that was moved aside
	nextMark = ".next-" // a folder with a download, or with a binary that will take the target's place
)

// staging is a new name for such a folder.
func (s Swap) staging() string { return s.Target + nextMark + suffix() }

// Sweep finishes what earlier swaps left: the binary they kept goes to Keep, and beside the target go the binaries moved
// aside that no process uses any more, and downloads that were cut off. Call it under the lock that upgrades hold.
func (s Swap) Sweep() {
	s.settle()
	for _, path := range append(s.leftovers(oldMark), s.leftovers(nextMark)...) {
		_ = s.Door.RemoveAll(path) // one that still runs stays until a later sweep
	}
	_ = s.Door.Sweep(s.Keep, 0, time.Time{})
	_ = s.Door.Sweep(s.present(), 0, time.Time{})
}

func (s Swap) leftovers(mark string) []string {
	dir, base := filepath.Split(s.Target)
	entries, _ := os.ReadDir(dir)
	var paths []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base+mark) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// present is where the running binary waits to become the kept one: only when another has taken its place does it replace
// the one that is kept so far.
func (s Swap) present() string { return s.Keep + nextMark + "kept" }

func (s Swap) copyPresent() error {
	data, err := os.ReadFile(s.Target)
	if err != nil {
		return err
	}
	return s.Door.Write(s.present(), data, fsx.Options{Mode: 0o755, DirMode: 0o700})
}

// settle makes the binary that was replaced the kept one; where the swap did not come so far, its copy goes. A failure is
// made good by the next Sweep.
func (s Swap) settle() {
	waiting, err := os.ReadFile(s.present())
	if err != nil {
		return
	}
	if now, err := os.ReadFile(s.Target); err != nil || bytes.Equal(now, waiting) {
		_ = s.Door.Remove(s.present())
		return
	}
	_ = s.Door.Rename(s.present(), s.Keep)
}

func suffix() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
