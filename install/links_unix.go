//go:build unix

package install

import (
	"errors"
	"syscall"
)

// linksImpossible reports whether err says that the file system has no symbolic links.
func linksImpossible(err error) bool {
	return errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EOPNOTSUPP) || errors.Is(err, syscall.ENOSYS)
}
