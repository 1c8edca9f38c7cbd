package hooksimpl

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// Decision is what a check says about the thing it was asked about; a greater one beats a smaller one.
type Decision int

// The decisions, weakest first.
const (
	None Decision = iota
	Allow
	Ask
	Deny
)

// String returns the client's word for the decision, empty for None.
func (d Decision) String() string {
	switch d {
	case Allow:
		return "allow"
	case Ask:
		return "ask"
	case Deny:
		return "deny"
	}
	return ""
}

// Verdict is the answer of one check, or of all checks of an event after merging. The zero value says nothing.
type Verdict struct {
	Decision Decision
	Reason   string // for the model; empty with None and Allow
	Context  string // added to what the model reads
	System   string // shown to the user
}

func (v Verdict) silent() bool { return v == Verdict{} }

// contextLimit is the length in characters from which on the client moves a text into a file.
const contextLimit = 10_000

// merge joins the verdicts of an event's checks: the strongest decision with the reasons of all that share it, and all
// contexts and notices. A context that would push the whole over the client's limit is left out.
func merge(all []Verdict) Verdict {
	var out Verdict
	var reasons, contexts, notices []string
	for _, v := range all {
		out.Decision = max(out.Decision, v.Decision)
	}
	room := contextLimit
	for _, v := range all {
		if v.Decision == out.Decision && v.Reason != "" {
			reasons = append(reasons, v.Reason)
		}
		if v.System != "" {
			notices = append(notices, v.System)
		}
		if v.Context == "" {
			continue
		}
		size := utf8.RuneCountInString(v.Context) + 2
		if len(contexts) > 0 && size > room {
			continue
		}
		room -= size
		contexts = append(contexts, v.Context)
	}
	out.Reason = strings.Join(reasons, "\n\n")
	out.Context = strings.Join(contexts, "\n\n")
	out.System = strings.Join(notices, "\n")
	return out
}

type answer struct {
	System   string    `json:"systemMessage,omitempty"`
	Decision string    `json:"decision,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	Specific *specific `json:"hookSpecificOutput,omitempty"`
}

type specific struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

// encode writes v as the client reads it for event: nothing at all, or one JSON object on one line.
func encode(event string, v Verdict) []byte {
	if v.silent() {
		return nil
	}
	a := answer{System: v.System}
	if hasSpecificOutput(event) {
		a.Specific = &specific{Event: event, Context: v.Context}
	}
	switch {
	case event == EventPreToolUse:
		a.Specific.Decision, a.Specific.Reason = v.Decision.String(), v.Reason
	case v.Decision >= Ask:
		a.Decision, a.Reason = "block", v.Reason
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(a); err != nil {
		return nil
	}
	return buf.Bytes()
}

// hasSpecificOutput reports whether the client reads hookSpecificOutput for event; where it does not, an object with it
// would not pass the client's check of the answer.
func hasSpecificOutput(event string) bool {
	switch event {
	case "SessionEnd", "PreCompact", "PostCompact", "Notification":
		return false
	}
	return true
}
