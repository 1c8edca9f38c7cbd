package fsx

import (
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

func hardLinks(path string, _ fs.FileInfo) int {
	f, err := os.Open(path)
	if err != nil {
		return 1
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info) != nil {
		return 1
	}
	return int(info.NumberOfLinks)
}

func checkReadOnly(path string, info fs.FileInfo) error {
	if info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s: is read-only; clear it with: attrib -R %q", path, path)
	}
	return nil
}

func checkOwner(string, fs.FileInfo) error { return nil }

func isStore(string, fs.FileInfo) bool { return false }

func mayWrite(string) bool { return true } // only the write itself can tell on Windows

// OwnedByOther reports false: on Windows the folder's access list decides.
func OwnedByOther(string) bool { return false }

// openIt is the command that gives an account access to its own file or directory.
func openIt(path string) string { return fmt.Sprintf("icacls %q /reset", path) }
