package review

import (
	"errors"
	"io"
	"time"
)

// followPause is how long a follower waits for more of its file.
const followPause = time.Millisecond

// follower reads a file that is still being written; its end comes after written was closed.
type follower struct {
	file    io.Reader
	written <-chan struct{}
}

func (f *follower) Read(p []byte) (int, error) {
	for {
		whole := f.isWhole()
		n, err := f.file.Read(p)
		if whole || !errors.Is(err, io.EOF) {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		select {
		case <-f.written:
		case <-time.After(followPause):
		}
	}
}

func (f *follower) isWhole() bool {
	select {
	case <-f.written:
		return true
	default:
		return false
	}
}
