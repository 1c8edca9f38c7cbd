package fsx_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"viber/internal/fsx"
)

func TestWriteFailsAtEveryOperationWithOldOrNewFile(t *testing.T) {
	t.Parallel()
	for _, errno := range []error{syscall.ENOSPC, syscall.EACCES, syscall.EXDEV, syscall.EIO} {
		for n := 1; ; n++ {
			path := filepath.Join(t.TempDir(), "f")
			write(t, path, "old")
			before := []byte("old")
			failed, left := false, n
			door := fsx.Door{Step: func(op, _ string) error {
				if left--; left == 0 {
					failed = true
					return errno
				}
				return nil
			}}
			err := door.Write(path, []byte("new"), fsx.Options{Before: &before})
			if got := read(t, path); got != "old" && got != "new" {
				t.Fatalf("the file holds %q", got)
			}
			if failed != (err != nil) || failed && !errors.Is(err, errno) {
				t.Fatalf("failed %v, error %v", failed, err)
			}
			if left := siblings(t, path); len(left) != 1 {
				t.Fatalf("left behind: %v", left)
			}
			if !failed {
				break
			}
		}
	}
}

func TestWriteNeverReplacesWhatItDidNotRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	none, old := []byte(nil), []byte("old")
	for name, c := range map[string]struct {
		before  *[]byte
		foreign string
	}{
		"a file that came":    {&none, "theirs"},
		"a file that changed": {&old, "theirs"},
	} {
		if c.before == &old {
			write(t, path, "old")
		} else {
			os.Remove(path)
		}
		door := fsx.Door{Step: func(op, _ string) error {
			if op == "rename" { // after our last look, before the exchange
				write(t, path+".x", c.foreign)
				return os.Rename(path+".x", path)
			}
			return nil
		}}
		err := door.Write(path, []byte("ours"), fsx.Options{Before: c.before})
		if !errors.Is(err, fsx.ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
		if got := read(t, path); got != c.foreign {
			t.Errorf("%s: the file holds %q", name, got)
		}
	}
	if left := siblings(t, path); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSweepRemovesOldTemporaryFilesOnly(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.json")
	dir := filepath.Dir(path)
	for _, name := range []string{"settings.json", ".settings.json.viber-123", ".settings.json.viber-notes.txt", ".other.viber-1", ".settings.json"} {
		write(t, filepath.Join(dir, name), "x")
	}
	now := time.Now()
	if err := (fsx.Door{}).Sweep(path, time.Hour, now); err != nil {
		t.Fatal(err)
	}
	if left := siblings(t, path); len(left) != 5 {
		t.Fatalf("a young file went: %v", left)
	}
	if err := (fsx.Door{}).Sweep(path, time.Hour, now.Add(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if left := siblings(t, path); strings.Join(left, " ") != ".other.viber-1 .settings.json .settings.json.viber-notes.txt settings.json" {
		t.Fatalf("left: %v", left)
	}
}

func TestRemoveFileOnlyWhatWasRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "theirs")
	if err := (fsx.Door{}).RemoveFile(path, []byte("ours")); !errors.Is(err, fsx.ErrChanged) {
		t.Fatalf("error %v", err)
	}
	if err := (fsx.Door{}).RemoveFile(path, []byte("theirs")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Fatalf("still there: %v", err)
	}
}

func TestLockWaitsForItsHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "lock")
	unlock, err := fsx.Lock(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fsx.Lock(path, 30*time.Millisecond); err == nil || !strings.Contains(err.Error(), "another viber") {
		t.Fatalf("error %v", err)
	}
	unlock()
	again, err := fsx.Lock(path, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func siblings(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A foreign file that comes while an older foreign file is given back is the one that stays.
func TestTheNewestForeignFileStays(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old")
	before := []byte("old")
	stop := make(chan struct{})
	last := make(chan string)
	go func() {
		text := ""
		for n := 0; ; n++ {
			select {
			case <-stop:
				last <- text
				return
			default:
			}
			text = strings.Repeat("theirs ", n%7+1)
			_ = os.WriteFile(path+".x", []byte(text), 0o644)
			_ = os.Rename(path+".x", path)
		}
	}()
	for range 200 {
		_ = (fsx.Door{}).Write(path, []byte("ours"), fsx.Options{Before: &before})
	}
	close(stop)
	if want, got := <-last, read(t, path); got != want {
		t.Fatalf("the file holds %q, %q was written last", got, want)
	}
}
