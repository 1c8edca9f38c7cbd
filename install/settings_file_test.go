package install

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A program that writes in place shows half a file for a moment; setup waits for the other half instead of refusing.
func TestSetupWaitsForTheOtherHalf(t *testing.T) {
	t.Parallel()
	dir := fastDir(t)
	l := newLab(t, dir)
	path := filepath.Join(dir, "home", ".claude", "settings.json")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)/2], 0o644); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(60*time.Millisecond, func() { _ = os.WriteFile(path, whole, 0o644) })
	if err := l.setup(); err != nil {
		t.Fatalf("%v\n%s", err, l.out)
	}
	checkNothingLost(t, path, 0, 0)
}
