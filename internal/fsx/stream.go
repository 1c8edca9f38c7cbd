package fsx

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Stream makes the file at path from what fill writes, however long it is, and puts it in place when fill is done; an error
// of fill leaves what was there. It is for files that can be made again: nothing is synced.
func (d Door) Stream(path string, mode fs.FileMode, fill func(io.Writer) error) error {
	return d.Fill(path, mode, func(f *os.File) error {
		out := bufio.NewWriterSize(f, 64<<10)
		if err := fill(out); err != nil {
			return err
		}
		return out.Flush()
	})
}

// Fill is Stream for what writes to a file itself, such as another program.
func (d Door) Fill(path string, mode fs.FileMode, fill func(*os.File) error) error {
	if err := d.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := d.step("create", path); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), tempPattern(path))
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if err = fill(tmp); err == nil {
		err = tmp.Chmod(mode)
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err := d.step("rename", path); err != nil {
		return err
	}
	return takePlace(tmp.Name(), path)
}

// takePlace renames tmp to path. Where a file is there already the two change places: some file systems write a file out at once
// that is renamed over another, and these can be made again.
func takePlace(tmp, path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && exchange(tmp, path) == nil {
		return nil
	}
	return rename(tmp, path)
}
