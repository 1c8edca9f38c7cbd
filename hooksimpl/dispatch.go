// Package hooksimpl is what viber does when the client calls a hook: it reads the payload once, asks every check that
// listens to the event, and answers with nothing or one JSON object.
//
// A hook never harms: no check's fault reaches another, no answer is exit code 2, nothing but the answer goes to stdout.
package hooksimpl

import (
	"io"
	"time"
)

// Budget is the time a call takes at most, well under the timeout it is registered with.
const Budget = 7 * time.Second

// readBudget is the part of it the payload may take to arrive.
const readBudget = 5 * time.Second

// Options are one call of `viber hook`.
type Options struct {
	// Name is an event of the client (PreToolUse) or the name of one check (plan-gate).
	Name   string
	Stdin  io.Reader
	Stdout io.Writer
	World  *World
}

// Run answers one hook call and returns the exit code: 0, or 1 when it broke before a check was known.
func Run(o Options) (code int) {
	defer func() {
		if recover() != nil {
			code = 1
		}
	}()
	started := time.Now()
	text, err := readObject(o.Stdin, readBudget)
	var p *Payload
	if err == nil {
		p, _ = ParsePayload(text) // nil: only a check called by its name answers
	}
	event, verdict := Answer(o.World, o.Name, p, Budget-time.Since(started))
	if out := encode(event, verdict); len(out) > 0 {
		_, _ = o.Stdout.Write(out)
	}
	return 0
}

// Answer asks the checks that name stands for about p, each at most for limit, and returns the event the answer is for
// with the merged verdict. p is nil when the payload could not be read: only a check called by its name answers then.
func Answer(w *World, name string, p *Payload, limit time.Duration) (event string, v Verdict) {
	if c, ok := findCheck(name); ok {
		return answerOne(w, c, p, limit)
	}
	if p == nil || p.Event != "" && p.Event != name {
		return name, Verdict{}
	}
	deadline := time.Now().Add(limit)
	var all []Verdict
	for _, c := range checks() {
		if c.applies(name, p) {
			all = append(all, c.ask(w, p, time.Until(deadline)))
		}
	}
	return name, merge(all)
}

func answerOne(w *World, c check, p *Payload, limit time.Duration) (string, Verdict) {
	event := c.events[0]
	if p != nil && p.Event != "" {
		event = p.Event
	}
	if p != nil && !c.appliesByName(p) {
		return event, Verdict{}
	}
	return event, c.ask(w, p, limit)
}
