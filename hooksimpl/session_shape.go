package hooksimpl

import (
	"bytes"
	"encoding/json"

	"mvdan.cc/sh/v3/syntax"

	"viber/internal/secrets"
	"viber/run"
)

// shapeLimit bounds what is read of a transcript for its shape: the end of a longer one stands for it.
const shapeLimit = 16 << 20

// sessionShape reads what kind of work a session did off its transcript: names of tools and programs with counts, nothing
// they were given and nothing they printed.
func sessionShape(w *World, transcript string) run.Shape {
	s := shapeReader{calls: map[string]shapeCall{}, shape: run.NewShape()}
	for line := range bytes.Lines(transcriptTail(w, transcript, 0, shapeLimit)) {
		switch {
		case bytes.Contains(line, []byte(`"type":"tool_use"`)):
			s.uses(line)
		case bytes.Contains(line, []byte(`"type":"tool_result"`)):
			s.results(line)
		}
	}
	return s.shape
}

type shapeReader struct {
	calls map[string]shapeCall // by tool_use id
	shape run.Shape
}

type shapeCall struct{ tool, command string }

func (s *shapeReader) uses(line []byte) {
	var rec struct {
		Type    string
		Message struct {
			Content []struct {
				Type, ID, Name string
				Input          struct{ Command string }
			}
		}
	}
	if json.Unmarshal(line, &rec) != nil && rec.Type == "" || rec.Type != "assistant" {
		return
	}
	for _, c := range rec.Message.Content {
		if c.Type != "tool_use" {
			continue
		}
		s.calls[c.ID] = shapeCall{c.Name, c.Input.Command}
		s.shape.Tools.Add(c.Name)
	}
}

func (s *shapeReader) results(line []byte) {
	var rec struct {
		Type, ToolDenialKind string
		PermissionDecision   struct{ Source string }
		Message              struct {
			Content []struct {
				Type      string
				ToolUseID string `json:"tool_use_id"`
				IsError   bool   `json:"is_error"`
			}
		}
	}
	if json.Unmarshal(line, &rec) != nil && rec.Type == "" || rec.Type != "user" {
		return
	}
	for _, c := range rec.Message.Content {
		call, known := s.calls[c.ToolUseID]
		switch {
		case c.Type != "tool_result" || !c.IsError || !known:
		case rec.ToolDenialKind == "user-rejected" && rec.PermissionDecision.Source != "config" && rec.PermissionDecision.Source != "hook":
			s.shape.Refused.Add(call.tool)
		case rec.ToolDenialKind == "" && (call.tool == ToolBash || call.tool == ToolPowerShell):
			s.shape.Failed.Add(startedProgram(call.command))
		}
	}
}

// startedProgram is the program a command starts first, without its path; "other" where that is not a plain word.
func startedProgram(command string) string {
	name := "other"
	file, err := parseShell(command)
	if err != nil || file == nil {
		return name
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 && !found {
			found = true
			if word := call.Args[0].Lit(); word != "" {
				name = programName(word)
			}
		}
		return !found
	})
	if len(secrets.Find([]byte(name))) > 0 {
		return "other"
	}
	return name
}
