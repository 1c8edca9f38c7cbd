package hooksimpl

import (
	"bytes"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"viber/schema"
)

// planGate lets plan mode end only when the plan was reviewed: after the last write of a plan file in this plan-mode
// episode its reviewer must have been dispatched and must have answered VERDICT: PASS, and the file must not be newer.
// Whatever cannot be read lets the plan through.
func planGate() check {
	return check{
		name:   "plan-gate",
		events: []string{EventPreToolUse},
		tools:  []string{ToolExitPlanMode},
		run: func(w *World, p *Payload) Verdict {
			return judgeCall(w, p).verdict()
		},
		because: explainGateCheck,
		fault:   func(*World, *Payload) Verdict { return Verdict{Decision: Allow} },
	}
}

// Outcome is what plan-gate found.
type Outcome string

// The outcomes of plan-gate; all but the first refuse.
const (
	PlanAllowed    Outcome = "allow"
	PlanUnreviewed Outcome = "no-dispatch"
	PlanUnanswered Outcome = "no-verdict"
	PlanDenied     Outcome = "denied"
	PlanFailed     Outcome = "fail"
	PlanStale      Outcome = "stale"
)

// planJudgement is the outcome with everything that led to it.
type planJudgement struct {
	outcome  Outcome
	why      string // for a plan that is let through without a review
	episode  *episode
	reviewer string // name of the agent, empty when none is asked for
	review   review
	planPath string // as it was found, or as it was written when it was not found
	planTime time.Time
	passTime time.Time
}

// staleTolerance is how much later than its verdict a plan file may have been modified: times are cut to seconds, and the
// verdict's record may be written before the plan file's write is on disk.
const staleTolerance = 2 * time.Second

// judgePlan reads the transcript of a session whose working directory is cwd.
func judgePlan(w *World, transcript, cwd string, note func(int, string)) planJudgement {
	return judgeEpisode(w, transcript, cwd, &episode{note: note})
}

// judgePlanUpTo judges the plan of the session p is of, and looks for the record of the call id.
func judgePlanUpTo(w *World, p *Payload, id string) planJudgement {
	return judgeEpisode(w, p.Transcript, p.Cwd, &episode{call: id})
}

func judgeEpisode(w *World, transcript, cwd string, e *episode) planJudgement {
	j := planJudgement{outcome: PlanAllowed}
	if transcript == "" {
		j.why = "the payload names no transcript"
		return j
	}
	if err := e.read(w, transcript); err != nil {
		j.why = "the transcript cannot be read: " + err.Error()
		return j
	}
	j.episode = e
	if e.planWrite == 0 || e.planWrite <= e.start {
		j.why = "no plan file was written in this plan-mode episode"
		return j
	}
	j.planPath = locatePlan(w, e.planPath, cwd)
	j.chooseReviewer(w, cwd)
	if j.reviewer != "" {
		j.judgeReview(w)
	}
	return j
}

// locatePlan returns the plan file's path: as it was written, or below cwd when it is found there.
func locatePlan(w *World, path, cwd string) string {
	if w.IsFile(path) || cwd == "" {
		return path
	}
	if below := filepath.Join(cwd, path); w.IsFile(below) {
		return below
	}
	return path
}

func (j *planJudgement) chooseReviewer(w *World, cwd string) {
	if j.episode.planner.inEpisode(j.episode.start) && fromPlanner(w, j.planPath) {
		j.reviewer, j.review = AgentPlannerReview, j.episode.plannerReview
		return
	}
	switch {
	case cwd == "" || !w.IsDir(cwd):
		j.why = "plain plan mode, and the payload names no working directory"
	case !schema.Read(schema.Root(cwd)).Bool(SwitchGroup + "." + SwitchPlainReview):
		j.why = "plain plan mode, and " + SwitchGroup + "." + SwitchPlainReview + " is off"
	default:
		j.reviewer, j.review = AgentPlainPlanReview, j.episode.plainReview
	}
}

const planSizeLimit = 16 << 20

// fromPlanner reports whether the plan file opens with the planner's frontmatter. A file that is missing or cannot be read
// keeps the stricter reviewer.
func fromPlanner(w *World, path string) bool {
	text, err := w.Read(path, planSizeLimit)
	if err != nil {
		return true
	}
	first := true
	for line := range bytes.SplitSeq(text, []byte{'\n'}) {
		fence := string(bytes.TrimSuffix(line, []byte{'\r'})) == "---"
		switch {
		case first && !fence:
			return false
		case !first && fence:
			return false
		case bytes.HasPrefix(line, []byte(PlanSourceKey)):
			return true
		}
		first = false
	}
	return false
}

