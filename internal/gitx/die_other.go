//go:build !linux

package gitx

import "os/exec"

// dieWithUs does nothing here: no call of the system ties a child to this program. Whoever starts a long one notes its
// process (Git.Started).
func dieWithUs(*exec.Cmd) (release func()) { return func() {} }
