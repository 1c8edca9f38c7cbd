package upgrade

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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

// Do replaces the target with the binary next, which stands in the same folder, and keeps the old one. Whatever step
// fails or is cut off, Target is a whole viber before and after it; on Windows, where a running program can be renamed
// but not replaced, there is one moment between two renames at which only the kept copy exists.
func (s Swap) Do(next string) error {
	if err := s.keep(); err != nil {
		return fmt.Errorf("keep the present viber: %w", err)
	}
	if s.GOOS != "windows" {
		return s.Door.Rename(next, s.Target)
	}
	aside := s.Target + ".old-" + suffix()
	err := s.Door.Rename(s.Target, aside)
	if err == nil {
		err = s.Door.Rename(next, s.Target)
	}
	if err != nil {
		return errors.Join(err, s.restore(aside))
	}
	s.Sweep()
	return nil
}

// restore moves the old binary back unless a binary stands in its place.
func (s Swap) restore(aside string) error {
	if _, err := os.Stat(s.Target); err == nil {
		return nil
	}
	return os.Rename(aside, s.Target) //nolint:forbidigo // the way back must not fail where the way forth did
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
	next := s.Target + ".next-" + suffix()
	if err := s.Door.Write(next, data, fsx.Options{Mode: 0o755}); err != nil {
		return err
	}
	defer func() { _ = s.Door.Remove(next) }()
	return s.Do(next)
}

// Sweep removes what earlier swaps left beside the target: binaries moved aside that no process uses any more, and
// downloads that were cut off.
func (s Swap) Sweep() {
	dir, base := filepath.Split(s.Target)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base+".old-") || strings.HasPrefix(e.Name(), base+".next-") {
			_ = s.Door.Remove(filepath.Join(dir, e.Name())) // one that still runs stays until a later sweep
		}
	}
}

func (s Swap) keep() error {
	data, err := os.ReadFile(s.Target)
	if err != nil {
		return err
	}
	return s.Door.Write(s.Keep, data, fsx.Options{Mode: 0o755})
}

func suffix() string {
	var b [6]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
