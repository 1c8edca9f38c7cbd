//go:build unix

package fsx

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

func hardLinks(_ string, info fs.FileInfo) int {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Nlink)
	}
	return 1
}

func checkReadOnly(string, fs.FileInfo) error { return nil } // a rename does not ask the file's own mode

// checkOwner refuses a file whose owner or group this process cannot give to the new file.
func checkOwner(path string, info fs.FileInfo) error {
	st, ok := info.Sys().(*syscall.Stat_t)
	uid := os.Geteuid()
	if !ok || uid == 0 {
		return nil
	}
	if int(st.Uid) != uid {
		return fmt.Errorf("%s: belongs to user %d, not to you (%d); give it back with: sudo chown %d %q", path, st.Uid, uid, uid, path)
	}
	return nil
}

// isStore reports whether nobody writes in dir: no write bit at all (root could still write there, but a tool owns it).
func isStore(dir string, info fs.FileInfo) bool {
	return info.Mode().Perm()&0o222 == 0 || strings.HasPrefix(dir, "/nix/store/")
}

func mayWrite(dir string) bool { return unix.Access(dir, unix.W_OK|unix.X_OK) == nil }

// OwnedByOther reports whether the file or directory at path belongs to another account than this process runs as.
func OwnedByOther(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) != os.Geteuid()
}

// openIt is the command that gives an account access to its own file or directory.
func openIt(path string) string { return fmt.Sprintf("chmod u+rwX %q", path) }
