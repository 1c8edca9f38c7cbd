package hooksimpl

import (
	"slices"
	"strings"
)

// findPowerShellKill looks for a PowerShell command that stops processes by name: Stop-Process (or its aliases) with -Name,
// fed by a pipe or by a command in brackets, Kill() on what Get-Process found, and the programs the shell rule refuses.
func findPowerShellKill(text string) killFinding {
	lower := strings.ToLower(text)
	if !strings.Contains(lower, "kill") && !strings.Contains(lower, "spps") && !strings.Contains(lower, "stop-process") && !strings.Contains(text, "`") {
		return killFinding{}
	}
	r := psReader{scopes: []psScope{{}}}
	psTokens(text, func(t psToken) bool {
		r.take(t)
		return r.rule == ""
	})
	for len(r.scopes) > 0 && r.rule == "" {
		r.close()
	}
	return killFinding{rule: r.rule, words: r.words}
}

// psReader follows the commands of a PowerShell text. A bracket opens a scope with a statement of its own.
type psReader struct {
	scopes      []psScope
	rule, words string
}

type psScope struct {
	words  []psToken // the command that is being read
	called bool      // behind the call operator: a string is a command too
	fed    bool      // an earlier command of the pipeline feeds this one
	// source: Get-Process without an id stands in this statement; loop: the statement is a foreach over it.
	source, loop bool
	inner        bool // the command has a command in brackets among its arguments
	any          bool // a command was read in this scope
}

// psDepthLimit is the depth from which on brackets are read as if they were not there.
const psDepthLimit = shellNestLimit

func (r *psReader) top() *psScope { return &r.scopes[len(r.scopes)-1] }

func (r *psReader) take(t psToken) {
	s := r.top()
	switch t.kind {
	case psWord:
		r.word(s, t)
	case psCall:
		r.endCommand()
		s.called = true
	case psPipe:
		r.endCommand()
	case psEnd:
		r.endCommand()
		s.fed, s.source, s.loop = false, false, false
	case psOpen:
		if t.glued && len(s.words) > 0 && endsWithKill(s.words[len(s.words)-1].text) && r.sourceAround() {
			r.refuse("Get-Process ... Kill()", s.words)
			return
		}
		if len(r.scopes) < psDepthLimit {
			r.scopes = append(r.scopes, psScope{})
		}
	case psClose:
		if len(r.scopes) > 1 {
			r.close()
		}
	}
}

func (r *psReader) word(s *psScope, t psToken) {
	bare := strings.ToLower(t.text)
	if !t.quoted && (bare == "=" || len(s.words) == 0 && (bare == "return" || bare == "else" || bare == "in")) {
		s.words = nil
		return
	}
	if !t.quoted && len(s.words) == 1 && bare == "in" { // foreach ($p in Get-Process x)
		s.words = nil
		return
	}
	s.words = append(s.words, t)
	s.loop = s.loop || len(s.words) == 1 && bare == "foreach"
}

// close ends the scope on top; what it held counts for the command around it.
func (r *psReader) close() {
	r.endCommand()
	s := *r.top()
	r.scopes = r.scopes[:len(r.scopes)-1]
	if len(r.scopes) == 0 {
		return
	}
	outer := r.top()
	outer.source = outer.source || s.source
	outer.inner = outer.inner || s.any
}

func (r *psReader) endCommand() {
	s := r.top()
	words, called, inner := s.words, s.called, s.inner
	s.words, s.called, s.inner = nil, false, false
	if len(words) == 0 || words[0].quoted && !called || !letter(words[0].text) {
		return
	}
	s.any = true
	if rule := r.judge(psName(words[0].text), words[1:], inner, s.fed); rule != "" {
		r.refuse(rule, words)
	}
	isSource := isGetProcess(psName(words[0].text))
	byID := isSource && slices.ContainsFunc(words[1:], func(t psToken) bool { return isParameter(t, "-id", len("-id")) })
	s.source = s.source || isSource && !byID
	s.fed = s.fed || !byID
}

func (r *psReader) refuse(rule string, words []psToken) {
	var text []string
	for _, w := range words {
		text = append(text, w.text)
	}
	r.rule, r.words = rule, strings.Join(text, " ")
}

func (r *psReader) judge(name string, args []psToken, inner, fed bool) string {
	switch name {
	case "killall", "pkill":
		return name
	case "taskkill":
		if slices.ContainsFunc(args, func(t psToken) bool {
			return strings.EqualFold(t.text, "/im") || strings.EqualFold(t.text, "//im")
		}) {
			return "taskkill /IM"
		}
	case "xargs":
		if slices.ContainsFunc(args, func(t psToken) bool { return !t.quoted && t.text == "kill" }) {
			return "xargs kill"
		}
	case "stop-process", "spps", "kill":
		return r.judgeStop(args, inner, fed)
	}
	return ""
}

func (r *psReader) judgeStop(args []psToken, inner, fed bool) string {
	switch {
	case slices.ContainsFunc(args, func(t psToken) bool { return isParameter(t, "-name", len("-n")) }):
		return "Stop-Process -Name"
	case inner:
		return "Stop-Process (...)"
	case fed:
		return "... | Stop-Process"
	case r.sourceAround() && slices.ContainsFunc(args, r.fromSource):
		return "Get-Process ... Stop-Process"
	}
	return ""
}

// fromSource reports whether the argument is the process that Get-Process, somewhere around, found.
func (r *psReader) fromSource(t psToken) bool {
	text := strings.ToLower(t.text)
	if strings.HasPrefix(text, "$_") || strings.HasPrefix(text, "$psitem") {
		return true
	}
	return strings.HasPrefix(text, "$") && slices.ContainsFunc(r.scopes, func(s psScope) bool { return s.loop })
}

func (r *psReader) sourceAround() bool {
	return slices.ContainsFunc(r.scopes, func(s psScope) bool { return s.source })
}

func endsWithKill(word string) bool { return strings.HasSuffix(strings.ToLower(word), ".kill") }

func psName(word string) string {
	return strings.TrimSuffix(strings.ToLower(word), ".exe")
}

func isGetProcess(name string) bool { return name == "get-process" || name == "gps" || name == "ps" }

// isParameter reports whether t is the parameter name, shortened to no less than least bytes, or with its value after a
// colon.
func isParameter(t psToken, name string, least int) bool {
	if t.quoted {
		return false
	}
	word, _, _ := strings.Cut(strings.ToLower(t.text), ":")
	return len(word) >= least && strings.HasPrefix(name, word)
}

func letter(word string) bool {
	return word != "" && (word[0] >= 'a' && word[0] <= 'z' || word[0] >= 'A' && word[0] <= 'Z')
}
