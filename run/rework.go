package run

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"viber/gate"
)

// The exit codes of the rework commands, as docs/gates/rework.md lists them.
const (
	ReworkTooEarly   = 1 // the rounds are not used up: send the findings back
	ReworkEscalate   = 2 // a person decides
	ReworkUnreadable = 3 // the caller treats it as escalate
)

// ReworkCap is the number of review-fix rounds of a whole diff.
const ReworkCap = 3

// ReworkAnswer is what a rework command found out.
type ReworkAnswer struct {
	Exit    int      `json:"exit"`
	Cycle   int      `json:"cycle"`
	Message string   `json:"message"`
	Rulings []Ruling `json:"rulings,omitempty"`
	Delta   *Changes `json:"delta,omitempty"`
	Tripped bool     `json:"tripped"`
}

// Cycle is how many rounds of rework the run has had.
func (s RunState) Cycle() int {
	n := len(s.ReviewIterations)
	for _, ph := range s.Phases {
		n = max(n, ph.RetryCount)
	}
	if s.CircuitBreaker != nil {
		n = max(n, s.CircuitBreaker.Counters["reworkCycles"])
	}
	return n
}

// Rulings rules on what is left after the last round: blocking findings and those of the security class escalate, the
// others are parked into the state as follow-ups. With nothing to escalate the run goes on: the circuit breaker that the
// used-up rounds tripped lets go. Ruling twice on the same triage writes nothing new.
func (f StateFile) Rulings(triagePath string, look gate.Look) (ReworkAnswer, error) {
	t, _, err := gate.ReadTriage(triagePath, look)
	if err != nil {
		return ReworkAnswer{Exit: ReworkUnreadable}, err
	}
	s, _, err := f.Read()
	if err != nil {
		return ReworkAnswer{Exit: ReworkUnreadable}, err
	}
	if s.Cycle() < ReworkCap {
		return ReworkAnswer{Exit: ReworkTooEarly, Cycle: s.Cycle(), Message: fmt.Sprintf("round %d of %d: send the accepted findings back first", s.Cycle(), ReworkCap)}, nil
	}
	rulings := rule(t)
	out := ReworkAnswer{Cycle: s.Cycle(), Rulings: rulings, Message: fmt.Sprintf("%d parked as follow-ups", len(rulings))}
	escalated := slices.DeleteFunc(slices.Clone(rulings), func(r Ruling) bool { return r.Ruling != "escalate" })
	if len(escalated) > 0 {
		out.Exit, out.Message = ReworkEscalate, fmt.Sprintf("%d of %d findings need a person: %s", len(escalated), len(rulings), escalated[0].place())
	}
	if s.ruled(rulings) && (out.Exit == ReworkEscalate || !s.tripped()) {
		out.Tripped = s.tripped()
		return out, nil
	}
	after, err := f.Swap(s.Version, func(s RunState, tree Tree) error {
		if out.Exit != ReworkEscalate {
			tree.letGo(s.CircuitBreaker)
		}
		return tree.putRulings(f.stamp(), rulings)
	})
	out.Tripped = after.tripped()
	return out, err
}

// letGo leaves a tripped breaker on record and lets the run go on.
func (t Tree) letGo(b *Breaker) {
	if old, is := t["circuitBreaker"].(map[string]any); is && b != nil && b.Tripped {
		old["tripped"], old["detail"] = false, b.Detail+"; what is left was parked"
	}
}

func (r Ruling) place() string { return fmt.Sprintf("%s:%d %s", r.File, r.Line, r.Issue) }

func rule(t gate.Triage) []Ruling {
	var all []Ruling
	for _, a := range t.Accepted {
		r := Ruling{Fingerprint: string(a.Fingerprint), Ruling: "parked", Severity: a.Severity, File: string(a.File), Line: int(a.Line), Issue: string(a.Issue), Reason: "rework cycles used up; not blocking"}
		switch {
		case a.Severity == gate.Blocking:
			r.Ruling, r.Reason = "escalate", "blocking after the last round"
		case gate.IsSecurity(a.Finding):
			r.Ruling, r.Reason = "escalate", "security after the last round"
		}
		all = append(all, r)
	}
	return all
}

