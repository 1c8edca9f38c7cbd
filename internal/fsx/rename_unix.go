//go:build unix

package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

func rename(from, to string) error { return os.Rename(from, to) }

// renameByLink is renameNew for file systems without a rename that refuses to replace.
func renameByLink(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return ErrChanged
	}
	if err != nil {
		return os.Rename(from, to)
	}
	return os.Remove(from)
}

// keepOwner gives tmp the owner and group of the file it is going to replace.
func keepOwner(tmp *os.File, old fs.FileInfo) error {
	want, ok := old.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := tmp.Stat()
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	if err := tmp.Chown(int(want.Uid), int(want.Gid)); err != nil {
		return fmt.Errorf("cannot keep the file's owner %d:%d: %w", want.Uid, want.Gid, err)
	}
	return nil
}
