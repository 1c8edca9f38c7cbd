package hooksimpl

import (
	"encoding/json"
	"fmt"
	"strings"

	"viber/run"
)

// stopBlocks is how often in a row the end of a turn is refused.
const stopBlocks = 3

// codeRunStop is the stable code of run-stop's refusal.
const codeRunStop = "VG-401"

// runStop keeps a session from ending its turn while the run it owns has tasks left that wait for nobody.
func runStop() check {
	return check{
		name:    "run-stop",
		events:  []string{EventStop},
		run:     runRunStop,
		fault:   silence,
		because: explainRunStop,
	}
}

func runRunStop(w *World, p *Payload) Verdict {
	j := judgeStop(w, p)
	if j.why != "" {
		return Verdict{}
	}
	if w.mayWrite() {
		err := run.ChangeStops(w.Files, j.run.root, p.Session, func(s *run.Stops) {
			j.next = j.after(w, p, *s)
			*s = j.next
		})
		if err != nil {
			return Verdict{}
		}
	}
	v := j.verdict()
	if v.Decision == Deny && j.next.Blocks == stopBlocks && w.mayWrite() {
		j.halt(w)
	}
	return v
}

// stopJudgement is what run-stop thinks of the end of a turn.
type stopJudgement struct {
	run      ownedRun
	left     []string // ids of the tasks
	total    int
	progress string
	next     run.Stops // what the session remembers afterwards
	letGo    bool      // the counter is full, or somebody else keeps the turn going
	why      string    // the reason to have no opinion
}

func judgeStop(w *World, p *Payload) stopJudgement {
	r, why := w.owned(p, "run-stop")
	j := stopJudgement{run: r, why: why}
	if why != "" {
		return j
	}
	if j.why = leftAlone(w, p); j.why != "" {
		return j
	}
	if j.why = j.readRun(w); j.why == "" {
		j.next = j.after(w, p, run.ReadStops(r.root, p.Session))
	}
	return j
}

// leftAlone says why the turn may end whatever the run looks like, empty when nothing speaks for that.
func leftAlone(w *World, p *Payload) string {
	var tasks []json.RawMessage
	switch {
	case p.AgentID != "":
		return "a subagent ends"
	case p.Decode("background_tasks", &tasks) == nil && len(tasks) > 0:
		return fmt.Sprintf("%d background tasks are still at work", len(tasks))
	case abortedByUser(w, p.Transcript):
		return "the user stopped the turn"
	}
	return ""
}

// readRun looks for tasks that are left, and says why nobody has to go on with them.
func (j *stopJudgement) readRun(w *World) string {
	loaded, err := j.run.load()
	if err != nil {
		return "the run " + j.run.key + " cannot be read"
	}
	ids := loaded.Plan.IDs()
	done, skipped := loaded.Status.Progress(ids)
	j.total, j.progress = len(ids), fmt.Sprintf("%d+%d/%d", done, skipped, len(ids))
	states := loaded.Status.States()
	for _, id := range ids {
		if s := states[id]; s != run.Done && s != run.Skipped {
			j.left = append(j.left, id)
		}
	}
	if len(j.left) == 0 {
		return "the run " + j.run.key + " has no task left"
	}
	state, _, err := j.run.stored(w).File.Read()
	switch {
	case err != nil:
		return ""
	case state.Status == "waiting" || state.PendingQuestion != nil:
		return "the run waits for an answer of the user"
	case state.GivenUp():
		return "the user stopped the run; /viber:resume takes it up again"
	case state.CircuitBreaker != nil && state.CircuitBreaker.Tripped:
		return "the run's breaker is tripped: it waits for the user"
	}
	return ""
}

func (r ownedRun) stored(w *World) run.Stored {
	return run.StateCall{Call: run.Call{Files: w.Files, Now: w.Now}}.Stored(r.root, r.key)
}

// after works out what the session remembers when this turn ends, and whether it may.
func (j *stopJudgement) after(w *World, p *Payload, s run.Stops) run.Stops {
	var active bool
	_ = p.Decode("stop_hook_active", &active)
	j.letGo = false
	if s.Run != j.run.key {
		s = run.Stops{Run: j.run.key}
	}
	if !active {
		s.Blocks, s.Chain, s.Seen = 0, false, 0
	}
	if s.Progress != "" && s.Progress != j.progress {
		s.Progress = ""
	}
	if active && !s.Chain || s.Progress != "" {
		j.letGo = true // another hook's loop, or halted here already
		return s
	}
	size := transcriptSize(w, p)
	if s.Chain && calledTool(w, p.Transcript, s.Seen) {
		s.Blocks = 0
	}
	s.Blocks, s.Chain, s.Seen = s.Blocks+1, true, size
	if s.Blocks == stopBlocks {
		s.Progress = j.progress
	}
	return s
}

func (j *stopJudgement) halt(w *World) {
	_ = j.run.stored(w).Halt(fmt.Sprintf("the session ended %d turns in a row with %d of %d tasks left", stopBlocks, len(j.left), j.total))
}

func (j *stopJudgement) verdict() Verdict {
	if j.letGo {
		return Verdict{}
	}
	left := j.left
	more := ""
	if len(left) > 8 {
		left, more = left[:8], fmt.Sprintf(" and %d more", len(j.left)-8)
	}
	text := fmt.Sprintf("%s: the run %s has %d of %d tasks left: %s%s. Go on with it: viber plan-index %s. When the user has to decide "+
		"something first, ask now; a task that is not to be built is skipped with viber commit-task --skip.",
		codeRunStop, j.run.key, len(j.left), j.total, strings.Join(left, ", "), more, j.run.plan())
	if j.next.Blocks == stopBlocks {
		text += " This is the last reminder: the run is marked as stopped, and the next end of the turn counts."
	}
	return Verdict{Decision: Deny, Reason: text}
}

func explainRunStop(w *World, p *Payload) []string {
	j := judgeStop(w, p)
	if j.why != "" {
		return []string{j.why}
	}
	lines := []string{fmt.Sprintf("the run %s belongs to the session and has %d of %d tasks left", j.run.key, len(j.left), j.total)}
	switch {
	case j.next.Progress != "" && j.letGo:
		return append(lines, "it was halted after three refusals and has not moved since")
	case j.letGo:
		return append(lines, "stop_hook_active without a refusal of this check: another hook keeps the turn going")
	}
	return append(lines, fmt.Sprintf("refusal %d of %d in a row", j.next.Blocks, stopBlocks))
}
