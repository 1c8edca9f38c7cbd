package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"viber/e2e/harness/hookrec"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "hook" { // this test binary is the harness's recording hook
		os.Exit(hookrec.Main(os.Args[2:]))
	}
	code := m.Run()
	if built.dir != "" {
		os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

var built struct {
	sync.Mutex
	dir   string
	paths map[string]string
}

// buildViber builds the program once per system and returns its path.
func buildViber(t *testing.T, goos string) string {
	t.Helper()
	built.Lock()
	defer built.Unlock()
	if path := built.paths[goos]; path != "" {
		return path
	}
	if built.dir == "" {
		dir, err := os.MkdirTemp("", "viber-e2e-")
		if err != nil {
			t.Fatal(err)
		}
		built.dir, built.paths = dir, map[string]string{}
	}
	path := filepath.Join(built.dir, goos, "viber")
	if goos == "windows" {
		path += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs",
		"-ldflags", "-s -w -X viber/internal/buildinfo.Version=1.0.0", "-o", path, "viber")
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build for %s: %v\n%s", goos, err, out)
	}
	built.paths[goos] = path
	return path
}

// copyFile makes an executable copy of from, as an installer would.
func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o755); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	return nil
}
