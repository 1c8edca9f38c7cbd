//go:build unix

package run

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// folder reads files below one directory; with hundreds of runs the system calls are what a listing costs.
type folder struct{ fd int }

func openFolder(path string) (folder, error) {
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	return folder{fd}, err
}

func (f folder) close() { _ = unix.Close(f.fd) }

// read returns the text of a regular file and when it was changed; ok is false for anything else.
func (f folder) read(name string) (text string, touched time.Time, ok bool) {
	var fd int
	err := again(func() (err error) {
		fd, err = unix.Openat(f.fd, name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return "", time.Time{}, false
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := again(func() error { return unix.Fstat(fd, &st) }); err != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return "", time.Time{}, false
	}
	buf := make([]byte, st.Size)
	n := 0
	for n < len(buf) {
		var m int
		err := again(func() (err error) { m, err = unix.Read(fd, buf[n:]); return err })
		if err != nil {
			return "", time.Time{}, false
		}
		if m == 0 {
			break
		}
		n += m
	}
	return string(buf[:n]), time.Unix(st.Mtim.Unix()), true
}

// again repeats a call that a signal interrupted.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
