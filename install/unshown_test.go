package install

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// What could not be shown is not applied, not even with --yes.
func TestNothingIsWrittenThatWasNotShown(t *testing.T) {
	t.Parallel()
	dir := fastDir(t)
	l := newLab(t, dir)
	l.env.Streams.Out = fullDisk{}
	if err := l.setup(); err == nil {
		t.Error("setup went on without an output")
	}
	if _, err := os.Lstat(filepath.Join(dir, "home", ".claude", "skills")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}
