package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestInstallScript runs install.sh as a newcomer would, against a release page on loopback.
func TestInstallScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for linux and macOS")
	}
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl: install.sh needs it or wget")
	}
	f := newFeed(t, runtime.GOOS)
	program := []byte("#!/bin/sh\necho viber 1.3.0\n")
	f.publish("1.3.0", program)
	f.answers["/owner/viber/releases/latest"] = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/owner/viber/releases/tag/v1.3.0", http.StatusFound)
	}
	f.answers["/owner/viber/releases/tag/v1.3.0"] = func(http.ResponseWriter, *http.Request) {}
	home := t.TempDir()
	install := func(env ...string) (string, error) {
		cmd := exec.Command("sh", filepath.Join("..", "install", "install.sh"))
		cmd.Env = append([]string{"HOME=" + home, "PATH=/usr/bin:/bin", "CURL_CA_BUNDLE=" + f.ca, "VIBER_SOURCE=" + f.source()}, env...)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	out, err := install()
	target := filepath.Join(home, ".local", "bin", "viber")
	if err != nil || !strings.Contains(out, "viber 1.3.0 is in "+target) || !strings.Contains(out, "is not on your PATH") {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, err := exec.Command(target).Output(); err != nil || string(got) != "viber 1.3.0\n" {
		t.Errorf("%q, %v", got, err)
	}
	other := t.TempDir()
	if err := copyFile(target, filepath.Join(other, "viber")); err != nil {
		t.Fatal(err)
	}
	if out, err := install("VIBER_VERSION=1.3.0", "PATH="+other+":/usr/bin:/bin"); err != nil || !strings.Contains(out, "another viber comes first on your PATH: "+other) {
		t.Errorf("%v\n%s", err, out)
	}
	if err := os.Remove(target); err != nil {
		t.Fatal(err)
	}
	f.files[f.archiveName("1.3.0")][100] ^= 1
	if out, err := install(); err == nil || !strings.Contains(out, "which the release does not list; nothing was installed") {
		t.Errorf("a changed archive: %v\n%s", err, out)
	}
	if _, err := os.Stat(target); err == nil {
		t.Error("a changed archive was installed")
	}
	for want, env := range map[string]string{"cannot be downloaded": "VIBER_VERSION=9.9.9", "names no release page": "VIBER_SOURCE=http://127.0.0.1"} {
		if out, err := install(env); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: %v\n%s", env, err, out)
		}
	}
}
