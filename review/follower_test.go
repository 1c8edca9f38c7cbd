package review

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"
	"time"
)

func TestFollowerReadsWhatIsStillWritten(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "patch"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	parts := [][]byte{[]byte("diff --git"), nil, bytes.Repeat([]byte("+line\n"), 40_000), []byte("x"), []byte("\nend")}
	written := make(chan struct{})
	go func() {
		defer close(written)
		for _, part := range parts {
			if _, err := f.Write(part); err != nil {
				t.Error(err)
			}
			time.Sleep(2 * followPause)
		}
	}()
	got, err := io.ReadAll(&follower{file: io.NewSectionReader(f, 0, 1<<40), written: written})
	if want := bytes.Join(parts, nil); err != nil || !bytes.Equal(got, want) {
		t.Errorf("read %d bytes (%v), want %d", len(got), err, len(want))
	}
}

func TestFollowerGivesTheFilesFault(t *testing.T) {
	_, err := (&follower{file: iotest.ErrReader(io.ErrClosedPipe), written: make(chan struct{})}).Read(make([]byte, 8))
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("says %v", err)
	}
}