func (j *planJudgement) judgeReview(w *World) {
	switch pair := j.review.pair; {
	case j.review.lastDispatch == 0:
		j.outcome = PlanUnreviewed
	case pair.Verdict == 0:
		j.outcome = PlanUnanswered
	case pair.value == VerdictDenied:
		j.outcome = PlanDenied
	case pair.value != VerdictPass:
		j.outcome = PlanFailed
	case j.modifiedLater(w, pair):
		j.outcome = PlanStale
	}
}

// modifiedLater reports whether the plan file was modified after its verdict, which catches edits made outside the tools
// whose calls the transcript shows. A verdict without a time proves nothing.
func (j *planJudgement) modifiedLater(w *World, pair Span) bool {
	at, ok := verdictTime(pair.timestamp)
	if !ok || w.past != nil {
		return false
	}
	j.passTime = at
	info, err := w.Stat(j.planPath)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	j.planTime = info.ModTime().Truncate(time.Second)
	return j.planTime.After(at.Add(staleTolerance))
}

func (j planJudgement) verdict() Verdict {
	if j.outcome == PlanAllowed {
		return Verdict{Decision: Allow}
	}
	return Verdict{Decision: Deny, Reason: j.reason()}
}

// reason tells the model what to do next: in plain plan mode it is the only instruction it gets.
func (j planJudgement) reason() string {
	agent, plan := AgentPrefix+j.reviewer, j.planName()
	dispatch, verdict := strconv.Itoa(j.review.pair.Dispatch), strconv.Itoa(j.review.pair.Verdict)
	lines := " (transcript: dispatched in line " + dispatch + ", verdict in line " + verdict + ".)"
	switch j.outcome {
	case PlanUnreviewed:
		return "Next step: review the plan. " + j.author() + " wrote " + plan + ", and " + agent +
			" has not run on this version. Dispatch that agent with " + j.inputs() + "; wait for its `" + VerdictLabel + " " + VerdictPass +
			"`, then call ExitPlanMode again without writing the plan again: leave minor findings unapplied, since any write after the PASS voids it. " +
			"This is a gate of the workflow, not an error." + j.switchNote()
	case PlanUnanswered:
		return "Next step: let the review finish. " + agent + " was dispatched for " + plan + " (transcript: dispatched in line " +
			strconv.Itoa(j.review.lastDispatch) + ", plan written in line " + strconv.Itoa(j.episode.planWrite) + "), but no `" + VerdictLabel +
			"` line of it came back. If it still runs, wait for it; else dispatch it again and read its `" + VerdictLabel + "` line. Then call ExitPlanMode again." + j.switchNote()
	case PlanDenied:
		return "Next step: grant the permission. " + agent + " ended with `" + VerdictLabel + " " + VerdictDenied + "` on " + plan +
			": one of its tool calls was refused, named on the `REASON:` line of its report. Ask the user to allow that call, dispatch the agent again, then call ExitPlanMode again." + lines
	case PlanStale:
		return "Next step: re-review. " + plan + " was modified after its `" + VerdictLabel + " " + VerdictPass + "`. Dispatch " + agent +
			" again on the file as it is now, then call ExitPlanMode again without touching the plan." + lines
	}
	return "Next step: fix the findings. " + agent + " ended with `" + VerdictLabel + " " + VerdictFail + "` on " + plan +
		". Apply its findings, dispatch it again with the same inputs plus the previous findings and what was fixed, then call ExitPlanMode again." + lines
}

func (j planJudgement) planName() string {
	return j.planPath[strings.LastIndexAny(j.planPath, `/\`)+1:]
}

func (j planJudgement) author() string {
	if j.reviewer == AgentPlannerReview {
		return "The " + SkillPlanner + " skill"
	}
	return "Plan mode"
}

func (j planJudgement) inputs() string {
	if j.reviewer == AgentPlannerReview {
		return "the plan path, `refs:` (the planner's reference directory), `memory:` (the planner's resolved config value) and `input:` " +
			"(the confirmed interview summary or the bug diagnosis, verbatim)"
	}
	return "the plan path and one sentence with the user's goal"
}

func (j planJudgement) switchNote() string {
	if j.reviewer != AgentPlainPlanReview {
		return ""
	}
	return " The switch for this is " + SwitchGroup + "." + SwitchPlainReview + " in .claude/viber.yml."
}
