package hooksimpl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const (
	lagWrite   = `{"message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Write","input":{"file_path":"PLAN"}}]}}` + "\n"
	lagReview  = `{"message":{"content":[{"type":"tool_use","id":"toolu_2","name":"Agent","input":{"subagent_type":"viber:plain-plan-review"}}]}}` + "\n"
	lagVerdict = `{"message":{"content":[{"tool_use_id":"toolu_2","content":"ok\nVERDICT: PASS"}]},"timestamp":"2099-01-01T00:00:00Z"}` + "\n"
	lagExit    = `{"message":{"content":[{"type":"tool_use","id":"toolu_9","name":"ExitPlanMode","input":{}}]}}` + "\n"
)

// TestGateWaitsForTheTranscript lets the client write its records while plan-gate looks: what stands before the record of
// the call that is judged counts, and the wait ends with that record or after a second.
func TestGateWaitsForTheTranscript(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		there string   // what the transcript holds when the hook is called
		late  []string // what each wait adds
		want  string   // a word of the reason, empty = allow
		waits int
	}{
		"all is there":            {there: lagWrite + lagReview + lagVerdict + lagExit},
		"the verdict is late":     {there: lagWrite + lagReview, late: []string{"", lagVerdict, lagExit}, waits: 3},
		"half a record":           {there: lagWrite + lagReview, late: []string{lagVerdict[:20], lagVerdict[20:] + lagExit[:70], lagExit[70:]}, waits: 2},
		"the plan write is late":  {there: "{}\n", late: []string{lagWrite, lagExit}, want: "review the plan", waits: 2},
		"no verdict comes":        {there: lagWrite + lagReview, late: []string{lagExit}, want: "let the review finish", waits: 1},
		"the call is not written": {there: lagWrite + lagReview, want: "let the review finish", waits: int(lagLimit / lagStep)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			plan := filepath.Join(dir, "plans", "a.md")
			mkdir(t, filepath.Dir(plan))
			mkdir(t, filepath.Join(dir, ".claude"))
			write(t, plan, "# Plan\n")
			write(t, filepath.Join(dir, ".claude", "viber.yml"), "schema: 3\nplanning:\n  plain-plan-review: true\n")
			transcript := filepath.Join(dir, "t.jsonl")
			records := func(text string) string { return strings.ReplaceAll(text, "PLAN", filepath.ToSlash(plan)) }
			write(t, transcript, records(c.there))
			waits := 0
			w := &World{Getenv: func(string) string { return "" }, Now: time.Now, Sleep: func(time.Duration) {
				if waits < len(c.late) {
					text, err := os.ReadFile(transcript)
					if err != nil {
						t.Error(err)
					}
					write(t, transcript, string(text)+records(c.late[waits]))
				}
				waits++
			}}
			v := judgeCall(w, buildPayload(map[string]any{"transcript_path": transcript, "cwd": dir, "tool_use_id": "toolu_9"})).verdict()
			if (c.want == "") != (v.Decision == Allow) || !strings.Contains(v.Reason, c.want) {
				t.Errorf("got %s %q, want %q", v.Decision, v.Reason, c.want)
			}
			if waits != c.waits {
				t.Errorf("waited %d times, want %d", waits, c.waits)
			}
		})
	}
}

// TestGateDoesNotWaitForWhatNeverComes: without a transcript or an id, or in a replay, there is nothing to wait for.
func TestGateDoesNotWaitForWhatNeverComes(t *testing.T) {
	t.Parallel()
	transcript := filepath.Join(t.TempDir(), "t.jsonl")
	write(t, transcript, lagWrite)
	w := &World{Getenv: func(string) string { return "" }, Now: time.Now, Sleep: func(time.Duration) { t.Error("waited") }}
	judgeCall(w, buildPayload(map[string]any{"transcript_path": transcript}))
	judgeCall(w, buildPayload(map[string]any{"transcript_path": transcript + "-none", "tool_use_id": "toolu_9"}))
	w.past = &past{path: transcript, end: 10}
	judgeCall(w, buildPayload(map[string]any{"transcript_path": transcript, "tool_use_id": "toolu_9"}))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
