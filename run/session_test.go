package run

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"viber/internal/fsx"
)

func TestANewerSessionTakesTheRunOver(t *testing.T) {
	t.Parallel()
	root, now := t.TempDir(), time.Unix(1, 0)
	claim := func(key, id string) {
		t.Helper()
		if err := Claim(fsx.Door{}, root, key, id, now); err != nil {
			t.Fatal(err)
		}
	}
	owns := func(id, want string) {
		t.Helper()
		key, ok := Owned(root, id)
		if !ok {
			key = ""
		}
		if key != want {
			t.Errorf("%s owns %q, want %q", id, key, want)
		}
	}
	owns("one", "")
	claim("2026_a", "one")
	owns("one", "2026_a")
	claim("2026_a", "two")
	owns("one", "")
	owns("two", "2026_a")
	claim("2026_b", "two")
	owns("two", "2026_b")
	claim("2026_a", "one")
	owns("one", "2026_a")
	claim("../x", "one")
	claim("2026_c", "")
	owns("one", "2026_a")
	owns("", "")
	claim("2026_d", "../../escape")
	owns("../../escape", "2026_d")
	if entries, _ := os.ReadDir(filepath.Join(root, ".temp", "viber", "sessions")); len(entries) != 3 {
		t.Errorf("%v", entries)
	}
}
