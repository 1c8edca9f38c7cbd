package fsx

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// AppendLines adds whole lines to the file at path (made with mode 0600 when missing) and syncs it. A last line without its
// end, which a stopped writer left, is cut off first: it was never acknowledged. Call it under the file's lock.
func (d Door) AppendLines(path string, lines []byte) error {
	if err := d.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := d.step("append", path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	end, err := wholeLines(f)
	if err == nil {
		err = d.addAt(f, end, lines)
	}
	return errors.Join(err, f.Close())
}

func (d Door) addAt(f *os.File, end int64, lines []byte) error {
	if err := f.Truncate(end); err != nil {
		return err
	}
	if _, err := f.WriteAt(lines, end); err != nil {
		return err
	}
	if err := d.step("sync", f.Name()); err != nil {
		return err
	}
	return f.Sync()
}

// wholeLines returns where the last complete line of f ends.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	const step = 64 << 10
	for end := info.Size(); end > 0; {
		start := max(0, end-step)
		chunk := make([]byte, end-start)
		if _, err := f.ReadAt(chunk, start); err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if i := bytes.LastIndexByte(chunk, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}

// ReadLines returns the complete lines of the file at path; nil when there is none.
func ReadLines(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return data[:bytes.LastIndexByte(data, '\n')+1], nil
}
