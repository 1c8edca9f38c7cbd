//go:build unix

package gitx

import (
	"os"
	"syscall"
)

// askToEnd asks a process to end in good order.
func askToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
