package fsx

import "os"

// TempDir makes a new directory for throw-away files below the system's directory for them, for this account alone, and
// returns it with the function that removes it and everything in it.
func TempDir(name string) (dir string, remove func(), err error) {
	dir, err = os.MkdirTemp("", name+"-*")
	if err != nil {
		return "", nil, err
	}
	return dir, func() { _ = os.RemoveAll(dir) }, nil
}
