package upgrade

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

// Program returns the program inside a release archive: the one file viber (viber.exe). An archive that holds anything a
// release does not hold - links, paths that leave it, other files, a second program, more bytes than a release has - is
// refused whole.
func Program(name string, archive []byte, goos string) ([]byte, error) {
	u := &unpacker{want: "viber", left: archiveLimit}
	if goos == "windows" {
		u.want = "viber.exe"
	}
	read := u.tarGz
	if strings.HasSuffix(name, ".zip") {
		read = u.zip
	}
	if err := read(archive); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if u.program == nil {
		return nil, fmt.Errorf("%s: holds no %s", name, u.want)
	}
	return u.program, nil
}

type unpacker struct {
	want    string
	left    int64
	program []byte
}

func (u *unpacker) tarGz(archive []byte) error {
	gz, err := gzip.NewReader(bytes.NewReader(archive))
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
		if h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeDir {
			return fmt.Errorf("the entry %q is neither a file nor a folder", h.Name)
		}
		if err := u.entry(h.Name, h.Typeflag == tar.TypeDir, tr); err != nil {
			return err
		}
	}
}

func (u *unpacker) zip(archive []byte) error {
	zr, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return fmt.Errorf("not a whole zip file: %w", err)
	}
	for _, f := range zr.File {
		mode := f.Mode()
		if !mode.IsRegular() && !mode.IsDir() {
			return fmt.Errorf("the entry %q is neither a file nor a folder", f.Name)
		}
		r, err := f.Open()
		if err != nil {
			return fmt.Errorf("the entry %q: %w", f.Name, err)
		}
		err = u.entry(f.Name, mode.IsDir(), r)
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) entry(name string, dir bool, r io.Reader) error {
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	if strings.ContainsAny(name, `\:`) || !fs.ValidPath(clean) {
		return fmt.Errorf("the entry %q does not stay inside the archive", name)
	}
	if !u.expected(clean, dir) {
		return fmt.Errorf("the entry %q is not part of a release", name)
	}
	if dir {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(r, u.left+1))
	if err != nil {
		return fmt.Errorf("the entry %q: %w", name, err)
	}
	if u.left -= int64(len(data)); u.left < 0 {
		return fmt.Errorf("holds more than %d MB", archiveLimit>>20)
	}
	if clean != u.want {
		return nil
	}
	if u.program != nil {
		return fmt.Errorf("holds %s twice", u.want)
	}
	u.program = data
	return nil
}

func (u *unpacker) expected(clean string, dir bool) bool {
	if dir {
		return clean == "." || clean == "completions" || clean == "man"
	}
	switch parent := path.Dir(clean); parent {
	case ".":
		return clean == u.want || clean == "LICENSE"
	default:
		return parent == "completions" || parent == "man"
	}
}
