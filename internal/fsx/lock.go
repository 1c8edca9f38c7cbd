package fsx

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// Lock takes the exclusive lock file at path (made when missing, with its directory) and returns the function that gives
// it back. It waits at most wait for another holder.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	return LockUntil(context.Background(), path, wait)
}

// LockUntil is Lock that also stops waiting when ctx ends.
func LockUntil(ctx context.Context, path string, wait time.Duration) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if !ok && err == nil && wait > 0 {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		if ok, err = l.TryLockContext(ctx, 10*time.Millisecond); ctx.Err() != nil {
			err = nil
		}
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%s: %w; check who owns it", path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if !ok {
		return nil, fmt.Errorf("%s: another viber holds this lock; wait for it to finish and try again", path)
	}
	return func() { _ = l.Unlock() }, nil
}
