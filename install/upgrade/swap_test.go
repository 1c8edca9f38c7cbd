package upgrade

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/internal/fsx"
)

func swapIn(t *testing.T, goos string, step func(op, path string) error) (Swap, string) {
	t.Helper()
	dir := t.TempDir()
	s := Swap{Door: fsx.Door{Step: step}, Target: filepath.Join(dir, "viber"), Keep: filepath.Join(dir, "state", "previous"), GOOS: goos}
	next := filepath.Join(dir, "viber.next-1")
	for path, text := range map[string]string{s.Target: "old", next: "new"} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return s, next
}

func content(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return "(none)"
	}
	return string(data)
}

func TestSwapKeepsTheOldBinaryForARollback(t *testing.T) {
	for _, goos := range []string{"linux", "windows"} {
		s, next := swapIn(t, goos, nil)
		before, _ := os.Stat(s.Target)
		if err := s.Do(next); err != nil {
			t.Fatal(err)
		}
		after, _ := os.Stat(s.Target)
		if os.SameFile(before, after) {
			t.Errorf("%s: the old inode was overwritten", goos)
		}
		if content(s.Target) != "new" || content(s.Keep) != "old" {
			t.Errorf("%s: target %q, kept %q", goos, content(s.Target), content(s.Keep))
		}
		for range 2 { // a second rollback undoes the first
			want, keep := content(s.Keep), content(s.Target)
			if err := s.Rollback(); err != nil {
				t.Fatal(err)
			}
			if content(s.Target) != want || content(s.Keep) != keep {
				t.Errorf("%s: after rollback: target %q, kept %q", goos, content(s.Target), content(s.Keep))
			}
		}
		entries, _ := os.ReadDir(filepath.Dir(s.Target))
		if len(entries) != 2 { // the target and the state folder
			t.Errorf("%s: left behind: %v", goos, entries)
		}
	}
}

func TestSwapFailingAtAnyStepLeavesAWorkingBinary(t *testing.T) {
	for _, goos := range []string{"linux", "windows"} {
		for n := 1; ; n++ {
			count, failed := 0, false
			s, next := swapIn(t, goos, func(op, _ string) error {
				if count++; count == n {
					failed = true
					return errors.New("no space left on device: " + op)
				}
				return nil
			})
			err := s.Do(next)
			if !failed {
				break
			}
			if got := content(s.Target); got != "old" && got != "new" || err == nil && got != "new" {
				t.Errorf("%s, step %d: target %q, error %v", goos, n, got, err)
			}
		}
	}
}

func TestRollbackWithoutAnEarlierBinarySaysSo(t *testing.T) {
	s, _ := swapIn(t, "linux", nil)
	if err := s.Rollback(); err == nil || !strings.Contains(err.Error(), "no earlier viber") || content(s.Target) != "old" {
		t.Errorf("%v, target %q", err, content(s.Target))
	}
}

// On Windows a kill between the two renames leaves no program; the plugin's copy puts it back.
func TestMendPutsBackWhatAKilledSwapMovedAside(t *testing.T) {
	for n := 1; ; n++ {
		count := 0
		s, next := swapIn(t, "windows", func(string, string) error {
			if count++; count == n {
				panic("killed")
			}
			return nil
		})
		killed := func() (killed bool) {
			defer func() { killed = recover() != nil }()
			if err := s.Do(next); err != nil {
				t.Fatal(err)
			}
			return false
		}()
		s.Door.Step = nil
		missing := content(s.Target) == "(none)"
		if mended := s.Mend(); mended != missing {
			t.Errorf("step %d: missing %v, mended %v", n, missing, mended)
		}
		s.Sweep()
		if got := content(s.Target); got != "old" && got != "new" || got == "new" && content(s.Keep) != "old" {
			t.Errorf("step %d: target %q, kept %q", n, got, content(s.Keep))
		}
		if !killed {
			return
		}
	}
}
