package fsx

import (
	"os"
	"path/filepath"
	"strings"
)

// remove removes the file at path. A program that is running cannot be removed, but it can be renamed: it is moved into the
// folder for temporary files, which the system empties.
func remove(path string) error {
	err := os.Remove(path)
	if err == nil || !busy(err) || !strings.EqualFold(filepath.Ext(path), ".exe") {
		return err
	}
	if aside := filepath.Join(os.TempDir(), "viber-old-"+randomName()+".exe"); os.Rename(path, aside) != nil {
		return err
	}
	return nil
}
