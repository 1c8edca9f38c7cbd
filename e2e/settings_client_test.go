package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// judge is a client with a home of its own that says what it finds wrong in that home's settings.
type judge struct {
	t                    *testing.T
	claude, home, viber  string
	settings, projectDir string
}

func newJudge(t *testing.T) judge {
	t.Helper()
	claude := realClient(t)
	work := t.TempDir()
	j := judge{t: t, claude: claude, home: filepath.Join(work, "home"), viber: filepath.Join(work, "opt", "viber"), projectDir: filepath.Join(work, "project")}
	j.settings = filepath.Join(j.home, ".claude", "settings.json")
	for _, dir := range []string{filepath.Dir(j.settings), j.projectDir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyFile(buildViber(t, "linux"), j.viber); err != nil {
		t.Fatal(err)
	}
	return j
}

func (j judge) run(program string, args ...string) string {
	j.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir = j.projectDir
	cmd.Env = []string{
		"HOME=" + j.home, "PATH=" + filepath.Dir(j.claude) + ":/usr/bin:/bin", "TMPDIR=" + filepath.Join(j.home, "tmp"),
		"DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		j.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return string(out)
}

// invalid returns the part of the client's own diagnosis that speaks of settings.
func (j judge) invalid() string {
	j.t.Helper()
	_, after, found := strings.Cut(j.run(j.claude, "doctor"), "Invalid settings\n")
	if !found {
		return ""
	}
	section, _, _ := strings.Cut(after, "\n\n")
	return section
}

// TestClientTakesWhatSetupWrites asks the client itself about the settings that setup wrote.
func TestClientTakesWhatSetupWrites(t *testing.T) {
	j := newJudge(t)
	j.run(j.viber, "setup", "--yes", "--status-line")
	if section := j.invalid(); section != "" {
		t.Errorf("the client finds fault with what setup wrote:\n%s", section)
	}
}

// TestClientJudgesHandlersAsRecorded keeps the recorded judgements, which the model of package host is tested against, true.
func TestClientJudgesHandlersAsRecorded(t *testing.T) {
	j := newJudge(t)
	data, err := os.ReadFile(filepath.Join("..", "install", "host", "testdata", "handlers-2.1.332.json"))
	if err != nil {
		t.Fatal(err)
	}
	var recorded []struct {
		Name  string
		Group json.RawMessage
		Bad   bool
	}
	if err := json.Unmarshal(data, &recorded); err != nil {
		t.Fatal(err)
	}
	groups := make([]string, len(recorded))
	for i, r := range recorded {
		groups[i] = string(r.Group)
	}
	text := `{"hooks": {"Stop": [` + strings.Join(groups, ",\n") + `]}}`
	if err := os.WriteFile(j.settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	section := j.invalid()
	for i, r := range recorded {
		bad := strings.Contains(section, "hooks.Stop."+strconv.Itoa(i)+".") || strings.Contains(section, "hooks.Stop."+strconv.Itoa(i)+":")
		if bad != r.Bad {
			t.Errorf("%s: recorded bad=%v, the client says %v", r.Name, r.Bad, bad)
		}
	}
}
