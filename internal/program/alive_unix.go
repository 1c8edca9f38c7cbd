//go:build unix

package program

import (
	"errors"
	"syscall"
)

// Alive reports whether a process of that id runs.
func Alive(pid int) bool {
	if pid <= 0 {
		return false
	}
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
