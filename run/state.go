package run

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"time"

	"viber/gate"
	"viber/internal/fsx"
)

// The exit codes of the commands that work on a run's state, as docs/gates/state.md lists them.
const (
	StateInvalid    = 1 // the change or answer is not one the state allows; nothing was written
	StateUnreadable = 3 // there is no such run, or its state cannot be read
	StateMoved      = 5 // the run moved since the version named, or since it asked
)

// StateSchemaName is the name by which `viber schema` prints the shape of state.json.
const StateSchemaName = "state"

// RunState is what a run remembers beside its plan and progress. Fields of other versions of viber are kept in the file.
type RunState struct {
	Version          int64            `json:"version"`
	Key              string           `json:"key,omitempty"`
	Project          string           `json:"project,omitempty"`
	Task             string           `json:"task,omitempty"`
	Branch           string           `json:"branch,omitempty"`
	Status           RunStatus        `json:"status,omitempty"`
	StoppedBy        Stopper          `json:"stoppedBy,omitempty"`
	Phase            string           `json:"phase,omitempty"`
	Phases           map[string]Phase `json:"phases,omitempty"`
	PhaseOrder       []string         `json:"phaseOrder,omitempty"`
	WaitingFor       string           `json:"waitingFor,omitempty"`
	PendingQuestion  *Question        `json:"pendingQuestion,omitempty"`
	LastAnswer       *Answer          `json:"lastAnswer,omitempty"`
	ReviewIterations []Iteration      `json:"reviewIterations,omitempty"`
	Rungs            map[string]int   `json:"rungs,omitempty"`
	Tiers            []string         `json:"tiers,omitempty"`
	CircuitBreaker   *Breaker         `json:"circuitBreaker,omitempty"`
	Cost             map[string]Usage `json:"cost,omitempty"`
	Owner            *RunOwner        `json:"owner,omitempty"`
	WorktreePath     string           `json:"worktreePath,omitempty"`
	ArtifactsPath    string           `json:"artifactsPath,omitempty"`
	UpdatedAt        gate.Stamp       `json:"updatedAt,omitempty"`
	StartedAt        gate.Stamp       `json:"startedAt,omitempty"`
}

// RunStatus is running, waiting, stopped, done or failed.
type RunStatus string

// Stopper is who stopped a run: the user, who gave it up for now, or halt, the session that ended its turns with work left.
type Stopper string

// The stoppers.
const (
	StoppedByUser Stopper = "user"
	StoppedByHalt Stopper = "halt"
)

// PhaseStatus is pending, in_progress, completed, failed or skipped.
type PhaseStatus string

// QuestionKind is single, multi or free.
type QuestionKind string

// Phase is one part of a run with its time. Elapsed is in seconds.
type Phase struct {
	Status     PhaseStatus       `json:"status"`
	Started    gate.Stamp        `json:"started,omitempty"`
	Ended      gate.Stamp        `json:"ended,omitempty"`
	Elapsed    int               `json:"elapsed,omitempty"`
	RetryCount int               `json:"retryCount,omitempty"`
	Subphases  []Subphase        `json:"subphases,omitempty"`
	Meta       map[string]string `json:"meta,omitempty"`
}

// Subphase is one step of a phase.
type Subphase struct {
	ID     string      `json:"id"`
	Title  string      `json:"title,omitempty"`
	Status PhaseStatus `json:"status"`
}

// Question is what a parked run waits for.
type Question struct {
	ID      string       `json:"id"`
	StepID  string       `json:"stepId"`
	Text    string       `json:"text"`
	Kind    QuestionKind `json:"kind"`
	Options []Option     `json:"options,omitempty"`
}

// Option is one answer a question offers.
type Option struct {
	ID    string `json:"id"`
	Label string `json:"label"`
}

// Answer is what was chosen. It is data: nothing in it is ever executed or read as an instruction.
type Answer struct {
	QuestionID string     `json:"questionId"`
	OptionIDs  []string   `json:"optionIds"`
	Text       string     `json:"text,omitempty"`
	At         gate.Stamp `json:"at"`
}

