package e2e

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"aead.dev/minisign"
)

// feed is a release page on loopback with releases that are signed with a throw-away key.
type feed struct {
	t       *testing.T
	server  *httptest.Server
	key     minisign.PrivateKey
	public  minisign.PublicKey
	goos    string
	files   map[string][]byte // by file name
	tags    []string
	ca      string // file
	answers map[string]http.HandlerFunc
}

func newFeed(t *testing.T, goos string) *feed {
	t.Helper()
	f := &feed{t: t, goos: goos, files: map[string][]byte{}, answers: map[string]http.HandlerFunc{}}
	var err error
	if f.public, f.key, err = minisign.GenerateKey(rand.Reader); err != nil {
		t.Fatal(err)
	}
	f.server = httptest.NewTLSServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.server.Close)
	f.ca = filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: f.server.Certificate().Raw})
	if err := os.WriteFile(f.ca, block, 0o644); err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *feed) source() string { return f.server.URL + "/owner/viber" }

func (f *feed) serve(w http.ResponseWriter, r *http.Request) {
	if h := f.answers[r.URL.Path]; h != nil {
		h(w, r)
		return
	}
	if r.URL.Path == "/api/v3/repos/owner/viber/releases" {
		var list []string
		for _, tag := range f.tags {
			list = append(list, fmt.Sprintf(`{"tag_name":%q}`, tag))
		}
		fmt.Fprintf(w, "[%s]", strings.Join(list, ","))
		return
	}
	name := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
	data, ok := f.files[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(data)
}

// build makes viber as version, with the feed as its release source and the feed's key compiled in.
func (f *feed) build(version string) string {
	f.t.Helper()
	path := filepath.Join(f.t.TempDir(), "viber")
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs", "-ldflags", strings.Join([]string{
		"-s -w", "-X viber/internal/buildinfo.Version=" + version, "-X viber/internal/buildinfo.ReleaseSource=" + f.source(),
		`-X "viber/internal/buildinfo.SigningKeys=` + f.public.String() + `"`,
	}, " "), "-o", path, "viber")
	cmd.Env = append(os.Environ(), "GOOS="+f.goos, "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		f.t.Fatalf("build %s: %v\n%s", version, err, out)
	}
	return path
}

func (f *feed) archiveName(version string) string {
	if f.goos == "windows" {
		return "viber_" + version + "_windows_amd64.zip"
	}
	return "viber_" + version + "_" + f.goos + "_" + runtime.GOARCH + ".tar.gz"
}

// publish serves binary as release version, whole and signed.
func (f *feed) publish(version string, binary []byte) {
	f.t.Helper()
	name := f.archiveName(version)
	data := tarGz(f.t, "viber", binary)
	if f.goos == "windows" {
		data = zipped(f.t, "viber.exe", binary)
	}
	sum := sha256.Sum256(data)
	sums := "viber_" + version + "_checksums.txt"
	f.files[name] = data
	f.files[sums] = []byte(hex.EncodeToString(sum[:]) + "  " + name + "\n")
	for _, file := range []string{name, sums} {
		f.files[file+".minisig"] = f.sign(f.key, f.files[file], "viber "+version+" "+file)
	}
	f.tags = append(f.tags, "v"+version)
}

func (f *feed) sign(key minisign.PrivateKey, data []byte, comment string) []byte {
	r := minisign.NewReader(bytes.NewReader(data))
	if _, err := new(bytes.Buffer).ReadFrom(r); err != nil {
		f.t.Fatal(err)
	}
	return r.SignWithComments(key, comment, "release")
}

func tarGz(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	gz := gzip.NewWriter(&b)
	tw := tar.NewWriter(gz)
	if err := tw.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o755, Size: int64(len(data))}); err != nil {
		t.Fatal(err)
	}
	if _, err := tw.Write(data); err != nil {
		t.Fatal(err)
	}
	tw.Close()
	gz.Close()
	return b.Bytes()
}

func zipped(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	zw := zip.NewWriter(&b)
	w, err := zw.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	zw.Close()
	return b.Bytes()
}

// notShort skips a test that builds several binaries where only the quick ones are wanted (go test -short).
func notShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds several binaries; run without -short")
	}
}

// machine is a user's machine with a viber on it.
type machine struct {
	t        *testing.T
	dir, exe string
	env      []string
}

