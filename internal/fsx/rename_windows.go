package fsx

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename retries for at most a second while another program has the file open. A read-only file is refused at once.
func rename(from, to string) error {
	for wait := 10 * time.Millisecond; ; wait *= 2 {
		err := os.Rename(from, to)
		if err == nil || !busy(err) || readOnly(to) || wait > 500*time.Millisecond {
			return err
		}
		time.Sleep(wait)
	}
}

func busy(err error) bool {
	return errors.Is(err, windows.ERROR_SHARING_VIOLATION) || errors.Is(err, windows.ERROR_ACCESS_DENIED) ||
		errors.Is(err, windows.ERROR_LOCK_VIOLATION)
}

func readOnly(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().Perm()&0o200 == 0
}

func exchange(a, b string) error { return errNoExchange }

// renameNew renames from to to, and fails with ErrChanged when to exists.
func renameNew(from, to string) error {
	src, err := windows.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	dst, err := windows.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	err = windows.MoveFileEx(src, dst, 0)
	switch {
	case errors.Is(err, windows.ERROR_ALREADY_EXISTS), errors.Is(err, windows.ERROR_FILE_EXISTS):
		return ErrChanged
	case err != nil:
		return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
	}
	return nil
}

func keepOwner(*os.File, fs.FileInfo) error { return nil } // a new file inherits the folder's access list
