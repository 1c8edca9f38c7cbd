package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// Write is one applied plan as the journal has it: the entries of the user's and of the project's files.
type Write struct {
	ID      string
	Entries []*Entry
}

func (w Write) first() *Entry { return w.Entries[0] }

// State is the state of the whole: open when one part of it is.
func (w Write) state() string {
	for _, e := range w.Entries {
		if e.state == stateOpen {
			return stateOpen
		}
	}
	return w.first().state
}

// group puts entries of one plan together, the oldest plan first.
func group(entries []*Entry) []Write {
	var writes []Write
	for _, e := range entries {
		i := slices.IndexFunc(writes, func(w Write) bool { return w.ID == e.ID })
		if i < 0 {
			writes = append(writes, Write{ID: e.ID})
			i = len(writes) - 1
		}
		writes[i].Entries = append(writes[i].Entries, e)
	}
	return writes
}

// progress says how much of a write stands in the world.
type progress struct {
	applied, waiting int
	foreign          []string // changed by somebody else, or no path of ours
}

func (p progress) whole() bool     { return p.waiting == 0 && len(p.foreign) == 0 }
func (p progress) untouched() bool { return p.applied == 0 && len(p.foreign) == 0 }

func (j *journals) progressOf(w Write) progress {
	var p progress
	for _, e := range w.Entries {
		for _, c := range e.Changes {
			p.count(j.stateOf(e.Scope, c), c.Path)
		}
		for _, a := range e.Actions {
			p.count(j.actionState(e.Scope, a), a.Path)
		}
	}
	return p
}

// Where one step of a write stands.
const (
	stepWaiting = iota // the world is as before it
	stepApplied
	stepForeign
)

func (p *progress) count(step int, path string) {
	switch step {
	case stepApplied:
		p.applied++
	case stepWaiting:
		p.waiting++
	default:
		p.foreign = append(p.foreign, path)
	}
}

func (j *journals) stateOf(scope string, c Change) int {
	if !j.mayTouch(scope, c.Path) {
		return stepForeign
	}
	now, err := fsx.Read(c.Path)
	same := func(want []byte) bool { return (now == nil) == (want == nil) && bytes.Equal(now, want) }
	switch {
	case err == nil && same(c.After):
		return stepApplied
	case err == nil && same(c.Before):
		return stepWaiting
	case err == nil && c.Record:
		return stepApplied // later commands write it too; it is merged, not restored
	}
	return stepForeign
}

func (j *journals) actionState(scope string, a Action) int {
	if scope != ScopeUser || !j.mayTouch(ScopeUser, a.Path) {
		return stepForeign
	}
	applied := false
	target, isLink := fsx.DirLink(a.Path)
	switch a.Kind {
	case PluginFolder:
		m := readManifest(a.Path)
		applied = m != nil && hash(m.encode()) == a.Hash
	case RemoveFolder:
		applied = readManifest(a.Path) == nil
	case DirLink:
		applied = isLink && target == a.Target || !isLink && readManifest(a.Path) != nil
	case Unlink:
		_, err := os.Lstat(a.Path)
		applied = os.IsNotExist(err)
	case CopyBinary:
		applied = fileHashOr(a.Path) == a.Hash
	case RemoveBinary:
		applied = fileHashOr(a.Path) == ""
	case MoveFolder:
		_, err := os.Stat(a.Path)
		applied = err == nil
	}
	if applied {
		return stepApplied
	}
	return stepWaiting
}

// openWrites lists the writes that were stopped half way. Call it under the lock: without it another viber may be at it.
func (j *journals) openWrites() (open []Write, notes []string) {
	entries, notes := j.read()
	for _, w := range group(entries) {
		if w.state() == stateOpen {
			open = append(open, w)
		}
	}
	return open, notes
}

// recover finishes or takes back, with the user's consent, what a stopped command left half done; without a terminal it
// refuses and names the way out.
func (j Job) recover() error {
	js := newJournals(j.Env, j.Places, j.Project)
	entries, notes := js.read()
	for _, note := range notes {
		fmt.Fprintf(j.Env.Streams.Err, "viber: %s\n", printable(note))
	}
	if !slices.ContainsFunc(entries, func(e *Entry) bool { return e.state == stateOpen }) {
		return nil
	}
	unlock, err := lock(j.Places)
	if err != nil {
		return err
	}
	defer unlock()
	open, _ := js.openWrites()
	for _, w := range open {
		if err := j.recoverWrite(js, w); err != nil {
			return err
		}
	}
	return nil
}

