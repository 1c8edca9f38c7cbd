//go:build unix

package fsx

import "os"

func makeDirLink(target, link string) error  { return os.Symlink(target, link) }
func makeFileLink(target, link string) error { return os.Symlink(target, link) }
func renameLink(from, to string) error       { return os.Rename(from, to) }
