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
	// End ends the process with an exit code. It is called when the answer is out while Run is still held by a payload that
	// does not arrive or by a check that does not come back. nil: Run returns when it can.
	End func(code int)
}

// Run answers one hook call and returns the exit code: 0, or 1 when it broke before a check was known.
func Run(o Options) (code int) {
	defer func() {
		if recover() != nil {
			code = 1
		}
	}()
	c := call{Options: o, deadline: time.Now().Add(Budget), answered: make(chan struct{})}
	reading := time.AfterFunc(readBudget, c.answerUnread)
	text, err := scanObject(o.Stdin)
	if reading.Stop() {
		var p *Payload
		if err == nil {
			p, _ = ParsePayload(text) // nil: only a check called by its name answers
		}
		c.answer(p, false)
	}
	<-c.answered
	return 0
}

// call is one hook call at work.
type call struct {
	Options
	deadline time.Time
	answered chan struct{} // closed when the answer is out
}

// answerUnread answers for a payload that does not arrive. It runs on a goroutine of its own, where a panic would end the
// process with 2.
func (c *call) answerUnread() {
	defer func() {
		if recover() != nil && c.End != nil {
			c.End(1)
		}
	}()
	c.answer(nil, true)
}

func (c *call) answer(p *Payload, late bool) {
	event, checks := asked(c.Name, p)
	r := relay{world: c.World, payload: p, deadline: c.deadline, checks: checks, done: func(v Verdict, late bool) { c.say(event, v, late) }}
	r.work(0, late)
}

func (c *call) say(event string, v Verdict, late bool) {
	if out := encode(event, v); len(out) > 0 {
		_, _ = c.Stdout.Write(out)
	}
	close(c.answered)
	if late && c.End != nil {
		c.End(0)
	}
}

// Answer asks the checks that name stands for about p, for limit in all, and returns the event the answer is for with the
// merged verdict. p is nil when the payload could not be read: only a check called by its name answers then.
func Answer(w *World, name string, p *Payload, limit time.Duration) (event string, v Verdict) {
	event, checks := asked(name, p)
	return event, askAll(w, p, checks, limit)
}

// askAll asks checks about p, for limit in all, on a goroutine that is left behind when a check is late.
func askAll(w *World, p *Payload, checks []check, limit time.Duration) Verdict {
	got := make(chan Verdict, 1)
	r := relay{world: w, payload: p, deadline: time.Now().Add(limit), checks: checks, done: func(v Verdict, _ bool) { got <- v }}
	go r.work(0, false)
	return <-got
}

// asked returns the event that the answer to name is for, and the checks it stands for where p is the payload.
func asked(name string, p *Payload) (event string, all []check) {
	for _, c := range checks() {
		switch {
		case c.name == name:
			return c.askedByName(p)
		case p != nil && (p.Event == "" || p.Event == name) && c.applies(name, p):
			all = append(all, c)
		}
	}
	return name, all
}

// askedByName is asked for the name of the check itself.
func (c check) askedByName(p *Payload) (event string, all []check) {
	event = c.events[0]
	if p != nil && p.Event != "" {
		event = p.Event
	}
	if p == nil || c.appliesByName(p) {
		all = []check{c}
	}
	return event, all
}
