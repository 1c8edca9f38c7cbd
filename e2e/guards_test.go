package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viber/e2e/harness/fakeapi"
	"viber/e2e/harness/run"
)

// gitRow is a row of the git guard's corpus.
type gitRow struct{ Command, Tool, Repo, Verdict, Rule string }

// TestClientReachesTheGitGuard plays every shell command the git guard refuses or asks about as a call of the real client,
// several in one message. What the client's filter keeps from the hook must be exactly what the guard's page lists.
func TestClientReachesTheGitGuard(t *testing.T) {
	claude := realClient(t)
	viber := buildViber(t, "linux")
	for _, branch := range []string{"feature/x", "main"} {
		rows := objectedRows(t, branch)
		t.Run(branch, func(t *testing.T) {
			rep := playScenario(t, guardScenario(branch, rows), t.TempDir(), claude, viber)
			for _, failure := range rep.Failures {
				t.Error(failure)
			}
			compareUnseen(t, rows, toolResults(rep.Transcript))
		})
	}
}

// compareUnseen holds the rows whose call no guard answered to the list in the guard's page.
func compareUnseen(t *testing.T, rows []gitRow, answers map[string]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "hooks", "git.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		answer := answers[callID(i)]
		listed := strings.Contains(string(page), "`` "+row.Command+" ``")
		switch seen := strings.Contains(answer, row.Rule); {
		case strings.ContainsRune(row.Command, '\r') && strings.Contains(answer, "control characters"): // the client itself refuses those
		case seen && listed:
			t.Errorf("the page lists it, but the guard saw it: %q", row.Command)
		case !seen && !listed:
			t.Errorf("the guard did not see it, and the page does not list it: %q; the client answered %q", row.Command, answer)
		}
	}
}

// objectedRows are the Bash rows of the corpus with a verdict for a repository on branch.
func objectedRows(t *testing.T, branch string) []gitRow {
	t.Helper()
	var all []gitRow
	for _, group := range []string{"true_positives", "bypass_attempts", "edge_cases"} {
		var rows []gitRow
		text, err := os.ReadFile(filepath.Join("..", "hooksimpl", "testdata", "guards", "git."+group+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			onMain := r.Repo == "main"
			if r.Verdict != "" && r.Tool == "" && (r.Repo == "" || onMain) && onMain == (branch == "main") && !strings.Contains(r.Command, "../main") {
				all = append(all, r)
			}
		}
	}
	return slices.CompactFunc(all, func(a, b gitRow) bool { return a.Command == b.Command })
}

func guardScenario(branch string, rows []gitRow) *run.Scenario {
	var turns []fakeapi.Turn
	for i := 0; i < len(rows); i += 12 {
		var turn fakeapi.Turn
		for j := i; j < min(i+12, len(rows)); j++ {
			turn.Content = append(turn.Content, fakeapi.Block{Type: "tool_use", ID: callID(j), Name: "Bash", Input: map[string]any{"command": rows[j].Command, "timeout": 5000}})
		}
		turns = append(turns, turn)
	}
	done := fakeapi.Turn{Content: []fakeapi.Block{{Type: "text", Text: "done"}}}
	credited := "fix: x\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n"
	return &run.Scenario{
		Name: "guards-git", Git: true,
		Home:    map[string]any{".gitconfig": "[alias]\n\tpf = push --force\n[user]\n\tname = a\n\temail = a@example.com\n"},
		Project: map[string]any{"a.txt": "x\n", "credited.txt": credited, "plain.txt": "fix\n", "list": "main\n"},
		Lanes:   []fakeapi.Lane{{Name: "main", Match: fakeapi.Match{Tool: "Bash"}, Turns: append(turns, done)}},
		Steps: []run.Step{
			{Name: "branch", Cmd: []string{"git", "checkout", "-q", "-B", branch}},
			{Name: "default", Cmd: []string{"git", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"}},
			{Name: "setup", Cmd: []string{"{{VIBER}}", "setup", "--yes"}},
			{Name: "session", Prompt: "go", Args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Bash"}, TimeoutS: 280},
		},
	}
}

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
