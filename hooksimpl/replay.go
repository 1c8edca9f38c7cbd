package hooksimpl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// Replayed is one hook call of a recorded session and what the checks answer to it now.
type Replayed struct {
	File    string `json:"file"` // the transcript, or a subagent's
	Line    int    `json:"line"` // of the record that led to the call
	Time    string `json:"time,omitempty"`
	Event   string `json:"event"`
	Tool    string `json:"tool,omitempty"`
	Agent   string `json:"agent,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Micros  int64  `json:"micros"` // time of the checks, without the start of a process
}

// Replay runs every check over the session recorded at transcript and its subagents, as it would have been asked: each call
// sees the transcript up to its own record. Plan files are read as they are now, so whether one was newer than its verdict
// is not judged.
func Replay(w *World, transcript string) ([]Replayed, error) {
	r := replayer{world: w, main: transcript}
	if err := r.file(transcript, ""); err != nil {
		return nil, err
	}
	agents, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(transcript, filepath.Ext(transcript)), "subagents", "agent-*.jsonl"))
	for _, path := range agents {
		if err := r.file(path, r.agentType(path)); err != nil {
			return nil, err
		}
	}
	if len(r.calls) == 0 && r.records == 0 {
		return nil, fmt.Errorf("%s: not a transcript: no line of it is a record", transcript)
	}
	return r.calls, nil
}

type replayer struct {
	world   *World
	main    string
	mode    string // permission mode of the last record that has one
	records int
	calls   []Replayed
}

// record is what a line of a transcript tells about the calls it led to.
type record struct {
	Type, Timestamp, Cwd, SessionID, PermissionMode, AttributionAgent, AgentID string
	IsMeta, IsCompactSummary                                                   bool
	Message                                                                    struct{ Content json.RawMessage }
}

// agentType reads the name of a subagent beside its transcript.
func (r *replayer) agentType(path string) string {
	var meta struct{ AgentType string }
	text, err := r.world.Read(strings.TrimSuffix(path, ".jsonl")+".meta.json", textLimit)
	if err == nil {
		_ = json.Unmarshal(text, &meta)
	}
	return meta.AgentType
}

func (r *replayer) file(path, agent string) error {
	f, err := r.world.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	in := bufio.NewReaderSize(io.NewSectionReader(f, 0, info.Size()), 64<<10)
	for line, start := 1, int64(0); ; line++ {
		text, err := in.ReadBytes('\n')
		end := start + int64(len(text))
		r.line(place{path, line, start, end, agent}, text)
		start = end
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
	}
}

// place is where a record stands: its line and its bytes.
type place struct {
	path       string
	line       int
	start, end int64
	agent      string
}

func (r *replayer) line(at place, text []byte) {
	var rec record
	if json.Unmarshal(text, &rec) != nil || rec.Type == "" {
		return
	}
	r.records++
	if rec.PermissionMode != "" {
		r.mode = rec.PermissionMode
	}
	if at.agent == "" {
		at.agent = rec.AttributionAgent
	}
	switch rec.Type {
	case "assistant":
		r.toolCalls(at, rec)
	case "user":
		r.prompt(at, rec)
	}
}

func (r *replayer) toolCalls(at place, rec record) {
	var blocks []struct {
		Type, Name, ID string
		Input          json.RawMessage
	}
	if json.Unmarshal(rec.Message.Content, &blocks) != nil {
		return
	}
	for _, b := range blocks {
		if b.Type == "tool_use" {
			r.call(at, rec, map[string]any{
				"hook_event_name": EventPreToolUse, "tool_name": b.Name, "tool_input": b.Input, "tool_use_id": b.ID,
			})
		}
	}
}

// prompt plays the call of a typed prompt, and that of the session start which precedes the first one or a compaction.
func (r *replayer) prompt(at place, rec record) {
	var text string
	if at.path != r.main || rec.IsMeta || json.Unmarshal(rec.Message.Content, &text) != nil {
		return
	}
	before := at
	before.end = at.start // the prompt's own record is not written yet
	switch {
	case rec.IsCompactSummary:
		r.call(at, rec, map[string]any{"hook_event_name": EventSessionStart, "source": "compact"})
		return
	case !r.started():
		r.call(before, rec, map[string]any{"hook_event_name": EventSessionStart, "source": "startup"})
	}
	r.call(before, rec, map[string]any{"hook_event_name": EventUserPromptSubmit, "prompt": text})
}

func (r *replayer) started() bool { return len(r.calls) > 0 }

func (r *replayer) call(at place, rec record, fields map[string]any) {
	fields["session_id"], fields["cwd"], fields["transcript_path"] = rec.SessionID, rec.Cwd, r.main
	fields["permission_mode"] = r.mode
	if at.agent != "" {
		fields["agent_type"], fields["agent_id"] = at.agent, rec.AgentID
	}
	p := buildPayload(fields)
	w := *r.world
	if at.path == r.main {
		w.past = &past{path: r.main, end: at.end}
	}
	started := time.Now()
	event, v := Answer(&w, p.Event, p, Budget)
	r.calls = append(r.calls, Replayed{
		File: at.path, Line: at.line, Time: rec.Timestamp, Event: event, Tool: p.Tool, Agent: at.agent,
		Verdict: v.Decision.String(), Reason: v.Reason, Micros: time.Since(started).Microseconds(),
	})
}

// buildPayload makes the payload a client would send with these fields; empty texts are left out.
func buildPayload(fields map[string]any) *Payload {
	for key, value := range fields {
		if value == "" {
			delete(fields, key)
		}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return &Payload{}
	}
	p, err := ParsePayload(text)
	if err != nil {
		return &Payload{}
	}
	return p
}
