package hooksimpl

import (
	"slices"
	"strings"
	"time"
)

// check is one thing viber decides at a hook. Its file holds its rule; this value says when it is asked.
type check struct {
	name    string
	events  []string
	tools   []string      // tool names; empty = any, or an event without tools
	sources []string      // values of source; empty = any
	limit   time.Duration // time it takes at most; 0 = what the call has left

	run func(w *World, p *Payload) Verdict
	// fault answers when the payload cannot be read (p is then nil), when run panics, or when it takes too long.
	fault func(w *World, p *Payload) Verdict
	// because says, for `viber explain`, what decided.
	because func(w *World, p *Payload) []string
}

// checks lists every check, in the order in which their reasons and contexts are joined.
func checks() []check {
	return []check{
		planGate(), killGuard(), gitGuard(), secretsGuard(), selfGuard(), readSize(), runScope(),
		planHints(), sessionStart(), capture(),
		fileContext(), syntaxCheck(), taskMirror(), runStop(),
	}
}

// applies is the check's own matcher, whatever the settings file registered.
func (c check) applies(event string, p *Payload) bool {
	return slices.Contains(c.events, event) && within(c.tools, p.Tool) && within(c.sources, p.Source)
}

// appliesByName is the matcher of a check that was called by its name: fields the payload leaves out pass, and the source
// of a session is the caller's choice.
func (c check) appliesByName(p *Payload) bool {
	return (p.Event == "" || slices.Contains(c.events, p.Event)) && (p.Tool == "" || within(c.tools, p.Tool))
}

// within reports whether value is in list; an empty list holds everything, a word that ends in * all that begin with it.
func within(list []string, value string) bool {
	return len(list) == 0 || slices.ContainsFunc(list, func(word string) bool {
		prefix, open := strings.CutSuffix(word, "*")
		return word == value || open && strings.HasPrefix(value, prefix)
	})
}

// ask runs the check on a goroutine of its own; whatever goes wrong in it becomes its fault answer, and is noted.
func (c check) ask(w *World, p *Payload, limit time.Duration) Verdict {
	return askAll(w, p, []check{c}, limit)
}

// try runs the check; fault says what it broke on. Without a payload there is only its fault answer.
func (c check) try(w *World, p *Payload) (v Verdict, fault string) {
	defer func() {
		if r := recover(); r != nil {
			v, fault = Verdict{}, describePanic(r)
		}
	}()
	if p == nil {
		return c.faultAnswer(w, p), ""
	}
	return c.run(w, p), ""
}

func (c check) faultAnswer(w *World, p *Payload) (v Verdict) {
	defer func() {
		if recover() != nil {
			v = Verdict{}
		}
	}()
	return c.fault(w, p)
}

func silence(*World, *Payload) Verdict { return Verdict{} }
