package fsx

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// LinkDir makes link a link (Windows: a junction) to the directory target. A link that is there is replaced in one step;
// anything else in its place is an error.
func (d Door) LinkDir(target, link string) error { return d.replaceLink(target, link, makeDirLink) }

// LinkFile makes link a link (Windows: a hard link, else a copy) to the file target, replacing what is there.
func (d Door) LinkFile(target, link string) error { return d.replaceLink(target, link, makeFileLink) }

func (d Door) replaceLink(target, link string, make func(target, link string) error) error {
	if err := d.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	tmp := filepath.Join(filepath.Dir(link), "."+filepath.Base(link)+tempMark+randomName())
	if err := d.step("symlink", link); err != nil {
		return err
	}
	if err := make(target, tmp); err != nil {
		return err
	}
	defer os.Remove(tmp)
	if err := d.step("rename", link); err != nil {
		return err
	}
	return renameLink(tmp, link)
}

// DirLink returns where the link (or junction) at path leads; ok is false when path is no link.
func DirLink(path string) (target string, ok bool) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode().IsDir() || info.Mode().IsRegular() {
		return "", false
	}
	target, err = os.Readlink(path)
	return target, err == nil
}

// Copy makes dst a copy of the file src with mode perm and src's modification time, replaced in one step.
func (d Door) Copy(src, dst string, perm fs.FileMode) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if err := d.MkdirAll(filepath.Dir(dst), 0o755); err != nil {
		return err
	}
	if err := d.step("create", dst); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(filepath.Dir(dst), tempPattern(dst))
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if err := d.copyInto(tmp, in, perm); err != nil {
		return err
	}
	if err := os.Chtimes(tmp.Name(), info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return d.Rename(tmp.Name(), dst)
}

func (d Door) copyInto(tmp *os.File, in io.Reader, perm fs.FileMode) error {
	err := d.step("write", tmp.Name())
	if err == nil {
		_, err = io.Copy(tmp, in)
	}
	if err == nil {
		err = tmp.Chmod(perm)
	}
	if err == nil {
		err = tmp.Sync()
	}
	return errors.Join(err, tmp.Close())
}

func randomName() string {
	var b [4]byte
	_, _ = rand.Read(b[:])
	return "l" + hex.EncodeToString(b[:])
}
