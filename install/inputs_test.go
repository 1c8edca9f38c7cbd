package install

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// bed is one user's throw-away world: a home with a viber and a project in it.
type bed struct {
	env      Env
	settings string // path of the user's settings
	project  string
}

func newBed(t *testing.T) bed {
	t.Helper()
	home := t.TempDir()
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	b := bed{settings: filepath.Join(home, ".claude", "settings.json"), project: filepath.Join(home, "work", "shop")}
	exe := filepath.Join(home, "bin", executableName("viber"))
	for _, dir := range []string{filepath.Dir(b.settings), b.project, filepath.Dir(exe)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, exe, "#!/bin/sh\n", 0o755)
	vars := map[string]string{"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": filepath.Join(home, "local")}
	b.env = Env{
		Streams: term.Streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}},
		Getenv:  func(name string) string { return vars[name] }, Dir: b.project, Exe: exe, Version: "1.0.0", Now: time.Now,
		ManagedDir: filepath.Join(home, "managed"),
	}
	return b
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (b bed) setup() error {
	return Setup(SetupOptions{Env: b.env, Consent: Consent{Yes: true}, Wanted: Wanted{Scope: ScopeUser, NoPlugin: true}, Dir: b.project})
}

func (b bed) uninstall() error {
	return Uninstall(UninstallOptions{Env: b.env, Consent: Consent{Yes: true}, Dir: b.project})
}

// hooks counts viber's entries in the settings, and fails when the client could not read them.
func (b bed) hooks(t *testing.T) int {
	t.Helper()
	file, _, err := Client{}.Read(b.settings, []byte(read(t, b.settings)))
	if err != nil {
		t.Fatal(err)
	}
	w := &World{Env: b.env, Binary: Binary{Path: b.env.Exe, Exe: b.env.Exe}, Record: &Record{}}
	return len(w.ownHandlers(file))
}

// settingsInput is one file of the editor's own table.
type settingsInput struct{ Name, Text, Refused, Ignored string }

func settingsInputs(t *testing.T) []settingsInput {
	t.Helper()
	var list []settingsInput
	if err := json.Unmarshal([]byte(read(t, filepath.Join("settings", "testdata", "inputs.json"))), &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// variants crosses a text with LF and CRLF, with and without byte order mark.
func variants(text string) map[string]string {
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	return map[string]string{"lf": text, "crlf": crlf, "bom": "\ufeff" + text, "bom crlf": "\ufeff" + crlf}
}

// TestSetupKeepsEverySettingsFile sets up over each input: refused with everything untouched, or set up, again without a
// change, and taken back to the bytes of before.
func TestSetupKeepsEverySettingsFile(t *testing.T) {
	t.Parallel()
	for _, in := range settingsInputs(t) {
		for variant, text := range variants(in.Text) {
			t.Run(in.Name+"/"+variant, func(t *testing.T) {
				t.Parallel()
				b := newBed(t)
				write(t, b.settings, text, 0o600)
				if refused := in.Refused + in.Ignored; refused != "" {
					b.wantRefused(t, refused)
					return
				}
				b.wantRoundTrip(t)
			})
		}
	}
}

func (b bed) wantRefused(t *testing.T, want string) {
	t.Helper()
	before := read(t, b.settings)
	err := b.setup()
	if exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), b.settings) {
		t.Fatalf("got %v, want a refusal of %s with %q", err, b.settings, want)
	}
	if read(t, b.settings) != before {
		t.Fatal("the refused file was changed")
	}
	for _, path := range []string{filepath.Join(b.project, ".gitignore"), filepath.Join(b.project, ".claude")} {
		if _, err := os.Lstat(path); err == nil {
			t.Fatalf("%s was written beside a refusal", path)
		}
	}
}

func (b bed) wantRoundTrip(t *testing.T) {
	t.Helper()
	before := read(t, b.settings)
	if err := b.setup(); err != nil {
		t.Fatal(err)
	}
	wired := read(t, b.settings)
	entries, err := (&World{Env: b.env, Binary: Binary{Path: b.env.Exe}}).hookEntries(ScopeUser)
	if err != nil || b.hooks(t) != len(entries) {
		t.Fatalf("%d entries of ours, want %d (%v):\n%s", b.hooks(t), len(entries), err, wired)
	}
	if err := b.setup(); err != nil || read(t, b.settings) != wired {
		t.Fatalf("the second setup changed the file (%v)", err)
	}
	if err := b.uninstall(); err != nil {
		t.Fatal(err)
	}
	if hadOurs := strings.Contains(before, "/viber hook") || strings.Contains(before, "/viber\""); !hadOurs && read(t, b.settings) != before {
		t.Fatalf("taken back:\n%q\nwant:\n%q", read(t, b.settings), before)
	}
	if b.hooks(t) != 0 {
		t.Fatal("entries of ours are left")
	}
}

const plainSettings = "{\n  \"model\": \"opus\"\n}\n"

func TestSetupKeepsMode(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o640, 0o444, 0o600} {
		b := newBed(t)
		write(t, b.settings, plainSettings, mode)
		b.wantRoundTrip(t)
		if info, err := os.Stat(b.settings); err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %v, want %v (%v)", info.Mode(), mode, err)
		}
	}
}

func TestSetupWritesThroughLinks(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	dots := filepath.Join(filepath.Dir(b.project), "dots")
	middle := filepath.Join(dots, "link.json")
	target := filepath.Join(dots, "real.json")
	if err := os.Mkdir(dots, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, target, plainSettings, 0o600)
	link(t, "real.json", middle)
	link(t, middle, b.settings)
	b.wantRoundTrip(t)
	for _, path := range []string{middle, b.settings} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more (%v)", path, err)
		}
	}
	if read(t, target) != plainSettings {
		t.Errorf("target: %s", read(t, target))
	}
}

func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Symlink(to, path); err != nil {
		t.Fatal(err)
	}
}

func TestSetupWritesThroughADanglingLink(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	target := filepath.Join(filepath.Dir(b.settings), "later.json")
	link(t, target, b.settings)
	if err := b.setup(); err != nil {
		t.Fatal(err)
	}
	if b.hooks(t) == 0 || !strings.Contains(read(t, target), "hook") {
		t.Error("the link's target was not written")
	}
	other := newBed(t)
	link(t, filepath.Join(other.project, "no", "such", "dir", "x.json"), other.settings)
	if err := other.setup(); exit.Code(err) != exit.Refused {
		t.Errorf("a link whose folder is missing: got %v", err)
	}
}

func TestSetupRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	if err := os.Mkdir(b.settings, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := b.setup(); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), b.settings) {
		t.Errorf("a directory: got %v", err)
	}
}

// TestSetupRefusesAnUnreadableFile: the super user reads every file, so for it the file is set up like any other.
func TestSetupRefusesAnUnreadableFile(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	write(t, b.settings, plainSettings, 0)
	_, readErr := fsx.Read(b.settings)
	err := b.setup()
	if readErr != nil && exit.Code(err) != exit.Refused || readErr == nil && err != nil {
		t.Fatalf("got %v after %v", err, readErr)
	}
	if readErr == nil {
		return
	}
	if err := os.Chmod(b.settings, 0o600); err != nil {
		t.Fatal(err)
	}
	if read(t, b.settings) != plainSettings {
		t.Error("the unreadable file was replaced")
	}
}
