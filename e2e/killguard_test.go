package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/e2e/harness/fakeapi"
	"viber/e2e/harness/run"
)

// TestClientReachesKillGuard plays every command kill-guard refuses as a call of a viber agent in the real client, several
// in one message and three agents at once: the filter in front of the hook lets none of them through unseen.
func TestClientReachesKillGuard(t *testing.T) {
	claude := realClient(t)
	commands := refusedCommands(t)
	rep := playScenario(t, killScenario(commands), t.TempDir(), claude, buildViber(t, "linux"))
	for _, failure := range rep.Failures {
		t.Error(failure)
	}
	answers := toolResults(rep.Transcript)
	for i, command := range commands {
		answer := answers[callID(i)]
		if strings.ContainsRune(command, '\r') && strings.Contains(answer, "control characters") {
			continue // the client itself refuses those before any hook
		}
		if !strings.Contains(answer, "kill -0 <PID>") {
			t.Errorf("not refused: %q; the client answered %q", command, answer)
		}
	}
}

func callID(i int) string { return fmt.Sprintf("toolu_refused%04d", i) }

// refusedCommands are those of the vectors that are refused, departures included.
func refusedCommands(t *testing.T) []string {
	t.Helper()
	var vectors []struct {
		Name, Want string
		Payload    json.RawMessage
		PayloadRaw string `json:"payload_raw"`
	}
	var departures []struct{ Name, Want string }
	readJSON(t, "kill-guard.json", &vectors)
	readJSON(t, "kill-guard.departures.json", &departures)
	want := map[string]string{}
	for _, d := range departures {
		want[d.Name] = d.Want
	}
	var commands []string
	for _, v := range vectors {
		if w, ok := want[v.Name]; ok {
			v.Want = w
		}
		text := v.Payload
		if v.PayloadRaw != "" {
			text = json.RawMessage(v.PayloadRaw)
		}
		var p struct {
			ToolInput struct{ Command string } `json:"tool_input"`
		}
		if v.Want == "deny" && json.Unmarshal(text, &p) == nil && len(p.ToolInput.Command) < 10_000 {
			commands = append(commands, p.ToolInput.Command)
		}
	}
	return commands
}

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "hooksimpl", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func killScenario(commands []string) *run.Scenario {
	yes := true
	var turns []fakeapi.Turn
	for i := 0; i < len(commands); i += 6 {
		var turn fakeapi.Turn
		for j := i; j < min(i+6, len(commands)); j++ {
			turn.Content = append(turn.Content, fakeapi.Block{
				Type: "tool_use", ID: callID(j), Name: "Bash", Input: map[string]any{"command": commands[j]},
			})
		}
		turns = append(turns, turn)
	}
	done := fakeapi.Turn{Content: []fakeapi.Block{{Type: "text", Text: "done"}}}
	agent := fakeapi.Block{Type: "tool_use", Name: "Agent", Input: map[string]any{
		"subagent_type": "viber:task-coder", "description": "d", "prompt": "work", "run_in_background": false,
	}}
	dispatch := fakeapi.Turn{Content: []fakeapi.Block{agent, agent, agent}} // three at once share the commands
	return &run.Scenario{
		Name: "kill-guard", Git: true, Project: map[string]any{"a.txt": "x\n"},
		Lanes: []fakeapi.Lane{
			{Name: "sub", Match: fakeapi.Match{Subagent: &yes}, Turns: append(turns, done)},
			{Name: "main", Match: fakeapi.Match{Tool: "Agent"}, Turns: []fakeapi.Turn{dispatch, done}},
		},
		Steps: []run.Step{
			{Name: "setup", Cmd: []string{"{{VIBER}}", "setup", "--yes"}},
			{Name: "session", Prompt: "go", Args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Bash"}, TimeoutS: 180},
		},
	}
}

// toolResults returns what the model was told about each tool call, by its id.
func toolResults(transcript []map[string]any) map[string]string {
	answers := map[string]string{}
	for _, line := range transcript {
		message, _ := line["message"].(map[string]any)
		blocks, _ := message["content"].([]any)
		for _, b := range blocks {
			block, _ := b.(map[string]any)
			if block["type"] == "tool_result" {
				id, _ := block["tool_use_id"].(string)
				answers[id] = fmt.Sprint(block["content"])
			}
		}
	}
	return answers
}
