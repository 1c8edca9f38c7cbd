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
	out := bufio.NewWriterSize(tmp, 256<<10)
	err = fill(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = tmp.Chmod(mode)
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	if err := d.step("rename", path); err != nil {
		return err
	}
	return rename(tmp.Name(), path)
}
