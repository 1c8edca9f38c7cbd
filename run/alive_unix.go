//go:build !windows

package run

import (
	"errors"
	"syscall"
)

// alive says whether a process with this id runs, of whatever user.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
