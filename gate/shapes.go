package gate

// The shapes below are what models write. Each is closed: a field that is not named here is an error.

// Text is a non-empty text of bounded length.
type Text string

// Path is a file of the project, relative to its root, with forward slashes.
type Path string

// TaskID names a task.
type TaskID string

// RuleID names a review criterion.
type RuleID string

// Fingerprint is a finding's identity across rounds, see Annotate.
type Fingerprint string

// Line is the number of a line, from 1.
type Line int

// TaskType is the kind of work a task is.
type TaskType string

// Severity says how much a finding weighs.
type Severity string

// Side says which file of a diff a line counts in: the new one, or the old one for a line that was removed.
type Side string

// The sides.
const (
	NewSide Side = "new"
	OldSide Side = "old"
)

// NotDoneWhy says why something was left out.
type NotDoneWhy string

// Verdict is a reviewer's word on one criterion.
type Verdict string

// Resolution is triage's word on something a reviewer could not verify.
type Resolution string

// ConsensusVerdict says how far the reviewers agree.
type ConsensusVerdict string

// SourceTag says whether a todo writes a new file, changes one or uses one as it is.
type SourceTag string

// The severities.
const (
	Blocking   Severity = "blocking"
	Important  Severity = "important"
	Suggestion Severity = "suggestion"
)

// Planning is a plan as a graph of tasks (`viber schema planning`).
type Planning struct {
	Tasks             []PlannedTask `json:"tasks"`
	ReviewFocus       []Focus       `json:"reviewFocus,omitempty"`
	GlobalConstraints []Text        `json:"globalConstraints,omitempty"`
}

// PlannedTask is one task of a Planning.
type PlannedTask struct {
	ID                 TaskID   `json:"id"`
	Title              Text     `json:"title"`
	Type               TaskType `json:"type"`
	Files              []Path   `json:"files"`
	DependsOn          []TaskID `json:"dependsOn,omitempty"`
	AcceptanceCriteria []Text   `json:"acceptanceCriteria,omitempty"`
}

// Focus is an input the spec implies and no test exercises yet, with the task whose tests add it.
type Focus struct {
	Input       Text   `json:"input"`
	OwnerTaskID TaskID `json:"ownerTaskId"`
}

// Scope says why each file of a diff was touched and what was left out (`viber schema scope`).
type Scope struct {
	Files      []FileReason `json:"files"`
	NotDone    []NotDone    `json:"notDone"`
	Simplifier []Rationale  `json:"simplifier,omitempty"`
}

// FileReason says why a file was touched. The reason's quality is judged by a rule, so any text fits the shape.
type FileReason struct {
	Path   Path   `json:"path"`
	Reason string `json:"reason"`
}

// NotDone is something left out on purpose.
type NotDone struct {
	What Text       `json:"what"`
	Why  NotDoneWhy `json:"why"`
}

// Rationale says why a simplification was made.
type Rationale struct {
	Path      Path `json:"path"`
	Rationale Text `json:"rationale"`
}

// Review is what one reviewer returns (`viber schema reviewer`).
type Review struct {
	Reviewer     Text           `json:"reviewer"`
	Approved     bool           `json:"approved"`
	Findings     []Finding      `json:"findings"`
	Conformance  []Conformance  `json:"conformance,omitempty"`
	CannotVerify []CannotVerify `json:"cannotVerify,omitempty"`
}

// Finding is one thing a reviewer found.
type Finding struct {
	Severity    Severity    `json:"severity"`
	File        Path        `json:"file"`
	Line        Line        `json:"line"`
	Side        Side        `json:"side,omitempty"`
	Issue       Text        `json:"issue"`
	Fix         Text        `json:"fix"`
	RuleID      RuleID      `json:"ruleId,omitempty"`
	Fingerprint Fingerprint `json:"fingerprint,omitempty"`
}

// Conformance is a reviewer's verdict on one criterion.
type Conformance struct {
	RuleID   RuleID  `json:"ruleId"`
	Verdict  Verdict `json:"verdict"`
	Evidence Text    `json:"evidence,omitempty"`
}

// CannotVerify is a requirement that the diff alone does not settle.
type CannotVerify struct {
	Requirement Text `json:"requirement"`
	File        Path `json:"file"`
	Why         Text `json:"why"`
}

// Criteria is the manifest of what reviewers must answer (`viber schema criteria`).
type Criteria struct {
	Selected     []RuleID `json:"selected"`
	ModuleGuides []Path   `json:"moduleGuides,omitempty"`
}

