package hooksimpl

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Explanation is what one check says about a payload, and why.
type Explanation struct {
	Check   string   `json:"check"`
	Asked   bool     `json:"asked"`             // false: the check's own matcher leaves this payload out
	Verdict string   `json:"verdict,omitempty"` // allow, ask, deny; empty = no opinion
	Reason  string   `json:"reason,omitempty"`  // what the model is told
	Context string   `json:"context,omitempty"` // what is added to what the model reads
	Notice  string   `json:"notice,omitempty"`  // what the user is shown
	Because []string `json:"because"`           // what decided, in order
	Page    string   `json:"page"`              // the check's page in the documentation
	Micros  int64    `json:"micros"`            // time the check took, in microseconds
}

// Explain asks every check about p and says why each answers as it does. Nothing is changed.
func Explain(w *World, p *Payload) []Explanation {
	var all []Explanation
	quiet := *w
	quiet.still = true
	for _, c := range checks() {
		all = append(all, c.explained(&quiet, p))
	}
	return all
}

func (c check) explained(w *World, p *Payload) Explanation {
	e := Explanation{Check: c.name, Page: "docs/hooks/" + c.name + ".md"}
	if why := c.leftOut(p); why != "" {
		e.Because = []string{why}
		return e
	}
	started := time.Now()
	v := c.ask(w, p, Budget)
	e.Micros = time.Since(started).Microseconds()
	e.Asked = true
	e.Verdict, e.Reason, e.Context, e.Notice = v.Decision.String(), v.Reason, v.Context, v.System
	e.Because = c.because(w, p)
	return e
}

// leftOut says why the check's matcher does not take p, empty when it does.
func (c check) leftOut(p *Payload) string {
	switch {
	case !slices.Contains(c.events, p.Event):
		return fmt.Sprintf("listens to %s, this is %s", strings.Join(c.events, ", "), orNone(p.Event))
	case !within(c.tools, p.Tool):
		return fmt.Sprintf("looks at %s, this is %s", strings.Join(c.tools, ", "), orNone(p.Tool))
	case !within(c.sources, p.Source):
		return fmt.Sprintf("runs for the sources %s, this is %s", strings.Join(c.sources, ", "), orNone(p.Source))
	}
	return ""
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// CommandPayload is the payload of a shell command as the client would send it; agent is empty for the main session.
func CommandPayload(tool, command, agent, cwd string) *Payload {
	return buildPayload(map[string]any{
		"hook_event_name": EventPreToolUse, "tool_name": tool, "agent_type": agent, "cwd": cwd,
		"tool_input": map[string]any{"command": command},
	})
}

// ExplainPayload explains the payload text.
func ExplainPayload(w *World, text []byte) ([]Explanation, error) {
	p, err := ParsePayload(text)
	if err != nil {
		return nil, fmt.Errorf("not a hook payload: %w; the client sends one JSON object", err)
	}
	if p.Event == "" {
		return nil, errors.New("not a hook payload: it has no hook_event_name")
	}
	return Explain(w, p), nil
}

func explainKill(_ *World, p *Payload) []string {
	command, ok := p.Input("command")
	if !ok {
		return []string{"the payload has no command"}
	}
	found := findKill(p.Tool, command)
	verdict := "nothing in command position stops processes by name"
	if found.rule != "" {
		verdict = "rule " + found.rule
		if found.words != "" {
			verdict += ", met by: " + found.words
		}
	}
	lines := []string{howRead(p.Tool, command, found), verdict}
	if !strings.HasPrefix(p.AgentType, AgentPrefix) {
		who := "the main session"
		if p.AgentType != "" {
			who = "the agent " + p.AgentType
		}
		lines = append(lines, "asked by "+who+": only agents whose type starts with "+AgentPrefix+" are refused")
	}
	return lines
}

func howRead(tool, command string, found killFinding) string {
	if found.lexical {
		_, err := parseShell(command)
		return "read by words, quotes not understood, because it does not parse: " + err.Error()
	}
	if tool == ToolPowerShell {
		return "read as PowerShell"
	}
	return "read as bash"
}

func explainHints(w *World, p *Payload) []string {
	if p.Mode != "plan" {
		return []string{"permission_mode is " + orNone(p.Mode) + ", not plan"}
	}
	e, err := readEpisode(w, p.Transcript)
	switch {
	case err != nil:
		return []string{"the transcript cannot be read, so no planning skill is known: " + err.Error()}
	case e.hints.inEpisode(e.start):
		return []string{fmt.Sprintf("a planning skill leads this episode (line %d), which brings its own rules", max(e.hints.skill, e.hints.entry))}
	}
	return []string{fmt.Sprintf("plan mode since line %d, and no planning skill in it", e.start)}
}

func explainStart(w *World, p *Payload) []string {
	lines := []string{"texts and version are those of this binary"}
	if w.Root != "" {
		lines[0] = "texts and version come from the plugin folder " + w.Root
	}
	if note := schemaNote(w, p); note != "" {
		return append(lines, "schema of the project's viber.yml:"+strings.TrimPrefix(note, " -"))
	}
	return append(lines, "the project has no viber.yml, or one of this version's schema")
}
