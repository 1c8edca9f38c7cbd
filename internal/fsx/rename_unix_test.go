//go:build unix

package fsx

import (
	"io/fs"
	"testing"
)

// A group that cannot be kept is given up only where it gives nobody anything and takes nothing from anybody.
func TestGroupIsLikeOthers(t *testing.T) {
	t.Parallel()
	for mode, want := range map[fs.FileMode]bool{0o644: true, 0o600: true, 0o666: true, 0o640: false, 0o664: false, 0o604: false} {
		if groupIsLikeOthers(mode) != want {
			t.Errorf("%o: %v", mode, !want)
		}
	}
}
