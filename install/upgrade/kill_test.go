//go:build unix

package upgrade

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"aead.dev/minisign"

	"viber/install"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// bench is a small world with a program in bin/ and signed releases in releases/. The programs are scripts that answer
// what an upgrade asks of a viber.
type bench struct {
	dir string
	out *bytes.Buffer
}

func (b bench) path(parts ...string) string {
	return filepath.Join(append([]string{b.dir}, parts...)...)
}

const script = `#!/bin/sh
case $1 in
version) echo '{"version":"VERSION"}' ;;
hook) echo '{"hookSpecificOutput":{"permissionDecision":"deny"}}' ;;
upgrade)
	case "$*" in
	*--confirm*) echo 'VERSION' >"$0.rest" ;;
	*--json*) echo '{"id":"abc","actions":[{}]}' ;;
	*) echo 'plugin folder VERSION' ;;
	esac ;;
esac
`

func viber(version string) string { return strings.ReplaceAll(script, "VERSION", version) }

func newBench(t *testing.T, dir string, versions ...string) bench {
	t.Helper()
	b := bench{dir: dir, out: new(bytes.Buffer)}
	for _, d := range []string{"bin", "home", "releases"} {
		if err := os.MkdirAll(b.path(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	b.write(t, b.path("bin", "viber"), viber("1.2.0"))
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b.write(t, b.path("key.pub"), public.String())
	for _, version := range versions {
		name, sums := Name(version, runtime.GOOS, runtime.GOARCH), ChecksumsName(version)
		archive := tarGz(t, entry{name: "viber", body: viber(version)})
		sum := sha256.Sum256(archive)
		for file, data := range map[string][]byte{name: archive, sums: []byte(hex.EncodeToString(sum[:]) + "  " + name + "\n")} {
			r := minisign.NewReader(bytes.NewReader(data))
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Fatal(err)
			}
			b.write(t, b.path("releases", file), string(data))
			b.write(t, b.path("releases", file+".minisig"), string(r.SignWithComments(private, "viber "+version+" "+file, "release")))
		}
	}
	return b
}

func (b bench) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// at is the version of the program in place; empty when it is no whole one.
func (b bench) at() string {
	text := content(b.path("bin", "viber"))
	for _, version := range []string{"1.2.0", "1.3.0", "1.4.0"} {
		if text == viber(version) {
			return version
		}
	}
	return ""
}

func (b bench) archive(version string) string {
	return b.path("releases", Name(version, runtime.GOOS, runtime.GOARCH))
}

// upgrade runs `viber upgrade` with --from ARCHIVE, or --rollback where from is empty.
func (b bench) upgrade(from string, step func(op, path string) error) error {
	return b.upgradeAs(b.path("bin", "viber"), from, step)
}

// upgradeAs is upgrade run by the executable exe.
func (b bench) upgradeAs(exe, from string, step func(op, path string) error) error {
	vars := map[string]string{"HOME": b.path("home"), "PATH": "/usr/bin:/bin"}
	keys, err := os.ReadFile(b.path("key.pub"))
	if err != nil {
		return err
	}
	return Run(context.Background(), Options{
		Env: install.Env{
			Streams: term.Streams{In: strings.NewReader(""), Out: b.out, Err: b.out},
			Getenv:  func(name string) string { return vars[name] }, Environ: []string{"HOME=" + b.path("home"), "PATH=/usr/bin:/bin"},
			Dir: b.path("home"), Exe: exe, Version: cmp.Or(b.at(), "1.2.0"), Now: time.Now, Files: fsx.Door{Step: step},
		},
		Consent: install.Consent{Yes: true}, Dir: b.path("home"), Keys: string(keys), From: from, Rollback: from == "",
	})
}

// check wants the program to be of that version, the one before it kept, and nothing left over.
func (b bench) check(t *testing.T, when, version, kept string) {
	t.Helper()
	if got := b.at(); got != version {
		t.Fatalf("%s: version %q in place, want %s\n%s", when, got, version, b.out)
	}
	if got := content(b.path("home", ".local", "state", "viber", "previous", "viber")); got != viber(kept) {
		t.Fatalf("%s: not %s is kept but\n%s", when, kept, got)
	}
	for _, dir := range []string{b.path("bin"), b.path("home", ".local", "state", "viber", "previous")} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "viber" && e.Name() != "viber.rest" {
				t.Fatalf("%s: %s is left over", when, filepath.Join(dir, e.Name()))
			}
		}
	}
}

