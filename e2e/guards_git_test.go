package e2e

import (
	"cmp"
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

// gitSession is a session of the client in which rows are played: those of one state of a repository and one tool, and of
// those either the ones the guard objects to or the ones it must be silent on.
type gitSession struct {
	repo, tool string
	silent     bool
}

func (s gitSession) String() string {
	says := "objects"
	if s.silent {
		says = "silent"
	}
	return strings.Join([]string{s.repo, s.tool, says}, "-")
}

// TestClientReachesTheGitGuard plays every row of the git guard's corpus as a call of the real client, several in one message.
// What the client's filter keeps from the hook must be exactly what the guard's page lists.
func TestClientReachesTheGitGuard(t *testing.T) {
	claude := realClient(t)
	viber := buildViber(t, "linux")
	for session, rows := range gitSessions(t) {
		t.Run(session.String(), func(t *testing.T) {
			t.Parallel()
			rep := playScenario(t, session.scenario(t, claude, rows), t.TempDir(), claude, viber)
			for _, failure := range rep.Failures {
				t.Error(failure)
			}
			answers := toolResults(rep.Transcript)
			if session.silent {
				compareSilent(t, rows, answers)
			} else {
				compareObjected(t, rows, answers)
			}
		})
	}
}

// gitSessions are the rows of the corpus by the session they are played in.
func gitSessions(t *testing.T) map[gitSession][]gitRow {
	t.Helper()
	sessions := map[gitSession][]gitRow{}
	for _, group := range []string{"true_positives", "bypass_attempts", "edge_cases", "false_positives"} {
		var rows []gitRow
		readJSON(t, filepath.Join("guards", "git."+group+".json"), &rows)
		for _, r := range rows {
			session := gitSession{repo: cmp.Or(r.Repo, "feature"), tool: cmp.Or(r.Tool, "Bash"), silent: r.Verdict == ""}
			sessions[session] = append(sessions[session], r)
		}
	}
	return sessions
}

// compareObjected holds the rows whose call no guard answered to the list in the guard's page.
func compareObjected(t *testing.T, rows []gitRow, answers map[string]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "docs", "hooks", "git.md"))
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		answer := answers[callID(i)]
		listed := strings.Contains(string(page), "`` "+row.Command+" ``")
		switch seen := strings.Contains(answer, row.Rule); {
		case clientRefuses(row, answer):
		case seen && listed:
			t.Errorf("the page lists it, but the guard saw it: %q", row.Command)
		case !seen && !listed:
			t.Errorf("the guard did not see it, and the page does not list it: %q; the client answered %q", row.Command, answer)
		}
	}
}

// compareSilent holds every row to the answer of the hook that refuses all calls: viber said nothing.
func compareSilent(t *testing.T, rows []gitRow, answers map[string]string) {
	t.Helper()
	for i, row := range rows {
		answer := answers[callID(i)]
		if !clientRefuses(row, answer) && (strings.Contains(answer, "VG-") || !strings.Contains(answer, refuseAll)) {
			t.Errorf("%q: the client answered %q", row.Command, answer)
		}
	}
}

// clientRefuses reports whether the client itself refused a command with a bare carriage return, before any hook.
func clientRefuses(row gitRow, answer string) bool {
	return strings.ContainsRune(row.Command, '\r') && strings.Contains(answer, "control characters")
}

// refuseAll is the reason of a hook beside viber's that refuses every call, so that no silent row runs for real.
const refuseAll = "refused-beside-viber"

