//go:build unix

package install

// runningCannotGo reports whether the system refuses to remove a running executable.
func runningCannotGo() bool { return false }
