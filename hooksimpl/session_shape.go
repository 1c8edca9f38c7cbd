package hooksimpl

import (
	"bytes"
	"encoding/json"

	"mvdan.cc/sh/v3/syntax"

	"viber/internal/secrets"
	"viber/run"
)

// shapeLimit bounds what is read of a transcript for its shape: the end of a longer one stands for it.
const shapeLimit = 8 << 20

// sessionShape reads what kind of work a session did off its transcript: names of tools and programs with counts, nothing
// they were given and nothing they printed.
func sessionShape(w *World, transcript string) run.Shape {
	s := shapeReader{calls: map[string]shapeCall{}, shape: run.NewShape()}
	for line := range bytes.Lines(transcriptTail(w, transcript, 0, shapeLimit)) {
		switch {
		case !bytes.HasSuffix(line, []byte("}\n")): // half written
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

type shapeCall struct {
	tool  string
	input json.RawMessage
}

func (s *shapeReader) uses(line []byte) {
	rec := fieldsOf(line)
	if !isText(rec["type"], "assistant") {
		return
	}
	for _, item := range elementsOf(fieldsOf(rec["message"])["content"]) {
		use := fieldsOf(item)
		if !isText(use["type"], "tool_use") {
			continue
		}
		id, _ := stringOf(use["id"])
		name, _ := stringOf(use["name"])
		s.calls[id] = shapeCall{name, use["input"]}
		s.shape.Tools.Add(name)
	}
}

func (s *shapeReader) results(line []byte) {
	rec := fieldsOf(line)
	if !isText(rec["type"], "user") {
		return
	}
	denial, _ := stringOf(rec["toolDenialKind"])
	source, _ := stringOf(fieldsOf(rec["permissionDecision"])["source"])
	for _, item := range elementsOf(fieldsOf(rec["message"])["content"]) {
		result := fieldsOf(item)
		id, _ := stringOf(result["tool_use_id"])
		call, known := s.calls[id]
		switch {
		case !known || string(result["is_error"]) != "true":
		case denial == "user-rejected" && source != "config" && source != "hook":
			s.shape.Refused.Add(call.tool)
		case denial == "" && (call.tool == ToolBash || call.tool == ToolPowerShell):
			command, _ := stringOf(fieldsOf(call.input)["command"])
			s.shape.Failed.Add(startedProgram(command))
		}
	}
}

func isText(raw json.RawMessage, text string) bool {
	got, ok := stringOf(raw)
	return ok && got == text
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
