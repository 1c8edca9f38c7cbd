package hooksimpl

import (
	"bytes"
	"io"
	"time"
)

// Span is a dispatch of a reviewer with the verdict that answered it; lines count from 1, 0 = none.
type Span struct {
	Dispatch int `json:"dispatch"`
	Verdict  int `json:"verdict"`

	value     string
	timestamp string
}

// review follows the dispatches of one reviewer after the last write of the plan.
type review struct {
	lastDispatch int    // line of the last dispatch, 0 = none
	call         int    // line of the dispatch that waits for its verdict, 0 = none
	id           string // its call id; without one any verdict answers it
	pair         Span   // last dispatch that got its verdict
}

// episode is what a transcript says about plan mode, read in one pass.
type episode struct {
	in io.ReaderAt

	start     int // line of the last record that left plan mode, 0 = none
	planWrite int // line of the last plan write, 0 = none
	planPath  string

	planner chain // the planner's own signs
	hints   chain // the same with intent and fixer, for the hint

	plannerReview, plainReview review

	note func(line int, what string) // when set, is told every line that decided something

	call   string // id of the call that is judged
	called bool   // its record was read
}

// chain follows a skill that leads into plan mode: its call, and the EnterPlanMode that may come before the next prompt.
type chain struct {
	skill, entry int
	pending      bool
}

// inEpisode reports whether the chain began inside the plan-mode episode that began after line start.
func (c chain) inEpisode(start int) bool { return c.skill > start || c.entry > start }

func (c *chain) begin(line int, pending bool) { *c = chain{skill: line, pending: pending} }

func (c *chain) follow(line int, f *lineFacts) {
	switch {
	case c.pending && f.enter:
		c.entry, c.pending = line, false
	case c.pending && (f.planMode || f.prompt):
		c.pending = false
	}
}

// readEpisode reads the transcript at path. A file that is not there, or is no file, gives an error.
func readEpisode(w *World, path string) (*episode, error) {
	e := &episode{}
	return e, e.read(w, path)
}

func (e *episode) read(w *World, path string) error {
	f, err := w.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	e.in = f
	return readTranscript(f, info.Size(), e.line)
}

func (e *episode) say(line int, what string) {
	if e.note != nil {
		e.note(line, what)
	}
}

func (e *episode) line(n int, f *lineFacts) {
	e.called = e.called || e.call != "" && f.callID == e.call
	if f.modeRecord && !f.planMode {
		e.start = n
		e.say(n, "plan mode is off: a new episode begins")
	}
	e.followSkills(n, f)
	if f.isPlanWrite() {
		e.planWrite, e.planPath = n, f.planPath
		e.plannerReview, e.plainReview = review{}, review{}
		e.say(n, "plan write: "+f.planPath)
		return
	}
	if e.planWrite == 0 {
		return
	}
	e.plannerReview.line(e, n, f, f.agents.plannerReview, AgentPlannerReview)
	e.plainReview.line(e, n, f, f.agents.plainReview, AgentPlainPlanReview)
}

func (e *episode) followSkills(n int, f *lineFacts) {
	switch {
	case f.skillTool && f.planner:
		e.planner.begin(n, true)
		e.hints.begin(n, true)
		e.say(n, "skill "+SkillPlanner+" was called")
		return
	case f.skillTool && f.handoff:
		e.hints.begin(n, true)
		e.say(n, "skill "+SkillIntent+" or "+SkillFixer+" was called")
	case f.typed:
		e.hints.begin(n, false)
		e.say(n, "the user typed the command of "+SkillIntent+" or "+SkillFixer)
	default:
		e.hints.follow(n, f)
	}
	e.planner.follow(n, f)
}

// line follows one line; dispatched says that it dispatches this reviewer.
func (r *review) line(e *episode, n int, f *lineFacts, dispatched bool, agent string) {
	switch {
	case dispatched:
		r.lastDispatch, r.call, r.id = n, n, f.callID
		e.say(n, agent+" was dispatched "+f.callID)
	case f.launched:
	case r.call > 0 && r.id == "" && f.agents != (agentSet{}):
		r.call = 0 // without ids the verdict of another agent cannot be told from ours
	case r.call > 0 && f.verdict != "":
		if r.id != "" && !holdsID(e.in, f, r.id) {
			e.say(n, VerdictLabel+" "+f.verdict+" belongs to another call than "+r.id)
			return
		}
		r.pair = Span{Dispatch: r.call, Verdict: n, value: f.verdict, timestamp: f.timestamp}
		r.call = 0
		e.say(n, VerdictLabel+" "+f.verdict+" of "+agent)
	}
}

// holdsID reports whether the line f of in holds id as a whole word.
func holdsID(in io.ReaderAt, f *lineFacts, id string) bool {
	buf := make([]byte, 64<<10)
	const overlap = 1 << 10
	for at := f.start; at < f.end; {
		n, err := in.ReadAt(buf[:min(int64(len(buf)), f.end-at)], at)
		if wholeWord(buf[:n], id, at+int64(n) == f.end) {
			return true
		}
		if err != nil || n <= overlap || at+int64(n) == f.end {
			return false
		}
		at += int64(n - overlap)
	}
	return false
}

func wholeWord(text []byte, id string, atEnd bool) bool {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(id))
		if i < 0 {
			return false
		}
		i += from
		end := i + len(id)
		if (i == 0 || !idByte(text[i-1])) && (end < len(text) && !idByte(text[end]) || end == len(text) && atEnd) {
			return true
		}
		from = i + 1
	}
}

// verdictTime reads a record's timestamp, the fraction cut; one without a zone is UTC.
func verdictTime(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04:05Z0700"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Truncate(time.Second), true
		}
	}
	return time.Time{}, false
}
