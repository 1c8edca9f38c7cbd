//go:build unix

package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	err = tmp.Chown(int(want.Uid), int(want.Gid))
	if err != nil && uint32(os.Geteuid()) == want.Uid && groupIsLikeOthers(old.Mode()) {
		return nil
	}
	if err != nil {
		path := filepath.Join(filepath.Dir(tmp.Name()), old.Name())
		return fmt.Errorf("%s: its owner and group %d:%d could not be kept (%w); give it to a group of yours: chgrp \"$(id -g)\" %q", path, want.Uid, want.Gid, errors.Unwrap(err), path)
	}
	return nil
}

// groupIsLikeOthers reports that a file's group may do what everybody may: which group it is makes no difference then.
func groupIsLikeOthers(mode fs.FileMode) bool {
	return mode.Perm()>>3&7 == mode.Perm()&7
}
