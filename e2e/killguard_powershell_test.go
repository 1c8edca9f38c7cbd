package e2e

import (
	"path/filepath"
	"strings"
	"testing"

	"viber/e2e/harness/fakeapi"
)

// TestClientReachesKillGuardInPowerShell plays refused commands of PowerShell as calls of a viber agent in the real client,
// which offers that tool here when it is told to and finds a pwsh. The pwsh is a stand-in: a refused call never starts it, and
// what passes shows by the line it writes.
func TestClientReachesKillGuardInPowerShell(t *testing.T) {
	claude := realClient(t)
	refused := []string{
		"Stop-Process -Name node", "spps -n node", "Get-Process node | Stop-Process", "taskkill /IM node.exe /F",
		"kill -Name node", "if ($true) { Stop-Process -Name node }", "Get-Process -Name node | % { $_.Kill() }",
	}
	sc := killScenario(append(refused, "Get-ChildItem"))
	sc.Name = "kill-guard-powershell"
	for i := range sc.Lanes[0].Turns {
		for j := range sc.Lanes[0].Turns[i].Content {
			if block := &sc.Lanes[0].Turns[i].Content[j]; block.Name == "Bash" {
				block.Name = "PowerShell"
			}
		}
	}
	agent := sc.Lanes[1].Turns[0].Content[0]
	agent.Input["subagent_type"] = "viber:trial"
	sc.Lanes[1].Turns[0] = fakeapi.Turn{Content: []fakeapi.Block{agent}}
	sc.Home = map[string]any{"bin/pwsh": "#!/bin/sh\necho stand-in\n", "trial.md": "---\nname: trial\ndescription: has every tool\n---\nTry.\n"}
	sc.Modes = map[string]string{"{{HOME}}/bin/pwsh": "755"}
	sc.Env = map[string]string{"CLAUDE_CODE_USE_POWERSHELL_TOOL": "1", "PATH": "{{HOME}}/bin:" + filepath.Dir(claude) + ":/usr/bin:/bin"}
	sc.Steps[0].Cmd = []string{"sh", "-c", "{{VIBER}} setup --yes && cp {{HOME}}/trial.md {{HOME}}/.claude/skills/viber/agents/trial.md"}
	sc.Steps[1].Args = []string{"--permission-mode", "acceptEdits", "--allowedTools", "PowerShell"}
	rep := playScenario(t, sc, t.TempDir(), claude, buildViber(t, "linux"))
	for _, failure := range rep.Failures {
		t.Error(failure)
	}
	answers := toolResults(rep.Transcript)
	for i, command := range refused {
		if !strings.Contains(answers[callID(i)], "kill -0 <PID>") {
			t.Errorf("not refused: %q; the client answered %q", command, answers[callID(i)])
		}
	}
	if passed := answers[callID(len(refused))]; !strings.Contains(passed, "stand-in") {
		t.Errorf("a harmless command did not run: %q", passed)
	}
}
