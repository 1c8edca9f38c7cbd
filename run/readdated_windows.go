package run

import (
	"io"
	"os"
	"path/filepath"
	"time"
)

// folder reads files below one directory.
type folder struct{ path string }

func openFolder(path string) (folder, error) { return folder{path}, nil }

func (f folder) close() {}

// read returns the text of a regular file and when it was changed; ok is false for anything else.
func (f folder) read(name string) (text string, touched time.Time, ok bool) {
	file, err := os.Open(filepath.Join(f.path, name))
	if err != nil {
		return "", time.Time{}, false
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return "", time.Time{}, false
	}
	data, err := io.ReadAll(file)
	return string(data), info.ModTime(), err == nil
}
