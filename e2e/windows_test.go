package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// wine is a Windows machine: the Windows build runs in it with a profile of its own.
type wine struct {
	t       *testing.T
	command string
	exe     string
	drive   string // the folder behind C:
}

// startWine returns a fresh Windows profile, or skips the test where VIBER_E2E_WINE does not name the runner.
func startWine(t *testing.T) wine {
	t.Helper()
	command := os.Getenv("VIBER_E2E_WINE")
	if command == "" {
		t.Skip("no Wine: set VIBER_E2E_WINE to the path of .ci/wine-go")
	}
	prefix := os.Getenv("WINEPREFIX")
	if prefix == "" {
		prefix = filepath.Join(os.TempDir(), "viber-wine")
	}
	w := wine{t: t, command: command, drive: filepath.Join(prefix, "drive_c")}
	if out, err := exec.Command(command, "cmd", "/c", "exit").CombinedOutput(); err != nil {
		t.Fatalf("start wine: %v\n%s", err, out)
	}
	dir, err := os.MkdirTemp(w.drive, "t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	w.drive = dir
	w.exe = filepath.Join(dir, "app", "viber.exe")
	if err := copyFile(buildViber(t, "windows"), w.exe); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"profile", "project"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// path returns the Windows spelling of a path below the test's folder.
func (w wine) path(parts ...string) string {
	return `C:\` + filepath.Base(w.drive) + `\` + strings.Join(parts, `\`)
}

// viber runs the Windows build in the project folder and returns its stdout, stderr and exit code. Wine sets the profile's
// variables itself, so the command interpreter of the profile sets ours once more; args must not need its quoting.
func (w wine) viber(stdin string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	return w.program(w.path("app", "viber.exe"), stdin, args...)
}

// program is viber by another path, in its Windows spelling.
func (w wine) program(path, stdin string, args ...string) (stdout, stderr string, code int) {
	w.t.Helper()
	line := "set USERPROFILE=" + w.path("profile") + "&& set APPDATA=" + w.path("profile", "AppData", "Roaming") +
		"&& set LOCALAPPDATA=" + w.path("profile", "AppData", "Local") + "&& " + path + " " + strings.Join(args, " ")
	cmd := exec.Command(w.command, "cmd", "/c", line)
	cmd.Dir = filepath.Join(w.drive, "project")
	cmd.Env = append(os.Environ(), "HOME=", "CI=", "CLAUDECODE=", "NO_COLOR=1")
	cmd.Stdin = strings.NewReader(stdin)
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	err := cmd.Run()
	if cmd.ProcessState == nil {
		w.t.Fatalf("viber %v: %v", args, err)
	}
	return out.String(), errb.String(), cmd.ProcessState.ExitCode()
}

// must runs the Windows build and fails the test when it does not end with 0.
func (w wine) must(stdin string, args ...string) string {
	w.t.Helper()
	stdout, stderr, code := w.viber(stdin, args...)
	if code != 0 {
		w.t.Fatalf("viber %s: exit %d\n%s%s", strings.Join(args, " "), code, stdout, stderr)
	}
	return stdout
}

func TestWindowsVersion(t *testing.T) {
	w := startWine(t)
	if got := strings.TrimSpace(w.must("", "version")); got != "viber 1.0.0" {
		t.Errorf("version: %q", got)
	}
}

// TestWindowsSetup sets a project up, calls a hook, and takes everything back: the settings keep every byte.
func TestWindowsSetup(t *testing.T) {
	w := startWine(t)
	settings := filepath.Join(w.drive, "profile", ".claude", "settings.json")
	before := "{\r\n\t\"model\": \"opus\",\r\n\t\"x\": 1.10\r\n}\r\n"
	if err := os.MkdirAll(filepath.Dir(settings), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings, []byte(before), 0o644); err != nil {
		t.Fatal(err)
	}
	w.must("", "setup", "--yes")
	after := read(t, settings)
	for _, want := range []string{`viber.exe"`, `"hook"`, `\\`, "\r\n", "1.10"} {
		if !strings.Contains(after, want) {
			t.Errorf("settings lack %q:\n%s", want, after)
		}
	}
	if strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") {
		t.Errorf("a bare LF in a CRLF file:\n%q", after)
	}
	if again := w.must("", "setup", "--yes"); !strings.Contains(again, "nothing to do") || read(t, settings) != after {
		t.Errorf("second setup: %s", again)
	}
	w.must("", "status")
	deny := w.must(`{"hook_event_name":"PreToolUse","tool_name":"PowerShell","agent_type":"viber:task-coder","tool_input":{"command":"taskkill /IM node.exe"}}`, "hook", "PreToolUse")
	if !strings.Contains(deny, `"deny"`) {
		t.Errorf("hook: %q", deny)
	}
	examined := w.must("", "doctor")
	if !strings.Contains(examined, "an agent of viber runs Stop-Process -Name node") || strings.Contains(examined, "WRONG") {
		t.Errorf("doctor: %s", examined)
	}
	w.must("", "uninstall", "--yes")
	if got := read(t, settings); got != before {
		t.Errorf("uninstall left\n%q\nwant\n%q", got, before)
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
