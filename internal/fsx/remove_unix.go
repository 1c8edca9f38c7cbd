//go:build unix

package fsx

import "os"

func remove(path string) error { return os.Remove(path) }
