//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is the most memory the ended process held at once, in MiB.
func peakMemory(p *os.ProcessState) (mib float64, known bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / (1 << 20), true // bytes there
	}
	return float64(usage.Maxrss) / (1 << 10), true
}
