package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Read returns the bytes of the regular file at path, following links; nil without an error when there is none. A file
// that is empty but was written a moment ago is read again, because a program may be writing it in place right now.
func Read(path string) ([]byte, error) {
	return ReadWhole(path, func([]byte) bool { return true })
}

func readOnce(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Denied(path, err)
	}
	if err := regular(path, info); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, Denied(path, err)
}

// ReadWhole reads like Read; while the file is empty or whole says no, and it was written a moment ago, it looks again, since
// another program may be half through writing it in place.
func ReadWhole(path string, whole func([]byte) bool) ([]byte, error) {
	for waited := time.Duration(0); ; waited += settle {
		data, err := readOnce(path)
		if err != nil || data == nil || len(data) > 0 && whole(data) || waited >= patience {
			return data, err
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() == int64(len(data)) && time.Since(info.ModTime()) >= recent {
			return data, nil
		}
		time.Sleep(settle)
	}
}

// awaitWriter waits while the file at path is empty and was written a moment ago: a program that writes in place empties
// the file first, and may not come to write it for a while on a busy machine.
func awaitWriter(path string, info fs.FileInfo) {
	for waited := time.Duration(0); waited < patience && info.Size() == 0 && time.Since(info.ModTime()) < recent; waited += settle {
		time.Sleep(settle)
		next, err := os.Stat(path)
		if err != nil {
			return
		}
		info = next
	}
}

func regular(path string, info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%s: is a directory, not a file", path)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: is not a regular file", path)
	}
	return nil
}

// ReadOnlyStoreError says that a file lies in, or is a link into, a place nobody writes to, such as the store of nix or
// home-manager.
type ReadOnlyStoreError struct{ Path, Target string }

// Error names the link, its target and the way out.
func (e *ReadOnlyStoreError) Error() string {
	dir := filepath.Dir(e.Target)
	if dir == filepath.Dir(e.Path) {
		return fmt.Sprintf("%s: its directory is read-only; if no tool owns it, make it writable: %s", e.Path, openIt(dir))
	}
	return fmt.Sprintf("%s: is a link into the read-only directory %s (nix, home-manager or a dotfiles tool owns it); add the change there", e.Path, dir)
}

// Check tells, without writing, why Write could not replace or make the file at path: a directory or special file in its
// place, a file with a second name (hard link), a link into a read-only store, a directory it may not write to, an owner
// it could not keep. nil means that nothing stands against it.
func Check(path string) error {
	target, err := Resolve(path)
	if err != nil {
		return err
	}
	info, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return checkNew(path, target)
	}
	if err != nil {
		return err
	}
	if err := regular(path, info); err != nil {
		return err
	}
	if n := hardLinks(target, info); n > 1 {
		return fmt.Errorf("%s: has %d names (hard links); replacing it would part them. Use a symbolic link instead, or part it yourself: cp -p FILE FILE.new && mv FILE.new FILE", path, n)
	}
	if err := checkReadOnly(path, info); err != nil {
		return err
	}
	if err := checkOwner(path, info); err != nil {
		return err
	}
	return checkDir(path, target)
}

// checkNew looks at the nearest directory above target that exists.
func checkNew(path, target string) error {
	dir := filepath.Dir(target)
	for {
		info, err := os.Stat(dir)
		if err == nil && !info.IsDir() {
			return fmt.Errorf("%s: %s is not a directory", path, dir)
		}
		if err == nil {
			return checkDir(path, filepath.Join(dir, "x"))
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return err
		}
		dir = parent
	}
}

func checkDir(path, target string) error {
	dir := filepath.Dir(target)
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if isStore(dir, info) {
		return &ReadOnlyStoreError{Path: path, Target: target}
	}
	if !mayWrite(dir) {
		return fmt.Errorf("%s: no permission to write in %s", path, dir)
	}
	return nil
}
