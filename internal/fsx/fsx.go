// Package fsx is the only writer of files in the program.
//
// A write replaces a file whole: the new bytes go to a temporary file beside the real target (links are followed), are
// synced, and take the target's place in one step that also compares once more with what the caller had read. A reader
// sees the old file or the new. Mode, owner and links stay.
package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Door performs file operations. The zero value works on the real file system.
type Door struct {
	// Step, when set, is called before each operation with its name and path; an error it returns is the
	// operation's result. Crash tests use it to fail or stop the program at the n-th operation.
	Step func(op, path string) error
}

// Options say how Write replaces a file.
type Options struct {
	// Mode is the permission of a new file (default 0o644). An existing file keeps its own mode.
	Mode fs.FileMode
	// DirMode is the permission of parent directories that have to be made (default 0o755).
	DirMode fs.FileMode
	// Before, when not nil, is what the caller read: Write fails with ErrChanged when the file holds other bytes now.
	// A pointer to a nil slice says that there was no file.
	Before *[]byte
}

// ErrChanged says that the file was changed by somebody else since it was read.
var ErrChanged = errors.New("changed by another program since it was read")

func (d Door) step(op, path string) error {
	if d.Step == nil {
		return nil
	}
	return d.Step(op, path)
}

// Write replaces the file at path with data, following links. Missing parent directories are made.
func (d Door) Write(path string, data []byte, o Options) error {
	target, err := Resolve(path)
	if err != nil {
		return err
	}
	if err := d.MkdirAll(filepath.Dir(target), orMode(o.DirMode, 0o755)); err != nil {
		return err
	}
	tmp, err := d.stage(target, data, orMode(o.Mode, 0o644))
	if err != nil {
		return err
	}
	defer os.Remove(tmp)
	if err := d.place(tmp, target, data, o.Before); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return d.syncDir(filepath.Dir(target))
}

func orMode(mode, otherwise fs.FileMode) fs.FileMode {
	if mode == 0 {
		return otherwise
	}
	return mode
}

// stage writes data to a new temporary file beside target that has target's mode and owner, and returns its path.
func (d Door) stage(target string, data []byte, mode fs.FileMode) (string, error) {
	old, err := os.Stat(target)
	if err == nil {
		mode = old.Mode().Perm()
	}
	if err := d.step("create", target); err != nil {
		return "", err
	}
	tmp, err := os.CreateTemp(filepath.Dir(target), tempPattern(target))
	if err != nil {
		return "", about(target, err)
	}
	if err := d.fill(tmp, data, mode, old); err != nil {
		os.Remove(tmp.Name())
		return "", about(target, err)
	}
	return tmp.Name(), nil
}

// about says of which file of the user's err speaks: the temporary file beside it means nothing to anybody.
func about(target string, err error) error {
	var of *fs.PathError
	if !errors.As(err, &of) {
		return err
	}
	return &fs.PathError{Op: "write", Path: target, Err: of.Err}
}

func (d Door) fill(tmp *os.File, data []byte, mode fs.FileMode, old fs.FileInfo) error {
	err := d.step("write", tmp.Name())
	if err == nil {
		_, err = tmp.Write(data)
	}
	if err == nil && old != nil {
		err = keepOwner(tmp, old)
	}
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err == nil {
		err = d.step("sync", tmp.Name())
	}
	if err == nil {
		err = tmp.Sync()
	}
	return errors.Join(err, tmp.Close())
}

func (d Door) syncDir(dir string) error {
	if err := d.step("syncdir", dir); err != nil {
		return err
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	_ = f.Sync() // some file systems cannot sync a directory; the rename itself stands
	return nil
}

// Create writes the new file path, in a folder that nobody reads yet: without a temporary file.
func (d Door) Create(path string, data []byte, mode fs.FileMode) error {
	if err := d.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := d.step("create", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	return d.fill(f, data, mode, nil)
}

// MkdirAll makes the directory path with mode perm, and its parents.
func (d Door) MkdirAll(path string, perm fs.FileMode) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	}
	if err := d.step("mkdir", path); err != nil {
		return err
	}
	return os.MkdirAll(path, perm)
}

// Remove removes the file, link or empty directory at path; a path that is not there is no error.
func (d Door) Remove(path string) error {
	if err := d.step("remove", path); err != nil {
		return err
	}
	err := remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// RemoveFile removes the file that path leads to (the target of a link, and then the link stays) when it still holds
// before, and fails with ErrChanged when it does not.
func (d Door) RemoveFile(path string, before []byte) error {
	target, err := Resolve(path)
	if err != nil {
		return err
	}
	if err := unchanged(target, &before); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return d.Remove(target)
}

// RemoveAll removes path and everything below it.
func (d Door) RemoveAll(path string) error {
	if err := d.step("removeall", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// Rename moves from to to.
func (d Door) Rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	if err := rename(from, to); err != nil {
		return err
	}
	return d.syncDir(filepath.Dir(to))
}

// Symlink makes link point at target.
func (d Door) Symlink(target, link string) error {
	if err := d.step("symlink", link); err != nil {
		return err
	}
	return os.Symlink(target, link)
}

// Resolve follows the links of path to the file a write would change. A link whose target does not exist yet resolves to
// that target when its directory exists. It fails on a loop and on a link into a directory that is not there.
func Resolve(path string) (string, error) {
	for hops := range 40 {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return path, danglingError(path, hops)
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return path, nil
		}
		if path, err = follow(path); err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%s: too many links", path)
}

func follow(link string) (string, error) {
	next, err := os.Readlink(link)
	if err != nil || filepath.IsAbs(next) {
		return next, err
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(link))
	return filepath.Join(dir, next), err
}

func danglingError(target string, hops int) error {
	if hops == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Dir(target)); err != nil {
		return fmt.Errorf("%s: a link leads here, but its directory does not exist; make the directory or remove the link", target)
	}
	return nil
}

// RemoveEmptyDir removes the directory at path when it is empty; one that is not stays, and that is no error.
func (d Door) RemoveEmptyDir(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil || len(entries) > 0 {
		return nil
	}
	if err := d.step("rmdir", path); err != nil {
		return err
	}
	_ = os.Remove(path) // somebody may have put a file in meanwhile
	return nil
}