func newMachine(t *testing.T, f *feed, binary string) *machine {
	t.Helper()
	m := &machine{t: t, dir: t.TempDir()}
	for _, d := range []string{"home", "tmp", "project"} {
		if err := os.Mkdir(filepath.Join(m.dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	m.exe = filepath.Join(m.dir, "bin", "viber")
	if err := copyFile(binary, m.exe); err != nil {
		t.Fatal(err)
	}
	m.env = []string{"HOME=" + filepath.Join(m.dir, "home"), "PATH=/usr/bin:/bin", "TMPDIR=" + filepath.Join(m.dir, "tmp"),
		"SSL_CERT_FILE=" + f.ca, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + m.dir, "LC_ALL=C.UTF-8"}
	return m
}

func (m *machine) run(args ...string) (out string, code int) {
	m.t.Helper()
	cmd := exec.Command(m.exe, args...)
	cmd.Dir, cmd.Env = filepath.Join(m.dir, "project"), m.env
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

func (m *machine) want(code int, text string, args ...string) {
	m.t.Helper()
	out, got := m.run(args...)
	if got != code || !strings.Contains(out, text) {
		m.t.Errorf("viber %s: exit %d, want %d and %q:\n%s", strings.Join(args, " "), got, code, text, out)
	}
}

func (m *machine) version() string {
	m.t.Helper()
	out, _ := m.run("version")
	return strings.TrimSpace(strings.TrimPrefix(out, "viber "))
}

// TestUpgradeFromARelease plays a whole release on loopback: check, upgrade with plugin and settings, roll back, offline.
func TestUpgradeFromARelease(t *testing.T) {
	notShort(t)
	f := newFeed(t, runtime.GOOS)
	old, next := f.build("1.2.0"), f.build("1.3.0")
	m := newMachine(t, f, old)
	f.publish("1.2.0", []byte(read(t, old)))

	m.want(0, "is set up", "setup", "--yes")
	m.want(0, "viber 1.2.0 is the newest release", "upgrade", "--check")
	f.publish("1.3.0", []byte(read(t, next)))
	m.want(5, "viber 1.2.0 -> 1.3.0", "upgrade", "--check")
	m.want(2, "no terminal to ask on", "upgrade")
	m.want(0, "1.2.0 -> 1.3.0", "upgrade", "--dry-run")
	if m.version() != "1.2.0" {
		t.Fatal("a dry run replaced the binary")
	}
	m.want(3, "the plan is", "upgrade", "--confirm", "000000000000")
	m.want(0, "viber 1.3.0 is in place", "upgrade", "--yes")
	if m.version() != "1.3.0" {
		t.Fatalf("version %s after the upgrade", m.version())
	}
	folder, err := os.Readlink(filepath.Join(m.dir, "home", ".claude", "skills", "viber"))
	if err != nil || filepath.Base(folder) != "1.3.0" {
		t.Errorf("plugin folder %q, %v", folder, err)
	}
	m.want(0, "nothing to do", "setup", "--yes")
	m.want(0, "is the newest release", "upgrade", "--yes")
	m.want(0, "newer than 1.2.0; add --force", "upgrade", "--version", "~1.2", "--yes")

	m.want(0, "1.3.0 -> 1.2.0", "upgrade", "--rollback", "--yes")
	if m.version() != "1.2.0" {
		t.Fatalf("version %s after the rollback", m.version())
	}
	offline := t.TempDir()
	for name, data := range f.files {
		if err := os.WriteFile(filepath.Join(offline, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f.server.Close()
	m.want(1, "not reachable", "upgrade", "--yes")
	m.want(0, "viber 1.3.0 is in place", "upgrade", "--from", filepath.Join(offline, f.archiveName("1.3.0")), "--yes")
	entries, _ := os.ReadDir(filepath.Dir(m.exe))
	if len(entries) != 1 {
		t.Errorf("left beside the binary: %v", entries)
	}
}

// TestUpgradeRefusesATamperedRelease changes each part of a release in turn; the old binary stays.
func TestUpgradeRefusesATamperedRelease(t *testing.T) {
	notShort(t)
	f := newFeed(t, runtime.GOOS)
	old, next := f.build("1.2.0"), f.build("1.3.0")
	good := []byte(read(t, next))
	_, stranger, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	archive, sums := f.archiveName("1.3.0"), "viber_1.3.0_checksums.txt"
	tests := map[string]struct {
		tamper func()
		want   string
	}{
		"a bit of the archive":      {func() { f.files[archive][len(f.files[archive])/2] ^= 1 }, "sha256 is"},
		"a truncated archive":       {func() { f.files[archive] = f.files[archive][:1000] }, "sha256 is"},
		"swapped checksum":          {func() { f.files[sums] = bytes.Replace(f.files[sums], []byte("a"), []byte("b"), 1) }, "the signature does not fit"},
		"wrong key":                 {func() { f.files[sums+".minisig"] = f.sign(stranger, f.files[sums], "viber 1.3.0 "+sums) }, "none of this build's"},
		"no signature":              {func() { delete(f.files, archive+".minisig") }, "404"},
		"no checksums":              {func() { delete(f.files, sums) }, "404"},
		"signature of a downgrade":  {func() { f.files[archive+".minisig"] = f.sign(f.key, f.files[archive], "viber 1.1.0 "+archive) }, "signed as"},
		"signature of another file": {func() { f.files[archive+".minisig"] = f.sign(f.key, f.files[archive], "viber 1.3.0 other.tar.gz") }, "signed as"},
		"another version inside":    {func() { f.publish("1.3.0", []byte(read(t, old))) }, `calls itself "1.2.0"`},
		"not a program":             {func() { f.publish("1.3.0", []byte("#!/bin/sh\nexit 0\n")) }, "the new viber"},
		"a zip slip":                {func() { f.publishArchive("1.3.0", tarGz(t, "../viber", good)) }, "does not stay inside"},
		"a bomb":                    {func() { f.publishArchive("1.3.0", tarGz(t, "viber", make([]byte, 70<<20))) }, "more than 64 MB"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f.tags = nil
			f.publish("1.3.0", good)
			tt.tamper()
			m := newMachine(t, f, old)
			out, code := m.run("upgrade", "--yes")
			if code == 0 || !strings.Contains(out, tt.want) || m.version() != "1.2.0" {
				t.Errorf("exit %d, version %s, want %q:\n%s", code, m.version(), tt.want, out)
			}
			if entries, _ := os.ReadDir(filepath.Dir(m.exe)); len(entries) != 1 {
				t.Errorf("left beside the binary: %v", entries)
			}
		})
	}
}

// publishArchive serves any bytes as the archive of version, signed.
func (f *feed) publishArchive(version string, data []byte) {
	name, sums := f.archiveName(version), "viber_"+version+"_checksums.txt"
	sum := sha256.Sum256(data)
	f.files[name], f.files[sums] = data, []byte(hex.EncodeToString(sum[:])+"  "+name+"\n")
	for _, file := range []string{name, sums} {
		f.files[file+".minisig"] = f.sign(f.key, f.files[file], "viber "+version+" "+file)
	}
}
