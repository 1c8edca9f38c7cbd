package upgrade

import (
	"fmt"
	"path"

	"viber/internal/archive"
)

// Program returns the program inside a release archive: the one file viber (viber.exe). An archive that holds anything a
// release does not hold - links, paths that leave it, other files, a second program, more bytes than a release has - is
// refused whole.
func Program(name string, data []byte, goos string) ([]byte, error) {
	want := "viber"
	if goos == "windows" {
		want = "viber.exe"
	}
	var program []byte
	file := func(f archive.File) error {
		if !expected(f.Path, want) {
			return fmt.Errorf("the entry %q is not part of a release", f.Path)
		}
		if f.Path != want {
			return nil
		}
		if program != nil {
			return fmt.Errorf("holds %s twice", want)
		}
		program = f.Data
		return nil
	}
	folder := func(p string) error {
		if p != "completions" && p != "man" {
			return fmt.Errorf("the folder %q is not part of a release", p)
		}
		return nil
	}
	if err := archive.Read(name, data, archiveLimit, file, folder); err != nil {
		return nil, err
	}
	if program == nil {
		return nil, fmt.Errorf("%s: holds no %s", name, want)
	}
	return program, nil
}

func expected(p, program string) bool {
	switch path.Dir(p) {
	case ".":
		return p == program || p == "LICENSE"
	case "completions", "man":
		return true
	}
	return false
}
