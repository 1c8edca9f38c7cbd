package hooksimpl

import (
	"sync/atomic"
	"time"
)

// relay asks the checks of one call in turn, on the goroutine that starts it: to hand each to another one costs more than
// most of them take. Where a check is late, the goroutine of its timer gives its fault answer and asks the rest.
type relay struct {
	world    *World
	payload  *Payload
	deadline time.Time
	checks   []check
	// done gets the merged verdict, once; with late, the goroutine that started the relay may still be held by a check.
	done func(v Verdict, late bool)

	turn atomic.Int32 // the check at work: whoever moves it on answers for that check
	said []Verdict    // by the checks before it
}

// work asks the checks from number turn on, until one is late.
func (r *relay) work(turn int, late bool) {
	for ; turn < len(r.checks); turn++ {
		if !r.ask(turn) {
			return
		}
	}
	r.done(merge(r.said), late)
}

// ask asks check number turn; it is false when the check was late and another goroutine went on.
func (r *relay) ask(turn int) bool {
	c := r.checks[turn]
	limit := time.Until(r.deadline)
	if c.limit > 0 {
		limit = min(limit, c.limit)
	}
	timer := time.AfterFunc(limit, func() { r.takeOver(turn, limit) })
	v, fault := c.try(r.world, r.payload)
	timer.Stop()
	if !r.claim(turn) {
		return false
	}
	if fault != "" {
		v = r.faultOf(c, fault)
	}
	r.said = append(r.said, v)
	return true
}

func (r *relay) claim(turn int) bool { return r.turn.CompareAndSwap(int32(turn), int32(turn+1)) }

// takeOver answers for check number turn, which had limit, and asks those behind it.
func (r *relay) takeOver(turn int, limit time.Duration) {
	if !r.claim(turn) {
		return
	}
	defer func() {
		if recover() != nil { // nothing else could catch it, and the process would end with 2
			r.done(Verdict{}, true)
		}
	}()
	r.said = append(r.said, r.faultOf(r.checks[turn], "no answer within "+limit.String()))
	r.work(turn+1, true)
}

func (r *relay) faultOf(c check, fault string) Verdict {
	r.world.noteFault(c.name, r.payload, fault)
	return c.faultAnswer(r.world, r.payload)
}
