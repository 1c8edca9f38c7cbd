package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// account is a home and a project of one account of the system, and the program to run as it.
type account struct {
	*testing.T
	dir  string
	uid  uint32
	more []string // environment
}

// nobody is the account tests fall to when they run as root, for whom nothing is closed.
const nobody = 65534

// normalUser is a world of an account that is not root: this one, or nobody.
func normalUser(t *testing.T) account {
	t.Helper()
	a := account{T: t, uid: uint32(os.Getuid())}
	if a.uid == 0 {
		a.uid = nobody
	}
	return a.laid()
}

// laid makes the folders and the program, all of them the account's own.
func (a account) laid() account {
	a.Helper()
	dir, err := os.MkdirTemp("", "viber-account-")
	if err != nil {
		a.Fatal(err)
	}
	a.Cleanup(func() { _ = os.RemoveAll(dir) })
	a.dir = dir
	for _, name := range []string{"home", "project", "bin"} {
		if err := os.Mkdir(a.path(name), 0o755); err != nil {
			a.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		a.Fatal(err)
	}
	if err := os.Link(self, a.path("bin/viber")); err != nil {
		copyProgram(a.T, self, a.path("bin/viber"))
	}
	if os.Getuid() == 0 {
		for _, name := range []string{"", "home", "project", "bin"} {
			if err := errors.Join(os.Chmod(a.path(name), 0o755), os.Chown(a.path(name), int(a.uid), int(a.uid))); err != nil {
				a.Fatal(err)
			}
		}
	}
	return a
}

func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		t.Fatal(err)
	}
}

func (a account) path(name string) string { return filepath.Join(a.dir, name) }

// viber runs the program as uid and returns its exit code and all it said.
func (a account) viber(uid uint32, args ...string) (code int, said string) {
	a.Helper()
	cmd := exec.Command(a.path("bin/viber"), args...)
	cmd.Dir = a.path("project")
	cmd.Env = append([]string{"HOME=" + a.path("home"), "PATH=/usr/bin:/bin", "TZ=UTC", "LC_ALL=C.UTF-8", "TMPDIR=" + a.dir}, a.more...)
	if uid != uint32(os.Getuid()) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		a.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

func (a account) chmod(name string, mode os.FileMode) {
	a.Helper()
	if err := os.Chmod(a.path(name), mode); err != nil {
		a.Fatal(err)
	}
}

// A settings file, a state folder or a configuration folder closed to the account: one error that names it and the way
// out, and nothing changed.
func TestWhatIsClosedToTheAccount(t *testing.T) {
	t.Parallel()
	a := normalUser(t)
	if code, said := a.viber(a.uid, "setup", "--yes"); code != 0 {
		t.Fatalf("setup: %d\n%s", code, said)
	}
	for name, c := range map[string]struct {
		mode os.FileMode
		line []string
	}{
		"home/.claude/settings.json":                   {0, []string{"setup", "--yes"}},
		"home/.claude":                                 {0, []string{"setup", "--yes"}},
		"home/.local/state/viber":                      {0, []string{"setup", "--yes"}},
		"home/.local/state":                            {0, []string{"status"}},
		"home/.local/state/viber/record.json":          {0, []string{"uninstall", "--yes"}},
		"home/.local/state/viber/../viber/record.json": {0, []string{"doctor"}},
	} {
		settings := readAs(t, a.path("home/.claude/settings.json"))
		info, err := os.Stat(a.path(name))
		if err != nil {
			t.Fatal(err)
		}
		a.chmod(name, c.mode)
		code, said := a.viber(a.uid, c.line...)
		a.chmod(name, info.Mode().Perm())
		if code != 3 || !strings.Contains(said, "permission denied; open it to yourself: chmod u+rwX \""+filepath.Clean(a.path(name))+"\"") {
			t.Errorf("%s closed, %s: %d\n%s", name, c.line, code, said)
		}
		if now := readAs(t, a.path("home/.claude/settings.json")); now != settings {
			t.Errorf("%s closed, %s: settings.json changed", name, c.line)
		}
	}
	a.chmod("home/.claude", 0o500)
	if code, said := a.viber(a.uid, "uninstall", "--yes"); code != 3 || !strings.Contains(said, "its directory is read-only") {
		t.Errorf("a folder that cannot be written: %d\n%s", code, said)
	}
	a.chmod("home/.claude", 0o700)
	if code, said := a.viber(a.uid, "uninstall", "--yes"); code != 0 {
		t.Errorf("uninstall: %d\n%s", code, said)
	}
}

func readAs(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// With sudo the home may still be the person's: what root wrote there the person could not change any more, so nothing is
// written. A configuration that root owns already is not touched by the person's own run either.
func TestSudoInAHomeOfSomebodyElse(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Log("only root can play sudo")
		return
	}
	a := normalUser(t)
	a.more = []string{"SUDO_USER=somebody", "SUDO_UID=65534"}
	for _, line := range [][]string{{"setup", "--yes"}, {"uninstall", "--yes"}, {"setup", "--dry-run"}} {
		code, said := a.viber(0, line...)
		if code != 3 || !strings.Contains(said, "run it as somebody, without sudo") {
			t.Errorf("%s with sudo: %d\n%s", line, code, said)
		}
	}
	if entries, err := os.ReadDir(a.path("home")); err != nil || len(entries) != 0 {
		t.Errorf("the home holds %v, %v", entries, err)
	}
	a.more = nil
	if err := os.Mkdir(a.path("home/.claude"), 0o755); err != nil {
		t.Fatal(err)
	}
	if code, said := a.viber(a.uid, "setup", "--yes"); code != 3 || !strings.Contains(said, "belongs to another account") {
		t.Errorf("a configuration that root owns: %d\n%s", code, said)
	}
	if err := os.Chown(a.path("home/.claude"), int(a.uid), int(a.uid)); err != nil {
		t.Fatal(err)
	}
	if code, said := a.viber(a.uid, "setup", "--yes"); code != 0 {
		t.Errorf("taken back: %d\n%s", code, said)
	}
}
