package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// lab is a small world of its own: a home with settings, a project, a program.
type lab struct {
	dir     string
	env     Env
	out     *bytes.Buffer
	project string
}

const labSettings = "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"mine\"}]}]}\n}"

func newLab(t *testing.T, dir string) *lab {
	t.Helper()
	l := &lab{dir: dir, project: filepath.Join(dir, "project"), out: new(bytes.Buffer)}
	for name, text := range map[string]string{
		"home/.claude/settings.json": labSettings,
		"project/.gitignore":         "dist/",
		"program/viber":              "#!/bin/sh\n",
		// No permission rules: editing in 70 of them a thousand times would be most of these tests' time.
		"managed/managed-settings.json": `{"allowManagedPermissionRulesOnly": true}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		// An hour old: a file written a moment ago gets a second look, which takes its time.
		hourAgo := time.Now().Add(-time.Hour)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o755), os.Chtimes(path, hourAgo, hourAgo)); err != nil {
			t.Fatal(err)
		}
	}
	l.env = labEnv(dir, l.out)
	return l
}

// fastDir is a temporary directory in memory where the system has one: these tests sync thousands of files.
func fastDir(t *testing.T) string {
	t.Helper()
	info, err := os.Stat("/dev/shm")
	if err != nil || !info.IsDir() {
		return t.TempDir()
	}
	dir, err := os.MkdirTemp("/dev/shm", "viber-install-") //nolint:usetesting // t.TempDir cannot be told to be in memory
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func labEnv(dir string, out *bytes.Buffer) Env {
	vars := map[string]string{"HOME": filepath.Join(dir, "home"), "USERPROFILE": filepath.Join(dir, "home"), "LOCALAPPDATA": filepath.Join(dir, "home", "local"), "TMPDIR": filepath.Join(dir, "tmp"), "TEMP": filepath.Join(dir, "tmp")}
	clock := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return Env{
		Streams: term.Streams{In: strings.NewReader(""), Out: out, Err: out},
		Getenv:  func(name string) string { return vars[name] },
		Dir:     filepath.Join(dir, "project"), Exe: filepath.Join(dir, "program", "viber"), Version: "1.0.0",
		Now:        func() time.Time { clock = clock.Add(time.Millisecond); return clock },
		ManagedDir: filepath.Join(dir, "managed"),
		Plugin:     smallPlugin(),
	}
}

func (l *lab) setup() error {
	return Setup(SetupOptions{Env: l.env, Consent: Consent{Yes: true}, Wanted: Wanted{Scope: ScopeUser}, Dir: l.project})
}

func (l *lab) uninstall() error {
	return Uninstall(UninstallOptions{Env: l.env, Consent: Consent{Yes: true}, Dir: l.project, Purge: true})
}

func (l *lab) undo() error {
	return Undo(UndoOptions{Env: l.env, Consent: Consent{Yes: true}, Dir: l.project})
}

// tree is what a user sees of the world: every file, link and its content, without viber's journal.
func (l *lab) tree(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(l.dir, path)
		rel = filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if strings.HasSuffix(rel, "viber/journal") {
				return filepath.SkipDir
			}
		case strings.HasSuffix(rel, "viber/lock"), strings.HasSuffix(rel, "viber/key"):
		case d.Type()&fs.ModeSymlink != 0:
			all[rel], err = os.Readlink(path)
			all[rel] = strings.ReplaceAll(all[rel], l.dir, "")
		default:
			data, readErr := os.ReadFile(path)
			all[rel], err = strings.ReplaceAll(string(data), l.dir, ""), readErr
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func difference(a, b map[string]string) string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if other, ok := b[key]; !ok {
			lines = append(lines, "only before: "+key)
		} else if other != a[key] {
			lines = append(lines, "differs: "+key+"\n"+a[key]+"\n---\n"+other)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[key]; !ok {
			lines = append(lines, "only after: "+key)
		}
	}
	return strings.Join(lines, "\n")
}

// stride is from one tested operation to the next: every one of them, with -short a sample.
func stride() int {
	if testing.Short() {
		return 9
	}
	return 1
}

// stages are the commands whose every operation is failed and killed, and how to come to the world before them.
func stages() map[string]struct{ prepare, do func(*lab) error } {
	nothing := func(*lab) error { return nil }
	return map[string]struct{ prepare, do func(*lab) error }{
		"setup":     {nothing, (*lab).setup},
		"uninstall": {(*lab).setup, (*lab).uninstall},
	}
}

// A full disk, a refusal, a file system border or a broken disk at any operation leaves the world of before: what was
// done is taken back, and the same command works afterwards.
func TestAFailureAtEveryOperationIsTakenBack(t *testing.T) {
	t.Parallel()
	errnos := []error{syscall.ENOSPC, syscall.EACCES, syscall.EXDEV, syscall.EIO}
	for name, stage := range stages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n += stride() {
				l := newLab(t, fastDir(t))
				if err := stage.prepare(l); err != nil {
					t.Fatal(err)
				}
				before := l.tree(t)
				failed, left := "", n
				l.env.Files.Step = func(op, path string) error {
					if left--; left != 0 {
						return nil
					}
					failed = op + " " + path
					return errnos[n%len(errnos)]
				}
				err := stage.do(l)
				l.env.Files.Step = nil
				if failed == "" {
					if err != nil {
						t.Fatal(err)
					}
					t.Logf("%d operations", n-1)
					return
				}
				checkAfterFailure(t, l, before, failed, err)
				if err := stage.do(l); err != nil {
					t.Fatalf("%s: again: %v", failed, err)
				}
			}
		})
	}
}

// checkAfterFailure wants the world of before, or, where the failure came after the last change, the world of after.
func checkAfterFailure(t *testing.T, l *lab, before map[string]string, failed string, err error) {
	t.Helper()
	after := l.tree(t)
	if strings.HasPrefix(failed, "removeall") && strings.HasSuffix(failed, oldSuffix) {
		return // the folder is out of its place already; what is left of it goes with the next command
	}
	if err == nil {
		t.Fatalf("%s failed and nobody said so", failed)
	}
	if diff := difference(before, after); diff != "" && !strings.Contains(failed, "journal") {
		t.Fatalf("%s failed (%v) and was not taken back:\n%s", failed, err, diff)
	}
}

// kill -9 at any operation leaves old or new files, never half ones; the next command says so, and undo takes it back.
func TestAKillAtEveryOperationIsRecovered(t *testing.T) {
	t.Parallel()
	if os.Getenv("INSTALL_TEST_KILL") != "" {
		t.Skip("this is the child")
	}
	for name, stage := range stages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := newLab(t, fastDir(t))
			if err := stage.prepare(whole); err != nil {
				t.Fatal(err)
			}
			before := whole.tree(t)
			if err := stage.do(whole); err != nil {
				t.Fatal(err)
			}
			after := whole.tree(t)
			for n := 1; ; n += stride() {
				l := newLab(t, fastDir(t))
				if err := stage.prepare(l); err != nil {
					t.Fatal(err)
				}
				if !killedAt(t, l, name, n) {
					t.Logf("%d operations", n-1)
					return
				}
				checkOldOrNew(t, l, n, before, after)
				recoverAfterKill(t, l, n, before, after, stage.do)
			}
		})
	}
}

// killedAt runs the command in a child that kills itself at its n-th operation; false when it ended before.
func killedAt(t *testing.T, l *lab, command string, n int) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKillChild$")
	cmd.Env = append(os.Environ(), fmt.Sprintf("INSTALL_TEST_KILL=%s:%d:%s", command, n, l.dir))
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != -1) {
		t.Fatalf("operation %d: %v", n, err)
	}
	return err != nil
}

// TestKillChild is the child of the kill tests.
func TestKillChild(t *testing.T) {
	command, rest, ok := strings.Cut(os.Getenv("INSTALL_TEST_KILL"), ":")
	if !ok {
		return
	}
	number, dir, _ := strings.Cut(rest, ":")
	var left int
	if _, err := fmt.Sscan(number, &left); err != nil {
		t.Fatal(err)
	}
	l := &lab{dir: dir, project: filepath.Join(dir, "project"), out: new(bytes.Buffer)}
	l.env = labEnv(dir, l.out)
	l.env.Files = fsx.Door{Step: func(string, string) error {
		if left--; left == 0 {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		return nil
	}}
	if err := stages()[command].do(l); err != nil {
		t.Fatal(err)
	}
}

func checkOldOrNew(t *testing.T, l *lab, n int, before, after map[string]string) {
	t.Helper()
	now := l.tree(t)
	for _, path := range []string{"home/.claude/settings.json", "project/.gitignore", "project/.claude/viber.yml", "home/.local/state/viber/record.json"} {
		if now[path] != before[path] && now[path] != after[path] {
			t.Fatalf("operation %d: %s is neither old nor new:\n%s", n, path, now[path])
		}
	}
}

// recoverAfterKill plays the user's next steps: the command again, and where it refuses, undo and the command again.
func recoverAfterKill(t *testing.T, l *lab, n int, before, after map[string]string, do func(*lab) error) {
	t.Helper()
	err := do(l)
	if err != nil {
		if exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "run 'viber undo'") {
			t.Fatalf("operation %d: %v", n, err)
		}
		if err := l.undo(); err != nil {
			t.Fatalf("operation %d: undo: %v", n, err)
		}
		if diff := difference(before, l.tree(t)); diff != "" {
			t.Fatalf("operation %d: undo left\n%s", n, diff)
		}
		if err := do(l); err != nil {
			t.Fatalf("operation %d: after undo: %v", n, err)
		}
	}
	if diff := difference(after, l.tree(t)); diff != "" {
		t.Fatalf("operation %d: the end differs\n%s", n, diff)
	}
}