// Iteration is one review-fix round of the whole diff.
type Iteration struct {
	Triage  string     `json:"triage,omitempty"` // name and sha256 of the triage it stands on
	At      gate.Stamp `json:"at,omitempty"`
	Delta   *Changes   `json:"delta,omitempty"`
	Rulings []Ruling   `json:"rulings,omitempty"`
}

// Changes names findings by fingerprint: what a round fixed, left and brought.
type Changes struct {
	Fixed        []string `json:"fixed,omitempty"`
	StillPresent []string `json:"stillPresent,omitempty"`
	New          []string `json:"new,omitempty"`
}

// Ruling is what the third round decided about a finding: parked or escalate.
type Ruling struct {
	Fingerprint string        `json:"fingerprint"`
	Ruling      string        `json:"ruling"`
	Severity    gate.Severity `json:"severity"`
	File        string        `json:"file"`
	Line        int           `json:"line"`
	Issue       string        `json:"issue"`
	Reason      string        `json:"reason"`
}

// Breaker stops a run that goes in circles. Tripped, nothing is dispatched until a person clears it.
type Breaker struct {
	Tripped    bool           `json:"tripped"`
	Trigger    string         `json:"trigger,omitempty"`
	Detail     string         `json:"detail,omitempty"`
	Checkpoint *Checkpoint    `json:"checkpoint,omitempty"`
	TrippedAt  gate.Stamp     `json:"trippedAt,omitempty"`
	Counters   map[string]int `json:"counters,omitempty"`
}

// Checkpoint is where a run stood when its breaker tripped.
type Checkpoint struct {
	Phase     string `json:"phase,omitempty"`
	Step      string `json:"step,omitempty"`
	Iteration int    `json:"iteration"`
}

// Usage counts the tokens of one model.
type Usage struct {
	In     int `json:"in"`
	Out    int `json:"out"`
	Cached int `json:"cached,omitempty"`
}

// RunOwner is the process that drives a run.
type RunOwner struct {
	PID  int    `json:"pid"`
	Host string `json:"host,omitempty"`
}

// StateSchema returns the JSON Schema of state.json. It is open: fields of other versions may stand beside.
func StateSchema() ([]byte, error) {
	s, err := stateShape()
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(s.Schema(), "", "  ")
}

func stateShape() (*gate.Shape, error) {
	return gate.OpenShape(reflect.TypeFor[RunState](), "viber state", "what a run remembers", map[reflect.Type][]string{
		reflect.TypeFor[RunStatus]():    {"running", "waiting", "stopped", "done", "failed"},
		reflect.TypeFor[Stopper]():      {string(StoppedByUser), string(StoppedByHalt)},
		reflect.TypeFor[PhaseStatus]():  {"pending", "in_progress", "completed", "failed", "skipped"},
		reflect.TypeFor[QuestionKind](): {"single", "multi", "free"},
	})
}

// StateFile is one state.json: the tree as it was read, with every field, known or not.
type StateFile struct {
	Path  string
	Files fsx.Door
	Now   func() time.Time
}

// MovedError says that a state has another version than the caller believes.
type MovedError struct{ Want, Have int64 }

// Error names both versions.
func (e *MovedError) Error() string {
	return fmt.Sprintf("the run moved: its state is version %d, not %d; read it again", e.Have, e.Want)
}

// ErrNoState says that a run has no state yet.
var ErrNoState = errors.New("the run has no state")

// Tree is a state as JSON, numbers as they are written.
type Tree map[string]any

// Read returns the state and its tree. A missing file is ErrNoState.
func (f StateFile) Read() (RunState, Tree, error) {
	s, tree, _, err := f.read()
	return s, tree, err
}