// Triage is the verdict over all findings of a round (`viber schema triage`).
type Triage struct {
	Accepted     []Accepted `json:"accepted"`
	Deferred     []Judged   `json:"deferred"`
	Rejected     []Judged   `json:"rejected"`
	CannotVerify []Settled  `json:"cannotVerify,omitempty"`
	Approved     bool       `json:"approved"`
	Consensus    *Consensus `json:"consensus,omitempty"`
}

// Accepted is a finding that will be acted on, with the reviewer who made it.
type Accepted struct {
	Finding
	Reviewer Text `json:"reviewer"`
}

// Judged is a finding that will not be acted on now, and why. An empty reason fits the shape and breaks a rule.
type Judged struct {
	Finding JudgedFinding `json:"finding"`
	Reason  string        `json:"reason"`
}

// JudgedFinding is a finding inside deferred or rejected; it may still name its reviewer.
type JudgedFinding struct {
	Severity    Severity    `json:"severity"`
	File        Path        `json:"file"`
	Line        Line        `json:"line"`
	Side        Side        `json:"side,omitempty"`
	Issue       Text        `json:"issue"`
	Fix         Text        `json:"fix,omitempty"`
	RuleID      RuleID      `json:"ruleId,omitempty"`
	Fingerprint Fingerprint `json:"fingerprint,omitempty"`
	Reviewer    Text        `json:"reviewer,omitempty"`
}

// Plain returns the finding itself.
func (j JudgedFinding) Plain() Finding {
	return Finding{Severity: j.Severity, File: j.File, Line: j.Line, Side: j.Side, Issue: j.Issue, Fix: j.Fix, RuleID: j.RuleID, Fingerprint: j.Fingerprint}
}

// Settled is triage's answer to a reviewer's CannotVerify. Empty evidence fits the shape and breaks a rule.
type Settled struct {
	Requirement Text       `json:"requirement"`
	Resolution  Resolution `json:"resolution"`
	Evidence    string     `json:"evidence"`
}

// Consensus says how far the reviewers agree.
type Consensus struct {
	ReviewerCount int              `json:"reviewerCount"`
	Verdict       ConsensusVerdict `json:"verdict"`
	Disagreements []Disagreement   `json:"disagreements,omitempty"`
}

// Disagreement is one point on which reviewers differ.
type Disagreement struct {
	File  Path `json:"file"`
	Line  Line `json:"line"`
	Issue Text `json:"issue"`
	Note  Text `json:"note"`
}

// Rebuttal is where one reviewer disagrees with the findings of the others (`viber schema rebuttal`).
type Rebuttal struct {
	Reviewer      Text           `json:"reviewer"`
	Disagreements []Disagreement `json:"disagreements"`
}

// Learnings is what a run wants to remember (`viber schema learnings`).
type Learnings struct {
	Learnings []Learning `json:"learnings"`
	Feedback  []Feedback `json:"feedback,omitempty"`
}

// Learning is one durable sentence about the project.
type Learning struct {
	Kind      LearningKind `json:"kind"`
	Statement Text         `json:"statement"`
	Scope     Text         `json:"scope"`
	Task      Text         `json:"task,omitempty"`
}

// LearningKind is fact or lesson.
type LearningKind string

// Feedback says whether a remembered sentence helped.
type Feedback struct {
	ID      LedgerID `json:"id"`
	Outcome Outcome  `json:"outcome"`
}

// LedgerID names an entry of the ledger, with or without "L:".
type LedgerID string

// Outcome is useful, dead_end or corrected.
type Outcome string

// TDD is the evidence of test-first work (`viber schema tdd`).
type TDD struct {
	Todos []Todo `json:"todos"`
}

// Todo is one step of a task with its failing and its passing run.
type Todo struct {
	ID        TaskID    `json:"id"`
	Title     Text      `json:"title"`
	SourceTag SourceTag `json:"sourceTag"`
	Files     []Path    `json:"files,omitempty"`
	Created   []Path    `json:"created,omitempty"`
	Red       *TestRun  `json:"red,omitempty"`
	Green     *TestRun  `json:"green,omitempty"`
	Exempt    Text      `json:"exempt,omitempty"`
}

// TestRun is one run of a test command.
type TestRun struct {
	Command Text  `json:"command"`
	Exit    int   `json:"exit"`
	At      Stamp `json:"at"`
}

// Stamp is a moment as RFC 3339 writes it.
type Stamp string
