package run

import (
	"errors"
	"fmt"
	"slices"

	"viber/gate"
)

// breaker looks at the rounds so far and says whether the run goes in circles.
func (s RunState) breaker(now []gate.Finding, at gate.Stamp) *Breaker {
	counters := map[string]int{"reworkCycles": len(s.ReviewIterations), "sameFinding": s.mostSeen(), "roundsWithoutProgress": s.idleRounds()}
	b := &Breaker{Counters: counters}
	switch {
	case len(now) == 0:
		return b
	case counters["sameFinding"] >= 3:
		b.Trigger, b.Detail = "same-finding", "a finding is there for the third time"
	case counters["roundsWithoutProgress"] >= 2:
		b.Trigger, b.Detail = "no-progress", "two rounds fixed nothing"
	case len(s.ReviewIterations) >= ReworkCap:
		b.Trigger, b.Detail = "rework-cycles", fmt.Sprintf("%d rework cycles are used up", len(s.ReviewIterations))
	default:
		return b
	}
	b.Tripped, b.TrippedAt = true, at
	b.Checkpoint = &Checkpoint{Phase: s.Phase, Step: "review", Iteration: len(s.ReviewIterations)}
	return b
}

// mostSeen is in how many rounds the most stubborn finding of the last round was there.
func (s RunState) mostSeen() int {
	n := len(s.ReviewIterations)
	if n == 0 || s.ReviewIterations[n-1].Delta == nil {
		return 0
	}
	most := 0
	last := s.ReviewIterations[n-1].Delta
	for _, fp := range append(slices.Clone(last.StillPresent), last.New...) {
		seen := 0
		for _, it := range s.ReviewIterations {
			if it.Delta != nil && (slices.Contains(it.Delta.StillPresent, fp) || slices.Contains(it.Delta.New, fp)) {
				seen++
			}
		}
		most = max(most, seen)
	}
	return most
}

// idleRounds counts the last rounds that fixed nothing and left something. The first round has nothing to fix.
func (s RunState) idleRounds() int {
	n := 0
	for i := len(s.ReviewIterations) - 1; i > 0; i-- {
		d := s.ReviewIterations[i].Delta
		if d == nil || len(d.Fixed) > 0 || len(d.StillPresent) == 0 {
			break
		}
		n++
	}
	return n
}

// Clear gives a tripped run free again: a person's decision. Its counters begin anew; the rounds stay on record.
func (f StateFile) Clear() (RunState, error) {
	return f.Swap(-1, func(s RunState, tree Tree) error {
		if !s.tripped() {
			return errors.New("the circuit breaker is not tripped")
		}
		delete(tree, "circuitBreaker")
		cleared := append(slices.Clone(tree.list("clearedIterations")), tree.list("reviewIterations")...)
		tree["clearedIterations"] = cleared
		tree["reviewIterations"] = []any{}
		for name, ph := range s.Phases {
			if ph.RetryCount > 0 {
				ph.RetryCount = 0
				if old, is := tree["phases"].(map[string]any)[name].(map[string]any); is {
					delete(old, "retryCount")
				}
			}
		}
		return nil
	})
}

func (t Tree) list(name string) []any {
	list, _ := t[name].([]any)
	return list
}

// Rung is the tier of the next attempt at a finding.
type Rung struct {
	Tier   string `json:"tier"`
	Rung   int    `json:"rung"`
	Reason string `json:"reason"`
}

// Rung says which tier the next attempt at a finding runs on: one up for every round after which it was still there,
// never below a tier that a failure of the same kind has reached, clamped into tiers (weakest first). It records the rung
// it gives, so a repeated failure never lowers it.
func (f StateFile) Rung(finding, kind string, tiers []string) (Rung, error) {
	s, _, err := f.Read()
	if err != nil {
		return Rung{}, err
	}
	if len(s.Tiers) > 0 && len(tiers) == 0 {
		tiers = s.Tiers
	}
	if len(tiers) == 0 {
		return Rung{}, errors.New("there are no tiers; name them with --tiers")
	}
	rounds := 0
	for _, it := range s.ReviewIterations {
		if it.Delta != nil && slices.Contains(it.Delta.StillPresent, finding) {
			rounds++
		}
	}
	at := min(max(rounds, s.Rungs[finding], s.Rungs["kind:"+kind]), len(tiers)-1)
	r := Rung{Tier: tiers[at], Rung: at, Reason: fmt.Sprintf("still present after %d rounds", rounds)}
	if at > rounds {
		r.Reason = "a failure of the same kind has reached this tier"
	}
	want := map[string]int{finding: at}
	if kind != "" {
		want["kind:"+kind] = max(at, s.Rungs["kind:"+kind])
	}
	if s.hasRungs(want) {
		return r, nil
	}
	_, err = f.Swap(-1, func(_ RunState, tree Tree) error { return tree.put("rungs", want) })
	return r, err
}

func (s RunState) hasRungs(want map[string]int) bool {
	for k, v := range want {
		if have, there := s.Rungs[k]; !there && v > 0 || there && have != v {
			return false
		}
	}
	return true
}

// Followup is something that goes into the pull request as not done.
type Followup struct {
	From     string        `json:"from"` // deferred or parked
	Severity gate.Severity `json:"severity"`
	File     string        `json:"file"`
	Line     int           `json:"line"`
	Issue    string        `json:"issue"`
	Reason   string        `json:"reason"`
}

// Followups lists what a commit would leave behind: the deferred findings of the triage and the parked ones of the state.
func (f StateFile) Followups(triagePath string) ([]Followup, error) {
	all := []Followup{}
	if triagePath != "" {
		t, _, err := gate.ReadTriage(triagePath, gate.Look{})
		if err != nil {
			return nil, err
		}
		for _, d := range t.Deferred {
			all = append(all, Followup{"deferred", d.Finding.Severity, string(d.Finding.File), int(d.Finding.Line), string(d.Finding.Issue), d.Reason})
		}
	}
	s, _, err := f.Read()
	if err != nil && !errors.Is(err, ErrNoState) {
		return nil, err
	}
	if n := len(s.ReviewIterations); n > 0 {
		for _, r := range s.ReviewIterations[n-1].Rulings {
			if r.Ruling == "parked" {
				all = append(all, Followup{"parked", r.Severity, r.File, r.Line, r.Issue, r.Reason})
			}
		}
	}
	return all, nil
}