func (f StateFile) read() (RunState, Tree, []byte, error) {
	data, err := os.ReadFile(f.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return RunState{}, nil, nil, fmt.Errorf("%s: %w", f.Path, ErrNoState)
	}
	if err != nil {
		return RunState{}, nil, nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	s, tree, err := parseState(data)
	if err != nil {
		err = fmt.Errorf("%w: %s: %w", ErrUnreadable, f.Path, err)
	}
	return s, tree, data, err
}

func parseState(data []byte) (RunState, Tree, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var tree Tree
	if err := d.Decode(&tree); err != nil || tree == nil {
		return RunState{}, nil, fmt.Errorf("not a JSON object: %w; move the file away to begin anew", orElse(err, errors.New("null")))
	}
	var s RunState
	err := json.Unmarshal(data, &s)
	var wrongType *json.UnmarshalTypeError
	if errors.As(err, &wrongType) { // a newer viber may use a field in another way; the tree keeps it
		err = nil
	}
	return s, tree, err
}

func orElse(err, other error) error {
	if err == nil {
		return other
	}
	return err
}

// stateWait bounds how long a writer waits for the others.
const stateWait = 20 * time.Second

// Swap changes the state in one step: change gets the tree, and what it leaves is written under the next version. With
// want >= 0 the state must have that version (0: must not exist yet); a *MovedError says it does not. Fields that change
// does not touch stay as they are.
func (f StateFile) Swap(want int64, change func(RunState, Tree) error) (RunState, error) {
	unlock, err := fsx.Lock(f.Path+".lock", stateWait)
	if err != nil {
		return RunState{}, err
	}
	defer unlock()
	s, tree, before, err := f.read()
	if errors.Is(err, ErrNoState) {
		s, tree, before, err = RunState{}, Tree{}, nil, nil
	}
	if err != nil {
		return RunState{}, err
	}
	if want >= 0 && s.Version != want {
		return s, &MovedError{Want: want, Have: s.Version}
	}
	if err := change(s, tree); err != nil {
		return s, err
	}
	tree["version"] = s.Version + 1
	tree["updatedAt"] = f.stamp()
	return f.write(tree, before)
}

func (f StateFile) write(tree Tree, before []byte) (RunState, error) {
	if err := checkState(tree); err != nil {
		return RunState{}, err
	}
	data, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		return RunState{}, err
	}
	data = append(data, '\n')
	err = f.Files.WriteOwn(f.Path, data, &before)
	if errors.Is(err, fsx.ErrChanged) {
		return RunState{}, &MovedError{}
	}
	if err != nil {
		return RunState{}, err
	}
	s, _, err := parseState(data)
	return s, err
}

func (f StateFile) stamp() gate.Stamp { return gate.Stamp(f.Now().UTC().Format(time.RFC3339)) }

// InvalidStateError says which fields a change would leave in a form the state does not have.
type InvalidStateError struct{ Problems []gate.Problem }

// Error names the first problem and counts the others.
func (e *InvalidStateError) Error() string {
	p := e.Problems[0]
	text := fmt.Sprintf("%s: %s; want %s", p.Pointer, p.Cause, p.Want)
	if n := len(e.Problems) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more)", n)
	}
	return text
}

func checkState(tree Tree) error {
	shape, err := stateShape()
	if err != nil {
		return err
	}
	data, err := json.Marshal(tree)
	if err != nil {
		return err
	}
	problems, err := shape.Problems(data)
	if err == nil && len(problems) > 0 {
		err = &InvalidStateError{Problems: problems}
	}
	return err
}

// put stores a Go value in the tree under name; nil removes the field.
func (t Tree) put(name string, value any) error {
	if value == nil || reflect.ValueOf(value).Kind() == reflect.Pointer && reflect.ValueOf(value).IsNil() {
		delete(t, name)
		return nil
	}
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var plain any
	if err := d.Decode(&plain); err != nil {
		return err
	}
	t[name] = overlay(t[name], plain)
	return nil
}

// overlay lays known fields over an object and keeps the fields it does not know. Lists and plain values replace.
func overlay(old, fresh any) any {
	was, isObject := old.(map[string]any)
	now, is := fresh.(map[string]any)
	if !isObject || !is {
		return fresh
	}
	out := map[string]any{}
	for k, v := range was {
		out[k] = v
	}
	for k, v := range now {
		out[k] = overlay(was[k], v)
	}
	return out
}