// again runs the upgrade once more, as the user would after a failure, and wants its end.
func (b bench) again(t *testing.T, when, from, version, kept string) {
	t.Helper()
	if b.at() == "" {
		t.Fatalf("%s: no whole program in place:\n%s", when, content(b.path("bin", "viber")))
	}
	if from == "" && b.at() == version {
		from = b.archive(version) // a rollback that is through would go back again; this only sweeps
	}
	if err := b.upgrade(from, nil); err != nil && exit.Code(err) != exit.OK {
		t.Fatalf("%s: again: %v\n%s", when, err, b.out)
	}
	b.check(t, when, version, kept)
}

// upgrades are the two ways to exchange the program: to a release, and back.
func upgrades() map[string]struct{ first, from, version, kept string } {
	return map[string]struct{ first, from, version, kept string }{
		"upgrade":  {"1.3.0", "1.4.0", "1.4.0", "1.3.0"},
		"rollback": {"1.3.0", "", "1.2.0", "1.3.0"},
	}
}

// prepare is the world after an upgrade from 1.2.0 to first.
func (b bench) prepare(t *testing.T, first string) {
	t.Helper()
	kept := b.path("home", ".local", "state", "viber", "previous", "viber")
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		t.Fatal(err)
	}
	b.write(t, kept, viber("1.2.0"))
	b.write(t, b.path("bin", "viber"), viber(first))
}

// stride is from one tested step to the next: every one of them, with -short a sample.
func stride() int {
	if testing.Short() {
		return 5
	}
	return 1
}

// fastDir is a temporary directory in memory where programs can be run there: these tests sync thousands of files.
func fastDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "viber-upgrade-") //nolint:usetesting // t.TempDir cannot be told to be in memory
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	probe := filepath.Join(dir, "probe")
	if os.WriteFile(probe, []byte("#!/bin/sh\n"), 0o755) != nil || exec.Command(probe).Run() != nil {
		return t.TempDir()
	}
	return dir
}

func (b bench) from(version string) string {
	if version == "" {
		return ""
	}
	return b.archive(version)
}

func TestAFailureAtEveryStepLeavesAWorkingViber(t *testing.T) {
	t.Parallel()
	errnos := []error{syscall.ENOSPC, syscall.EACCES, syscall.EXDEV, syscall.EIO}
	for name, u := range upgrades() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n += stride() {
				b := newBench(t, fastDir(t), "1.3.0", "1.4.0")
				b.prepare(t, u.first)
				failed, left := "", n
				err := b.upgrade(b.from(u.from), func(op, path string) error {
					if left--; left != 0 {
						return nil
					}
					failed = op + " " + path
					return errnos[n%len(errnos)]
				})
				if failed == "" {
					b.check(t, "no failure", u.version, u.kept)
					t.Logf("%d steps", n-1)
					return
				}
				if code := exit.Code(err); code == exit.OK && b.at() != u.version {
					t.Fatalf("%s failed, and nobody said so", failed)
				}
				b.again(t, failed, b.from(u.from), u.version, u.kept)
			}
		})
	}
}

