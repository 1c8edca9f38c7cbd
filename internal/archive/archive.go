// Package archive reads .tar.gz and .zip files that come from elsewhere: nothing in them can name a place outside, be
// anything but a plain file, or be larger than the caller allows.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// File is one file of an archive. Path has forward slashes and no leading "./".
type File struct {
	Path       string
	Executable bool
	Data       []byte
}

// Read calls each with every file of the archive in data, which is a zip file when name ends so and a gzipped tar file
// otherwise. It fails at the first entry that is neither a file nor a folder or whose path leaves the archive, when the
// files have more than limit bytes together, and when the archive is not whole. Folders are passed to folder when that is
// not nil.
func Read(name string, data []byte, limit int64, each func(File) error, folder func(path string) error) error {
	r := &reader{left: limit, limit: limit, each: each, folder: folder}
	read := r.tarGz
	if strings.HasSuffix(strings.ToLower(name), ".zip") {
		read = r.zip
	}
	if err := read(data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

type reader struct {
	left, limit int64
	each        func(File) error
	folder      func(string) error
}

func (r *reader) tarGz(data []byte) error {
	gz, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("not a gzip file: %w", err)
	}
	tr := tar.NewReader(gz)
	for {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not a whole tar file: %w", err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue // git writes the commit id into one
		}
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir {
			return fmt.Errorf("the entry %q is neither a file nor a folder", h.Name)
		}
		if err := r.entry(h.Name, h.FileInfo().Mode(), tr); err != nil {
			return err
		}
	}
}

func (r *reader) zip(data []byte) error {
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("not a whole zip file: %w", err)
	}
	for _, f := range zr.File {
		if mode := f.Mode(); !mode.IsRegular() && !mode.IsDir() {
			return fmt.Errorf("the entry %q is neither a file nor a folder", f.Name)
		}
		body, err := f.Open()
		if err != nil {
			return fmt.Errorf("the entry %q: %w", f.Name, err)
		}
		err = r.entry(f.Name, f.Mode(), body)
		if err = errors.Join(err, body.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) entry(name string, mode fs.FileMode, body io.Reader) error {
	path := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	if path == "" && mode.IsDir() {
		return nil
	}
	if strings.ContainsAny(name, `\:`) || !fs.ValidPath(path) {
		return fmt.Errorf("the entry %q does not stay inside the archive", name)
	}
	if mode.IsDir() {
		if r.folder == nil {
			return nil
		}
		return r.folder(path)
	}
	data, err := io.ReadAll(io.LimitReader(body, r.left+1))
	if err != nil {
		return fmt.Errorf("the entry %q: %w", name, err)
	}
	if r.left -= int64(len(data)); r.left < 0 {
		return fmt.Errorf("holds more than %d MB", r.limit>>20)
	}
	return r.each(File{Path: path, Executable: mode&0o111 != 0, Data: data})
}
