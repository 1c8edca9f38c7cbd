package hooksimpl

import (
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

// encode writes v as the client reads it for event: nothing at all, or one JSON object on one line. It is written by hand:
// the encoder of the library takes as long as the rest of a call.
func encode(event string, v Verdict) []byte {
	if v.silent() {
		return nil
	}
	out := jsonWriter{text: make([]byte, 0, len(v.Reason)+len(v.Context)+len(v.System)+256)}
	out.open()
	out.field("systemMessage", v.System)
	if event != EventPreToolUse && v.Decision >= Ask {
		out.field("decision", "block")
		out.field("reason", v.Reason)
	}
	if hasSpecificOutput(event) {
		out.key("hookSpecificOutput")
		out.open()
		out.field("hookEventName", event)
		if event == EventPreToolUse {
			out.field("permissionDecision", v.Decision.String())
			out.field("permissionDecisionReason", v.Reason)
		}
		out.field("additionalContext", v.Context)
		out.close()
	}
	out.close()
	return append(out.text, '\n')
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
