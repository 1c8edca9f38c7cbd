package fsx

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"time"
)

// errNoExchange says that this system or file system cannot exchange two files in one step.
var errNoExchange = errors.New("no exchange of files here")

// recent is how young a file must be for a second look at it: a program that writes in place may still be at it.
const recent = 2 * time.Second

// settle is the pause before that second look; an empty file gets looks for as long as patience.
const (
	settle   = 20 * time.Millisecond
	patience = 500 * time.Millisecond
)

// place gives the file tmp the name target. With before set it never replaces bytes other than before: the two files are
// exchanged first and what came out is compared, so that no write of another program can fall between look and rename.
func (d Door) place(tmp, target string, data []byte, before *[]byte) error {
	if err := unchanged(target, before); err != nil {
		return err
	}
	if err := d.step("rename", target); err != nil {
		return err
	}
	switch {
	case before == nil:
		return rename(tmp, target)
	case *before == nil:
		return renameNew(tmp, target)
	}
	err := exchange(tmp, target)
	if errors.Is(err, errNoExchange) {
		return rename(tmp, target)
	}
	if err != nil {
		return err
	}
	if stillHolds(tmp, *before) {
		return nil
	}
	return giveBack(tmp, target, data)
}

// stillHolds reports whether the file that was taken out of its place holds want, now and, when it was written a moment
// ago, after a short pause.
func stillHolds(path string, want []byte) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if age := time.Since(info.ModTime()); age >= 0 && age < recent {
		time.Sleep(settle)
		awaitWriter(path, info)
	}
	now, err := os.ReadFile(path)
	return err == nil && bytes.Equal(now, want)
}

// giveBack puts the file in tmp back at target, where placed was put. When a program wrote there meanwhile, its file comes
// out instead and goes back in the next round: the newest foreign bytes win.
func giveBack(tmp, target string, placed []byte) error {
	for range 20 {
		back, err := os.ReadFile(tmp)
		if err != nil {
			return err
		}
		if err := exchange(tmp, target); err != nil {
			return err
		}
		out, err := os.ReadFile(tmp)
		if err != nil {
			return err
		}
		if bytes.Equal(out, placed) {
			break
		}
		placed = back
	}
	return ErrChanged
}

func unchanged(target string, before *[]byte) error {
	if before == nil {
		return nil
	}
	now, err := os.ReadFile(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if *before != nil {
			return ErrChanged
		}
		return nil
	case err != nil:
		return err
	case *before == nil || !bytes.Equal(now, *before):
		return ErrChanged
	}
	return nil
}
