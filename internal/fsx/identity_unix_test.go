//go:build unix

package fsx_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"viber/internal/fsx"
)

func TestWriteKeepsLinkModeAndOwner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	// ~/.claude is a link, and in it settings.json is a relative link to a file of another folder.
	for _, d := range []string{"home", "dot/claude", "dot/files"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	target := filepath.Join(dir, "dot/files/x.json")
	write(t, target, "old")
	if err := errors.Join(os.Chmod(target, 0o640), os.Symlink("../dot/claude", filepath.Join(dir, "home/.claude")),
		os.Symlink("../files/x.json", filepath.Join(dir, "dot/claude/settings.json"))); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(target, 1234, 1235); err != nil {
			t.Fatal(err)
		}
	}
	want := stat(t, target)

	path := filepath.Join(dir, "home/.claude/settings.json")
	if err := (fsx.Door{}).Write(path, []byte("new"), fsx.Options{}); err != nil {
		t.Fatal(err)
	}
	if read(t, target) != "new" {
		t.Error("the link's target was not written")
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("no link any more: %v %v", info, err)
	}
	if got := stat(t, target); got.Mode != want.Mode || got.Uid != want.Uid || got.Gid != want.Gid {
		t.Errorf("mode %o owner %d:%d, want %o %d:%d", got.Mode, got.Uid, got.Gid, want.Mode, want.Uid, want.Gid)
	}
}

func stat(t *testing.T, path string) *syscall.Stat_t {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Sys().(*syscall.Stat_t)
}

func TestCheckRefusesWithTheReason(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	make := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	linked, second := make("hard/a"), make("hard/b")
	write(t, linked, "x")
	inStore, loop, dangling, pipe := make("store/x"), make("loop/a"), make("dangling/a"), make("pipe/a")
	write(t, inStore, "x")
	throughLink := make("link/a")
	if err := errors.Join(os.Link(linked, second), os.Symlink(inStore, throughLink), os.Chmod(filepath.Dir(inStore), 0o555),
		os.Symlink(loop, loop), os.Symlink(filepath.Join(dir, "no/where"), dangling), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(inStore), 0o755) })
	for path, want := range map[string]string{
		linked:                                   "hard links",
		throughLink:                              "read-only directory",
		loop:                                     "too many links",
		dangling:                                 "its directory does not exist",
		pipe:                                     "not a regular file",
		filepath.Dir(linked):                     "is a directory",
		filepath.Join(linked, "below"):           "not a directory",
		filepath.Join(dir, "new", "sub", "file"): "",
	} {
		err := fsx.Check(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", path, err, want)
		}
	}
	var store *fsx.ReadOnlyStoreError
	if !errors.As(fsx.Check(throughLink), &store) || store.Target != inStore {
		t.Errorf("the store is not told: %v", store)
	}
}

func TestAFileBeingWrittenInPlaceIsReadWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "")
	go func() {
		time.Sleep(5 * time.Millisecond)
		_ = os.WriteFile(path, []byte("whole"), 0o644)
	}()
	data, err := fsx.Read(path)
	if err != nil || string(data) != "whole" {
		t.Fatalf("read %q, %v", data, err)
	}
}

// A program that truncates the file and writes it in place, holding it open over our exchange, loses nothing.
func TestAnInPlaceWriterLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "f")
	write(t, path, "old")
	before := []byte("old")
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	done := make(chan error, 1)
	door := fsx.Door{Step: func(op, _ string) error {
		if op == "rename" {
			go func() {
				time.Sleep(8 * time.Millisecond)
				_, err := f.WriteAt([]byte("theirs"), 0)
				done <- err
			}()
		}
		return nil
	}}
	err = door.Write(path, []byte("ours"), fsx.Options{Before: &before})
	if werr := <-done; werr != nil {
		t.Fatal(werr)
	}
	if !errors.Is(err, fsx.ErrChanged) || read(t, path) != "theirs" {
		t.Fatalf("error %v, the file holds %q", err, read(t, path))
	}
}

func TestLinksAreReplacedInOneStep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(dir, "skills", "viber")
	for _, target := range []string{"1.0", "1.1"} {
		if err := (fsx.Door{}).LinkDir(filepath.Join(dir, target), link); err != nil {
			t.Fatal(err)
		}
		if got, ok := fsx.DirLink(link); !ok || got != filepath.Join(dir, target) {
			t.Fatalf("the link leads to %q", got)
		}
	}
	if left := siblings(t, link); len(left) != 1 {
		t.Fatalf("left behind: %v", left)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(link, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(link, "mine"), "x")
	if err := (fsx.Door{}).LinkDir(dir, link); err == nil {
		t.Fatal("a folder was replaced by a link")
	}
}
