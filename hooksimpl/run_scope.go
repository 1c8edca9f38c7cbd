package hooksimpl

import (
	"fmt"

	"viber/run"
)

// codeRunScope is the stable code of run-scope's refusal.
const codeRunScope = "VG-301"

// runScope refuses a call of a tool that the run's scope.yml allows up to a step that lies behind the run.
func runScope() check {
	return check{
		name:    "run-scope",
		events:  []string{EventPreToolUse},
		tools:   []string{"mcp__*"},
		run:     runRunScope,
		fault:   silence,
		because: explainRunScope,
	}
}

func runRunScope(w *World, p *Payload) Verdict {
	past, why := judgeScope(w, p)
	if why != "" {
		return Verdict{}
	}
	return Verdict{Decision: Deny, Reason: fmt.Sprintf("%s: the run %s allows %s (pattern %s in its scope.yml) up to %s, and %s. "+
		"Go on with what earlier steps wrote down. Where the tool is needed after all, ask the user, who can change the run's scope.yml.",
		codeRunScope, past.key, p.Tool, past.scope.Pattern, past.scope.Until, past.because)}
}

// pastScope is the line of a scope.yml that a call is past.
type pastScope struct {
	key     string
	scope   run.ToolScope
	because string
}

// judgeScope looks for a line of the run's scope.yml that the call is past; why says what speaks for the call otherwise.
func judgeScope(w *World, p *Payload) (past pastScope, why string) {
	r, why := w.owned(p, "run-scope")
	if why != "" {
		return past, why
	}
	scopes, err := run.ReadScope(r.root, r.dir())
	if err != nil {
		return past, "the run's scope cannot be read: " + err.Error()
	}
	loaded, err := r.load()
	if err != nil {
		return past, "the run " + r.key + " cannot be read"
	}
	state, _, _ := r.stored(w).File.Read() // a run without state is in no phase
	for _, s := range scopes {
		if !s.Covers(p.Tool) {
			continue
		}
		if because := s.Past(loaded, state); because != "" {
			return pastScope{r.key, s, because}, ""
		}
	}
	return past, fmt.Sprintf("no line of the run's scope.yml (%d) forbids the tool now", len(scopes))
}

func explainRunScope(w *World, p *Payload) []string {
	past, why := judgeScope(w, p)
	if why != "" {
		return []string{why}
	}
	return []string{fmt.Sprintf("scope.yml:%d of the run %s: %s up to %s, and %s", past.scope.Line, past.key, past.scope.Pattern, past.scope.Until, past.because)}
}
