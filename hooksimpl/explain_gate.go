package hooksimpl

import (
	"fmt"
	"time"
)

// GateReport is what plan-gate sees in a transcript; lines count from 1, 0 = none.
type GateReport struct {
	Outcome   Outcome     `json:"outcome"`
	Verdict   string      `json:"verdict"`
	Reviewer  string      `json:"reviewer,omitempty"`
	Plan      string      `json:"plan,omitempty"`
	Episode   int         `json:"episode"`    // line after which the plan-mode episode began
	PlanWrite int         `json:"plan_write"` // line of the last write of the plan
	Dispatch  int         `json:"dispatch"`   // line of the reviewer's last dispatch
	Answered  Span        `json:"answered"`   // last dispatch that got its verdict
	PlanTime  string      `json:"plan_time,omitempty"`
	PassTime  string      `json:"verdict_time,omitempty"`
	Reason    string      `json:"reason,omitempty"` // what the model is told
	Because   []string    `json:"because"`
	Events    []GateEvent `json:"events"` // every line that decided something
}

// GateEvent is a line of the transcript that decided something.
type GateEvent struct {
	Line int    `json:"line"`
	What string `json:"what"`
}

// ExplainGate judges the plan of the session whose transcript is given, as plan-gate would now; cwd is its working
// directory, empty when it is not known.
func ExplainGate(w *World, transcript, cwd string) GateReport {
	var events []GateEvent
	j := judgePlan(w, transcript, cwd, func(line int, what string) { events = append(events, GateEvent{line, what}) })
	v := j.verdict()
	r := GateReport{
		Outcome: j.outcome, Verdict: v.Decision.String(), Plan: j.planPath, Reason: v.Reason, Events: events, Because: j.because(),
		Dispatch: j.review.lastDispatch, Answered: j.review.pair, PlanTime: stamp(j.planTime), PassTime: stamp(j.passTime),
	}
	if j.reviewer != "" {
		r.Reviewer = AgentPrefix + j.reviewer
	}
	if j.episode != nil {
		r.Episode, r.PlanWrite = j.episode.start, j.episode.planWrite
	}
	return r
}

func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// because says in order what led to the outcome.
func (j planJudgement) because() []string {
	if j.episode == nil {
		return []string{j.why}
	}
	e := j.episode
	lines := []string{fmt.Sprintf("the plan-mode episode began after line %d", e.start)}
	if e.planWrite > e.start {
		lines = append(lines, fmt.Sprintf("the plan %s was written last in line %d", j.planPath, e.planWrite))
	}
	if j.reviewer == "" {
		return append(lines, j.why)
	}
	lines = append(lines, "its reviewer is "+AgentPrefix+j.reviewer+": "+j.authorship())
	switch r := j.review; {
	case r.lastDispatch == 0:
		return append(lines, "the reviewer was not dispatched after that")
	case r.pair.Verdict == 0:
		return append(lines, fmt.Sprintf("dispatched in line %d, and no verdict of that call came back", r.lastDispatch))
	}
	pair := j.review.pair
	lines = append(lines, fmt.Sprintf("dispatched in line %d, answered %s in line %d", pair.Dispatch, pair.value, pair.Verdict))
	if !j.planTime.IsZero() {
		lines = append(lines, fmt.Sprintf("the file was modified %s, the verdict is of %s", stamp(j.planTime), stamp(j.passTime)))
	}
	return lines
}

func (j planJudgement) authorship() string {
	if j.reviewer == AgentPlannerReview {
		return fmt.Sprintf("the planner leads this episode (line %d) and the plan carries its frontmatter, or cannot be read", max(j.episode.planner.skill, j.episode.planner.entry))
	}
	return "plain plan mode, and " + SwitchGroup + "." + SwitchPlainReview + " is on"
}

func explainGateCheck(w *World, p *Payload) []string {
	return judgePlan(w, p.Transcript, p.Cwd, nil).because()
}
