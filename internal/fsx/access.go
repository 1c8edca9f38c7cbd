package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Denied completes an error about path that is one of permission: it names what is closed to this account and the way
// out. Any other error is returned as it is.
func Denied(path string, err error) error {
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	closed := path
	for {
		if _, err := os.Lstat(closed); err == nil || filepath.Dir(closed) == closed {
			break
		}
		closed = filepath.Dir(closed)
	}
	if OwnedByOther(closed) {
		return fmt.Errorf("%s: %w; %s belongs to another account", path, fs.ErrPermission, closed)
	}
	return fmt.Errorf("%s: %w; open it to yourself: %s", path, fs.ErrPermission, openIt(closed))
}