func TestAKillAtEveryStepLeavesAWorkingViber(t *testing.T) {
	t.Parallel()
	for name, u := range upgrades() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n += stride() {
				b := newBench(t, fastDir(t), "1.3.0", "1.4.0")
				b.prepare(t, u.first)
				cmd := exec.Command(os.Args[0], "-test.run=^TestUpgradeChild$")
				cmd.Env = append(os.Environ(), fmt.Sprintf("UPGRADE_TEST_KILL=%d:%s:%s", n, u.from, b.dir))
				out, err := cmd.CombinedOutput()
				var ended *exec.ExitError
				if err != nil && (!errors.As(err, &ended) || ended.ExitCode() != -1) {
					t.Fatalf("step %d: %v\n%s", n, err, out)
				}
				if err == nil {
					b.check(t, "not killed", u.version, u.kept)
					t.Logf("%d steps", n-1)
					return
				}
				b.again(t, fmt.Sprint("killed at step ", n), b.from(u.from), u.version, u.kept)
			}
		})
	}
}

// TestUpgradeChild is the child of the kill tests.
func TestUpgradeChild(t *testing.T) {
	number, rest, ok := strings.Cut(os.Getenv("UPGRADE_TEST_KILL"), ":")
	if !ok {
		return
	}
	from, dir, _ := strings.Cut(rest, ":")
	var left int
	if _, err := fmt.Sscan(number, &left); err != nil {
		t.Fatal(err)
	}
	b := bench{dir: dir, out: new(bytes.Buffer)}
	err := b.upgrade(b.from(from), func(string, string) error {
		if left--; left == 0 {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
		return nil
	})
	if exit.Code(err) != exit.OK {
		t.Fatalf("%v\n%s", err, b.out)
	}
}

// A download that is killed half way leaves nothing that the next upgrade does not sweep.
func TestAKillDuringTheDownloadLeavesAWorkingViber(t *testing.T) {
	t.Parallel()
	b := newBench(t, fastDir(t), "1.3.0", "1.4.0")
	b.prepare(t, "1.3.0")
	half := make(chan struct{})
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := os.ReadFile(b.path("releases", filepath.Base(r.URL.Path)))
		if err != nil || !strings.HasSuffix(r.URL.Path, ".tar.gz") {
			_, _ = w.Write(data)
			return
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		_, _ = w.Write(data[:len(data)/2])
		w.(http.Flusher).Flush()
		close(half)
		<-r.Context().Done()
	}))
	defer server.Close()
	b.write(t, b.path("ca.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})))
	address := server.URL + "/" + Name("1.4.0", runtime.GOOS, runtime.GOARCH)
	cmd := exec.Command(os.Args[0], "-test.run=^TestDownloadChild$")
	cmd.Env = append(os.Environ(), "UPGRADE_TEST_FETCH="+address+" "+b.dir, "SSL_CERT_FILE="+b.path("ca.pem"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-half
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if left, _ := filepath.Glob(b.path("bin", "viber.next-*")); len(left) != 1 {
		t.Errorf("the download was not beside the program: %v", left)
	}
	b.again(t, "killed while downloading", b.archive("1.4.0"), "1.4.0", "1.3.0")
}

// TestDownloadChild is the child that is killed while it downloads.
func TestDownloadChild(t *testing.T) {
	address, dir, ok := strings.Cut(os.Getenv("UPGRADE_TEST_FETCH"), " ")
	if !ok {
		return
	}
	t.Fatal(bench{dir: dir, out: new(bytes.Buffer)}.upgrade(address, nil))
}

// Two upgrades at once: the second is told, and changes nothing.
func TestTheSecondOfTwoUpgradesIsTold(t *testing.T) {
	t.Parallel()
	b := newBench(t, fastDir(t), "1.3.0", "1.4.0")
	b.prepare(t, "1.3.0")
	second := false
	err := b.upgrade(b.archive("1.4.0"), func(op, path string) error {
		if !second && strings.Contains(path, nextMark) {
			second = true
			other := bench{dir: b.dir, out: new(bytes.Buffer)}
			if err := other.upgrade("", nil); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "another viber holds this lock") {
				t.Errorf("the second upgrade: %v", err)
			}
		}
		return nil
	})
	if exit.Code(err) != exit.OK || !second {
		t.Fatal(err)
	}
	b.check(t, "the first upgrade", "1.4.0", "1.3.0")
}
