//go:build unix

package gitx

import (
	"os"
	"strconv"
	"syscall"
)

// foreign reports whether path belongs to another account than this process's, or than the one that called sudo.
func foreign(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(st.Uid) == os.Geteuid() {
		return false
	}
	caller, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	return err != nil || os.Geteuid() != 0 || int(st.Uid) != caller
}
