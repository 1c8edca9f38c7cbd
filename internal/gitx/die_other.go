//go:build !linux

package gitx

import "os/exec"

// ChildrenDieWithUs reports whether a git of AsUser ends when this program is killed.
const ChildrenDieWithUs = false

// dieWithUs does nothing here: no call of the system ties a child to this program. Whoever starts a long one notes its
// process (Git.Started).
func dieWithUs(*exec.Cmd) (release func()) { return func() {} }