func (s RunState) ruled(rulings []Ruling) bool {
	n := len(s.ReviewIterations)
	return n > 0 && s.ReviewIterations[n-1].Rulings != nil && slices.Equal(s.ReviewIterations[n-1].Rulings, rulings)
}

// putRulings writes into the last iteration and keeps its other fields, those of other versions too.
func (t Tree) putRulings(at gate.Stamp, rulings []Ruling) error {
	list, _ := t["reviewIterations"].([]any)
	if len(list) == 0 {
		list = append(list, map[string]any{"at": string(at)})
	}
	last, is := list[len(list)-1].(map[string]any)
	if !is {
		return errors.New("reviewIterations holds something that is no object")
	}
	delete(last, "rulings")
	t["reviewIterations"] = list
	return Tree(last).put("rulings", notNil(rulings))
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Record adds a round of rework for a triage: what the fix of the round before mended, left and brought. It trips the
// circuit breaker when the rounds are used up, when a finding is there for the third time, and when two rounds brought
// nothing forward. Recording the same triage twice changes nothing. look knows the names files had before.
func (f StateFile) Record(triagePath, previousPath string, look gate.Look) (ReworkAnswer, error) {
	t, hash, err := gate.ReadTriage(triagePath, look)
	if err != nil {
		return ReworkAnswer{Exit: ReworkUnreadable}, err
	}
	hash = filepath.Base(triagePath) + ":" + hash // two rounds may find the same
	now := acceptedFindings(t)
	var before []gate.Finding
	if previousPath != "" {
		p, _, err := gate.ReadTriage(previousPath, look)
		if err != nil {
			return ReworkAnswer{Exit: ReworkUnreadable}, err
		}
		before = acceptedFindings(p)
	}
	changes := changesOf(gate.Compare(before, now, look))
	var out ReworkAnswer
	_, err = f.Swap(-1, func(s RunState, tree Tree) error {
		if n := len(s.ReviewIterations); n > 0 && s.ReviewIterations[n-1].Triage == hash {
			out = s.answer(s.ReviewIterations[n-1].Delta)
			return errUnchanged
		}
		if s.tripped() {
			out = s.answer(nil)
			return errUnchanged
		}
		s.ReviewIterations = append(s.ReviewIterations, Iteration{Triage: hash, At: f.stamp(), Delta: &changes})
		list, _ := tree["reviewIterations"].([]any)
		fresh := Tree{}
		if err := fresh.put("x", s.ReviewIterations[len(s.ReviewIterations)-1]); err != nil {
			return err
		}
		tree["reviewIterations"] = append(list, fresh["x"])
		s.CircuitBreaker = s.breaker(now, f.stamp())
		out = s.answer(&changes)
		return tree.put("circuitBreaker", s.CircuitBreaker)
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return out, err
}

var errUnchanged = errors.New("nothing to write")

func acceptedFindings(t gate.Triage) []gate.Finding {
	var all []gate.Finding
	for _, a := range t.Accepted {
		all = append(all, a.Finding)
	}
	return all
}

func changesOf(d gate.Delta) Changes {
	return Changes{Fixed: prints(d.Fixed), StillPresent: prints(d.StillPresent), New: prints(d.New)}
}

func prints(findings []gate.Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, string(f.Fingerprint))
	}
	return all
}

func (s RunState) tripped() bool { return s.CircuitBreaker != nil && s.CircuitBreaker.Tripped }

func (s RunState) answer(delta *Changes) ReworkAnswer {
	a := ReworkAnswer{Cycle: s.Cycle(), Delta: delta, Tripped: s.tripped(), Message: fmt.Sprintf("round %d of %d", s.Cycle(), ReworkCap)}
	if a.Tripped {
		a.Exit, a.Message = ReworkEscalate, a.Message+": the circuit breaker tripped: "+s.CircuitBreaker.Detail
	}
	return a
}