func (j Job) recoverWrite(js *journals, w Write) error {
	p := js.progressOf(w)
	say := func(what string) {
		fmt.Fprintf(j.Env.Streams.Err, "viber: an earlier %s (%s) was stopped %s\n", w.first().Command, w.ID, what)
	}
	switch {
	case p.whole():
		say("after its last change; it is complete")
		return js.settle(w, stateDone)
	case p.untouched():
		say("before its first change; nothing was changed")
		return js.settle(w, stateUndone)
	case j.Env.Streams.CanPrompt() && len(p.foreign) == 0:
		say(fmt.Sprintf("half way: %d of %d steps were done", p.applied, p.applied+p.waiting))
		return j.askRecovery(js, w)
	}
	return exit.With(exit.Refused, fmt.Errorf("an earlier %s (%s) was stopped half way, %d of %d steps were done; run 'viber undo' to take it back", w.first().Command, w.ID, p.applied, p.applied+p.waiting+len(p.foreign)))
}

func (j Job) askRecovery(js *journals, w Write) error {
	for _, e := range w.Entries {
		for _, c := range e.Changes {
			if !c.Record {
				fmt.Fprintf(j.Env.Streams.Out, "\n%s", j.Env.Streams.Diff(printable(c.diff(j.Places.short(c.Path)))))
			}
		}
	}
	answer, err := term.Select(j.Env.Streams, "What shall become of it?", []string{"finish it", "take it back", "leave it and stop"}, 0)
	switch {
	case err != nil:
		return err
	case answer == 0:
		return js.finish(j.Env, w)
	case answer == 1:
		return js.takeBackWrite(j.Env, w)
	}
	return exit.With(exit.Cancelled, errors.New("nothing was changed"))
}

// settle gives every entry of w its last state and removes what a stopped write left beside the files.
func (j *journals) settle(w Write, state string) error {
	for _, e := range w.Entries {
		if err := j.sweep(e); err != nil {
			return err
		}
		if e.state == state {
			continue
		}
		if err := j.move(e, state); err != nil {
			return err
		}
	}
	return nil
}

func (j *journals) sweep(e *Entry) error {
	var paths []string
	for _, c := range e.Changes {
		paths = append(paths, c.Path)
	}
	for _, a := range e.Actions {
		paths = append(paths, a.Path)
		if (a.Kind == PluginFolder || a.Kind == RemoveFolder) && j.mayTouch(e.Scope, a.Path) {
			if err := errors.Join(j.files.RemoveAll(a.Path+".new"), j.files.RemoveAll(a.Path+oldSuffix)); err != nil {
				return err
			}
		}
	}
	for _, path := range paths {
		if j.mayTouch(e.Scope, path) {
			if err := j.files.Sweep(path, 0, j.now()); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish carries out the steps of w that are still waiting.
func (j *journals) finish(env Env, w Write) error {
	for _, e := range w.Entries {
		for _, a := range e.Actions {
			if j.actionState(e.Scope, a) == stepWaiting {
				if err := perform(env, a); err != nil {
					return err
				}
			}
		}
		for _, c := range e.Changes {
			if j.stateOf(e.Scope, c) == stepWaiting {
				if err := put(j.files, c); err != nil {
					return err
				}
			}
		}
	}
	return j.settle(w, stateDone)
}

// takeBackWrite takes the steps of w back that were carried out, the last one first.
func (j *journals) takeBackWrite(env Env, w Write) error {
	for _, e := range slices.Backward(w.Entries) {
		for _, c := range slices.Backward(e.Changes) {
			if j.stateOf(e.Scope, c) == stepApplied {
				if err := put(j.files, c.reversed()); err != nil {
					return err
				}
			}
		}
		for _, a := range slices.Backward(e.Actions) {
			if err := revert(env, a); err != nil {
				return err
			}
		}
	}
	return j.settle(w, stateUndone)
}
