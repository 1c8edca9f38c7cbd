package e2e

import (
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"aead.dev/minisign"

	"viber/install/upgrade"
)

// scriptFeed is a release page with one release whose program is a script.
func scriptFeed(t *testing.T) *feed {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for linux and macOS")
	}
	f := newFeed(t, runtime.GOOS)
	f.publish("1.3.0", []byte("#!/bin/sh\necho viber 1.3.0\n"))
	f.answers["/owner/viber/releases/latest"] = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/owner/viber/releases/tag/v1.3.0", http.StatusFound)
	}
	f.answers["/owner/viber/releases/tag/v1.3.0"] = func(http.ResponseWriter, *http.Request) {}
	return f
}

// newcomer runs install.sh with the programs named in tools and the basic ones on PATH, and nothing else.
type newcomer struct {
	t         *testing.T
	home, bin string
	feed      *feed
}

func newNewcomer(t *testing.T, f *feed, tools ...string) newcomer {
	t.Helper()
	n := newcomer{t: t, home: filepath.Join(t.TempDir(), "a b"), bin: t.TempDir(), feed: f}
	if err := os.Mkdir(n.home, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tool := range append(tools, "sh", "uname", "sed", "tail", "grep", "mktemp", "rm", "mkdir", "tar", "gzip", "cp", "chmod", "mv", "sha256sum", "shasum", "env") {
		if path, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(path, filepath.Join(n.bin, tool)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return n
}

func (n newcomer) target() string { return filepath.Join(n.home, ".local", "bin", "viber") }

func (n newcomer) install(env ...string) (string, error) {
	n.t.Helper()
	cmd := exec.Command(filepath.Join(n.bin, "sh"), filepath.Join("..", "install", "install.sh"))
	cmd.Env = append([]string{"HOME=" + n.home, "PATH=" + n.bin, "CURL_CA_BUNDLE=" + n.feed.ca, "VIBER_SOURCE=" + n.feed.source(), "VIBER_KEYS=RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3 " + n.feed.public.String()}, env...)
	if wgetrc := filepath.Join(n.home, ".wgetrc"); os.WriteFile(wgetrc, []byte("ca_certificate = "+n.feed.ca+"\n"), 0o644) != nil {
		n.t.Fatal(wgetrc)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (n newcomer) refused(want string, env ...string) {
	n.t.Helper()
	out, err := n.install(env...)
	if err == nil || !strings.Contains(out, want) {
		n.t.Errorf("%v, want %q:\n%s", err, want, out)
	}
	if entries, _ := os.ReadDir(filepath.Dir(n.target())); len(entries) > 0 {
		n.t.Errorf("installed all the same: %v", entries)
	}
}

func needs(t *testing.T, tool string) string {
	t.Helper()
	if _, err := exec.LookPath(tool); err != nil {
		t.Skip("no " + tool)
	}
	return tool
}

// TestInstallScript runs install.sh as a newcomer would, against a release page on loopback.
func TestInstallScript(t *testing.T) {
	for _, downloader := range []string{"curl", "wget"} {
		t.Run(downloader, func(t *testing.T) {
			n := newNewcomer(t, scriptFeed(t), needs(t, downloader))
			out, err := n.install()
			for _, want := range []string{"viber 1.3.0 is in " + n.target() + " (sha256 checked)", "install minisign", "is not on your PATH", "run viber setup"} {
				if err != nil || !strings.Contains(out, want) {
					t.Fatalf("%v, want %q:\n%s", err, want, out)
				}
			}
			if got, err := exec.Command(n.target()).Output(); err != nil || string(got) != "viber 1.3.0\n" {
				t.Errorf("%q, %v", got, err)
			}
			other := t.TempDir()
			if err := copyFile(n.target(), filepath.Join(other, "viber")); err != nil {
				t.Fatal(err)
			}
			if out, err := n.install("VIBER_VERSION=v1.3.0", "PATH="+other+":"+n.bin); err != nil || !strings.Contains(out, "another viber comes first on your PATH: "+other) {
				t.Errorf("%v\n%s", err, out)
			}
			if out, err := n.install("PATH=" + filepath.Dir(n.target()) + "/:" + n.bin); err != nil || strings.Contains(out, "PATH") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// TestInstallScriptRefuses changes each thing the script relies on in turn.
func TestInstallScriptRefuses(t *testing.T) {
	f := scriptFeed(t)
	archive := f.archiveName("1.3.0")
	n := newNewcomer(t, f, needs(t, "curl"))
	good := f.files[archive]
	f.files[archive] = append([]byte(nil), good...)
	f.files[archive][100] ^= 1
	n.refused("which the release does not list; nothing was installed")
	f.files[archive] = good
	n.refused("cannot be downloaded", "VIBER_VERSION=9.9.9")
	n.refused("not a version", "VIBER_VERSION=1.2/../../x")
	n.refused("names no release page", "VIBER_SOURCE=http://example.com/o/viber")
	n.refused("not reachable", "VIBER_SOURCE=https://127.0.0.1:1/o/viber")
	f.answers["/owner/viber/releases/latest"] = func(http.ResponseWriter, *http.Request) {}
	n.refused("has no release yet")
	f.publish("1.4.0", []byte("#!/bin/sh\nexit 1\n"))
	n.refused("does not start here", "VIBER_VERSION=1.4.0")
	bare := newNewcomer(t, f)
	bare.refused("curl or wget is needed", "VIBER_VERSION=1.3.0")
	if err := os.WriteFile(filepath.Join(bare.bin, "wget"), []byte("#!/bin/sh\necho 'Usage: wget [-q] URL'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	bare.refused("install curl or GNU wget", "VIBER_VERSION=1.3.0")
}

// minisignProgram is the real minisign where it is installed, else the one of the Go library.
func minisignProgram(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("minisign"); err == nil {
		return path
	}
	path := filepath.Join(t.TempDir(), "minisign")
	if out, err := exec.Command("go", "build", "-o", path, "aead.dev/minisign/cmd/minisign").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestInstallScriptChecksTheSignature runs it where minisign is installed.
func TestInstallScriptChecksTheSignature(t *testing.T) {
	f := scriptFeed(t)
	n := newNewcomer(t, f, needs(t, "curl"))
	if err := os.Symlink(minisignProgram(t), filepath.Join(n.bin, "minisign")); err != nil {
		t.Fatal(err)
	}
	archive, sums := f.archiveName("1.3.0"), "viber_1.3.0_checksums.txt"
	_, stranger, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(key minisign.PrivateKey, file, comment string) {
		f.files[file+".minisig"] = f.sign(key, f.files[file], comment)
	}
	good := func() {
		sign(f.key, archive, "viber 1.3.0 "+archive)
		sign(f.key, sums, "viber 1.3.0 "+sums)
	}
	sign(stranger, archive, "viber 1.3.0 "+archive)
	n.refused(archive + ": its signature does not hold")
	good()
	sign(stranger, sums, "viber 1.3.0 "+sums)
	n.refused(sums + ": its signature does not hold")
	good()
	sign(f.key, archive, "viber 1.2.0 "+archive)
	n.refused("its signature is for another file")
	f.files[archive+".minisig"] = append(f.files[archive+".minisig"], "\ntrusted comment: viber 1.3.0 "+archive+"\n"...)
	n.refused("its signature is for another file")
	good()
	delete(f.files, sums+".minisig")
	n.refused(sums + ".minisig: cannot be downloaded")
	good()
	if out, err := n.install(); err != nil || !strings.Contains(out, "(sha256 and signature checked)") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := n.install("VIBER_KEYS="); err != nil || !strings.Contains(out, "names no signing key") {
		t.Errorf("without a key: %v\n%s", err, out)
	}
}

// TestInstallPowerShellScript reads install.ps1, which needs a Windows to run: plain ASCII (PowerShell 5.1 reads a script
// without a mark in the system's code page), brackets in pairs, every function of its own that it calls is there, and it
// asks for the names a release has.
func TestInstallPowerShellScript(t *testing.T) {
	text := read(t, filepath.Join("..", "install", "install.ps1"))
	var open []rune
	pairs := map[rune]rune{')': '(', '}': '{', ']': '['}
	for number, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		for _, r := range line {
			switch {
			case r > 126:
				t.Errorf("line %d: %q is not ASCII", number+1, r)
			case strings.ContainsRune("({[", r):
				open = append(open, r)
			case pairs[r] != 0 && (len(open) == 0 || open[len(open)-1] != pairs[r]):
				t.Fatalf("line %d: %c closes nothing", number+1, r)
			case pairs[r] != 0:
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) > 0 {
		t.Errorf("not closed: %q", string(open))
	}
	for _, name := range regexp.MustCompile(`[A-Z][a-z]+-Viber[A-Za-z]*`).FindAllString(text, -1) {
		if strings.Count(text, "function "+name+" ")+strings.Count(text, "function "+name+"(") != 1 {
			t.Errorf("%s is not one function", name)
		}
	}
	name := strings.NewReplacer("1.2.3", "${version}", "amd64", "$arch").Replace(upgrade.Name("1.2.3", "windows", "amd64"))
	for _, want := range []string{`"` + name + `"`, `"` + strings.Replace(upgrade.ChecksumsName("1.2.3"), "1.2.3", "${version}", 1) + `"`, "'@SOURCE@'", "'@KEYS@'", "releases/download/v$version"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("%s stands there %d times", want, strings.Count(text, want))
		}
	}
}
