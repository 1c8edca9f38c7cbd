package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/e2e/harness/fakeapi"
	"viber/e2e/harness/run"
)

// TestClientRefusesASecretUntilItIsGone plays a commit with a planted key, the same after the fix, and a forced push.
func TestClientRefusesASecretUntilItIsGone(t *testing.T) {
	claude := realClient(t)
	planted := "AK" + "IAQ3EGT7XNLY2PWKVB"
	var turns []fakeapi.Turn
	for i, command := range []string{
		"git add deploy.env && git commit -q -m 'deploy'",
		"echo 'KEY=from-the-vault' > deploy.env && git add deploy.env && git commit -q -m 'deploy' && git log --oneline -1",
		"git push --force origin main",
	} {
		turns = append(turns, fakeapi.Turn{Content: []fakeapi.Block{{Type: "tool_use", ID: callID(i), Name: "Bash", Input: map[string]any{"command": command}}}})
	}
	turns = append(turns, fakeapi.Turn{Content: []fakeapi.Block{{Type: "text", Text: "done"}}})
	work := t.TempDir()
	t.Setenv("VIBER_E2E_WORK", work)
	rep := playScenario(t, &run.Scenario{
		Name: "guards-secret", Git: true,
		Home:    map[string]any{".gitconfig": "[user]\n\tname = a\n\temail = a@example.com\n"},
		Project: map[string]any{"deploy.env": "# keys\nKEY=" + planted + "\n"},
		Lanes:   []fakeapi.Lane{{Name: "main", Match: fakeapi.Match{Tool: "Bash"}, Turns: turns}},
		Steps: []run.Step{
			{Name: "setup", Cmd: []string{"{{VIBER}}", "setup", "--yes"}},
			{Name: "session", Prompt: "go", Args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Bash"}, TimeoutS: 120},
		},
	}, t.TempDir(), claude, buildViber(t, "linux"))
	for _, failure := range rep.Failures {
		t.Error(failure)
	}
	answers := toolResults(rep.Transcript)
	for i, says := range [][]string{{"VG-601", "deploy.env:2", "aws-access-key"}, {"deploy"}, {"VG-502", "main"}} {
		for _, text := range says {
			if !strings.Contains(answers[callID(i)], text) {
				t.Errorf("call %d: no %q in %q", i, text, answers[callID(i)])
			}
		}
	}
	for id, answer := range answers {
		if strings.Contains(answer, planted) {
			t.Errorf("%s shows the value", id)
		}
	}
	stateHoldsNo(t, work, planted)
}

// stateHoldsNo looks for value in every file of viber's state and of git's directory for viber below work.
func stateHoldsNo(t *testing.T, work, value string) {
	t.Helper()
	seen := 0
	_ = filepath.WalkDir(work, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(path, filepath.Join("state", "viber")) && !strings.Contains(path, filepath.Join(".git", "viber")) {
			return nil
		}
		seen++
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), value) {
			t.Errorf("%s holds the value", path)
		}
		return nil
	})
	if seen == 0 {
		t.Error("viber left no state to look at")
	}
}
