package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWindowsUpgrade replaces a viber that is running, twice, rolls back, and refuses a changed archive. A running program
// can be renamed there but not replaced.
func TestWindowsUpgrade(t *testing.T) {
	w := startWine(t)
	f := newFeed(t, "windows")
	for _, version := range []string{"1.3.0", "1.4.0"} {
		f.publish(version, []byte(read(t, f.build(version))))
	}
	if err := os.Remove(w.exe); err != nil {
		t.Fatal(err)
	}
	if err := copyFile(f.build("1.2.0"), w.exe); err != nil {
		t.Fatal(err)
	}
	for name, data := range f.files {
		if err := os.WriteFile(filepath.Join(w.drive, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.must("", "setup", "--yes")

	running := exec.Command(w.command, w.exe, "hook", "PreToolUse")
	stdin, err := running.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		stdin.Close()
		_ = running.Wait()
	}()
	for _, version := range []string{"1.3.0", "1.4.0"} {
		out := w.must("", "upgrade", "--from", w.path(f.archiveName(version)), "--yes")
		if !strings.Contains(out, "viber "+version+" is in place") {
			t.Errorf("%s: %s", version, out)
		}
		if got := strings.TrimSpace(w.must("", "version")); got != "viber "+version {
			t.Errorf("after the upgrade to %s: %s", version, got)
		}
	}
	w.must("", "upgrade", "--rollback", "--yes")
	if got := strings.TrimSpace(w.must("", "version")); got != "viber 1.3.0" {
		t.Errorf("after the rollback: %s", got)
	}
	archive := filepath.Join(w.drive, f.archiveName("1.4.0"))
	data := []byte(read(t, archive))
	data[len(data)/2] ^= 1
	if err := os.WriteFile(archive, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, stderr, code := w.viber("", "upgrade", "--from", w.path(f.archiveName("1.4.0")), "--yes"); code != 3 || !strings.Contains(stderr, "sha256 is") {
		t.Errorf("a changed archive: exit %d, %s", code, stderr)
	}

	// A kill between the two renames of an upgrade leaves no viber.exe; the plugin's own copy puts it back and upgrades it,
	// not itself.
	data[len(data)/2] ^= 1
	if err := os.WriteFile(archive, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(w.exe, w.exe+".old-0123456789ab"); err != nil {
		t.Fatal(err)
	}
	plugins := filepath.Join("profile", "AppData", "Local", "viber", "plugin")
	versions, err := os.ReadDir(filepath.Join(w.drive, plugins))
	if err != nil || len(versions) == 0 {
		t.Fatalf("no plugin folder: %v, %v", versions, err)
	}
	plugin := w.path("profile", "AppData", "Local", "viber", "plugin", versions[0].Name(), "bin", "viber.exe")
	out, stderr, code := w.program(plugin, "", "upgrade", "--from", w.path(f.archiveName("1.4.0")), "--yes")
	if code != 0 || !strings.Contains(out, "it is back") || !strings.Contains(out, "viber 1.4.0 is in place") {
		t.Errorf("the plugin's copy: exit %d, %s%s", code, out, stderr)
	}
	if got := strings.TrimSpace(w.must("", "version")); got != "viber 1.4.0" {
		t.Errorf("after the plugin's copy mended and upgraded it: %s", got)
	}
}