// gitState returns what makes the repository a row names of a fresh project on branch feature/x: shell commands, and the user's own viber.yml.
func gitState(repo string) (commands []string, userConfig string) {
	switch repo {
	case "main":
		return []string{"git checkout -q -B main"}, ""
	case "none":
		return []string{"rm -rf .git"}, ""
	case "detached":
		return []string{"git commit -q --allow-empty -m x", "git checkout -q --detach"}, ""
	case "tracking":
		return []string{"git config branch.feature/x.remote origin", "git config branch.feature/x.merge refs/heads/main", "git config push.default upstream"}, ""
	case "current":
		return []string{"git config branch.feature/x.remote origin", "git config branch.feature/x.merge refs/heads/main", "git config push.default current"}, ""
	case "pushcfg":
		return []string{"git config remote.origin.push +HEAD:main"}, ""
	case "mirrorcfg":
		return []string{"git config remote.origin.mirror true"}, ""
	case "matching":
		return []string{"git config push.default matching"}, ""
	case "template":
		return []string{"git config commit.template $PWD/credited.txt"}, ""
	case "noattribution":
		return []string{"printf 'schema: 4\\nguards:\\n  attribution: off\\n' > .claude/viber.yml"}, ""
	case "protected":
		return []string{"printf 'schema: 4\\nguards:\\n  protected-branches: stable, prod/*\\n' > .claude/viber.yml"}, ""
	case "nofile":
		return []string{"rm .claude/viber.yml"}, ""
	case "lease":
		return nil, "guards:\n  force-with-lease: allow\n"
	case "off":
		return nil, "guards:\n  git: off\n"
	default:
		return nil, ""
	}
}

func (s gitSession) scenario(t *testing.T, claude string, rows []gitRow) *run.Scenario {
	credited := "fix: x\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n"
	commands, userConfig := gitState(s.repo)
	if commands == nil && userConfig == "" && s.repo != "feature" {
		t.Fatalf("no state %q", s.repo)
	}
	sc := &run.Scenario{
		Name: "guards-git", Git: true,
		Home: map[string]any{
			".gitconfig": "[alias]\n\tpf = push --force\n[user]\n\tname = a\n\temail = a@example.com\n",
			"bin/pwsh":   "#!/bin/sh\necho stand-in\n",
		},
		Project: map[string]any{"a.txt": "x\n", "credited.txt": credited, "plain.txt": "fix\n", "list": "main\n"},
		Modes:   map[string]string{"{{HOME}}/bin/pwsh": "755"},
		Env:     map[string]string{"CLAUDE_CODE_USE_POWERSHELL_TOOL": "1", "PATH": "{{HOME}}/bin:" + filepath.Dir(claude) + ":/usr/bin:/bin"},
		Lanes:   []fakeapi.Lane{{Name: "main", Match: fakeapi.Match{Tool: s.tool}, Turns: s.turns(rows)}},
		Steps: []run.Step{
			{Name: "branch", Cmd: []string{"git", "checkout", "-q", "-B", "feature/x"}},
			{Name: "default", Cmd: []string{"git", "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"}},
			{Name: "beside", Cmd: []string{"git", "init", "-q", "-b", "main", "../main"}},
			{Name: "setup", Cmd: []string{"{{VIBER}}", "setup", "--yes"}},
		},
	}
	if userConfig != "" {
		sc.Home[".claude/viber.yml"] = userConfig
	}
	if s.silent {
		sc.Home[".claude/settings.json"] = map[string]any{"hooks": refuseAllHook()}
	}
	for _, command := range commands {
		sc.Steps = append(sc.Steps, run.Step{Name: s.repo, Cmd: []string{"sh", "-c", command}})
	}
	sc.Steps = append(sc.Steps, run.Step{Name: "session", Prompt: "go", TimeoutS: 280,
		Args: []string{"--permission-mode", "acceptEdits", "--allowedTools", s.tool}})
	return sc
}

// turns are the calls of rows, twelve in a message.
func (s gitSession) turns(rows []gitRow) []fakeapi.Turn {
	var turns []fakeapi.Turn
	next := 0
	for chunk := range slices.Chunk(rows, 12) {
		var turn fakeapi.Turn
		for _, row := range chunk {
			turn.Content = append(turn.Content, fakeapi.Block{Type: "tool_use", ID: callID(next), Name: s.tool, Input: map[string]any{"command": row.Command, "timeout": 5000}})
			next++
		}
		turns = append(turns, turn)
	}
	return append(turns, fakeapi.Turn{Content: []fakeapi.Block{{Type: "text", Text: "done"}}})
}

// refuseAllHook is the hooks block of a settings file whose one hook refuses every shell call for refuseAll.
func refuseAllHook() map[string]any {
	answer, _ := json.Marshal(map[string]any{"hookSpecificOutput": map[string]any{
		"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": refuseAll,
	}})
	hook := map[string]any{"type": "command", "command": "echo '" + string(answer) + "'"}
	return map[string]any{"PreToolUse": []any{map[string]any{"matcher": "Bash|PowerShell", "hooks": []any{hook}}}}
}
