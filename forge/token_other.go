//go:build !linux

package forge

// there reports whether the system has a credential store.
func (systemKeys) there() bool { return true }
