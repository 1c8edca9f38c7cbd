package commit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viber/internal/fsx"
)

// TestInterruptedAtEveryStep interrupts a call before each of its git processes and file operations: it has then either
// done nothing at all, or everything.
func TestInterruptedAtEveryStep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scene func(w world)
		line  []string
	}{
		"task": {func(w world) {
			w.write("other.txt", "mine\n")
			w.git("add", "other.txt")
			w.write("lib/store.py", "1\n")
		}, []string{"commit-task", planPath, "T1"}},
		"archive": {func(w world) {
			w.write(runDir+"/status.md", strings.Replace(fresh, "done: none", "done: T1 T2", 1))
			w.write(runDir+"/spec.md", "spec\n")
			w.commitAll("done")
		}, []string{"archive-run", runDir}},
		"commit": {func(w world) { w.write("lib/store.py", "1\n") }, []string{"commit", "a message", "lib/store.py"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			scene := withRun(t)
			c.scene(scene)
			golden := scene.copied(t)
			golden.must(c.line...)
			for n, last := 1, false; !last; n++ {
				w := scene.copied(t)
				before := result(w)
				s, reached := interrupted(w, n, c.line)
				last = !reached
				want := before
				if s.code == 0 {
					want = result(golden)
				} else if reached && !strings.Contains(s.err, "interrupted") {
					t.Errorf("interrupted before step %d, it says %q", n, s.err)
				}
				if got := result(w); got != want {
					t.Fatalf("interrupted before step %d, code %d:\n%s\nwant:\n%s", n, s.code, got, want)
				}
				noLeftovers(w)
			}
		})
	}
}

// interrupted runs a command whose context ends before its n-th step; reached says that there was one.
func interrupted(w world, n int, line []string) (s said, reached bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	steps := 0
	s = callUntil(ctx, w, fsx.Door{Step: func(string, string) error {
		if steps++; steps == n {
			cancel()
		}
		return nil
	}}, nil, line...)
	return s, steps >= n
}

// A hook of the user is running when the call is interrupted: nothing is committed, status.md and the index are as before.
func TestInterruptedInAHook(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "1\n")
	reached := w.path("reached")
	hook := "#!/bin/sh\n: > '" + filepath.ToSlash(reached) + "'\nexec sleep 60\n"
	if err := os.WriteFile(w.path(".git/hooks/pre-commit"), []byte(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	before := result(w)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(reached); err == nil {
				break
			}
		}
		cancel()
	}()
	s := callUntil(ctx, w, fsx.Door{}, nil, "commit-task", planPath, "T1")
	if s.code != 5 || !strings.Contains(s.err, "interrupted") {
		t.Errorf("code %d: %s", s.code, s.err)
	}
	if err := os.Remove(reached); err != nil {
		t.Error(err)
	}
	if got := result(w); got != before {
		t.Errorf("%s\nwant:\n%s", got, before)
	}
	noLeftovers(w)
}

// A call that waits for another one stops waiting when it is interrupted.
func TestInterruptedWhileItWaits(t *testing.T) {
	t.Parallel()
	w := withRun(t)
	w.write("lib/store.py", "1\n")
	unlock, err := fsx.Lock(w.path(".git/viber/commit.lock"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	started := time.Now()
	s := callUntil(ctx, w, fsx.Door{}, nil, "commit-task", planPath, "T1")
	if s.code != 5 || time.Since(started) > 20*time.Second {
		t.Errorf("code %d after %s: %s", s.code, time.Since(started), s.err)
	}
}
