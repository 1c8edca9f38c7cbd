package gitx

import (
	"os/exec"
	"runtime"
	"syscall"
)

// ChildrenDieWithUs reports whether a git of AsUser ends when this program is killed.
const ChildrenDieWithUs = true

// dieWithUs makes the child end when this program is killed; git then removes the locks it holds. The kernel ties the child
// to the thread that starts it, so that thread is kept until release.
func dieWithUs(cmd *exec.Cmd) (release func()) {
	runtime.LockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	return runtime.UnlockOSThread
}
