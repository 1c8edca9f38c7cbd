package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"viber/install/settings"
	"viber/internal/fsx"
)

// lockPatience is how long a command waits for another viber that is writing.
const lockPatience = 30 * time.Second

// contention is how long a file is tried again that another program keeps rewriting.
const contention = 3 * time.Second

// applier carries a plan out: journal, do, and take back what was done when a step fails.
type applier struct {
	env     Env
	places  Places
	journal *journals
	entries []*Entry
	done    []func() error // takes back one step each
}

// lock takes the lock that every writing command holds.
func lock(p Places) (unlock func(), err error) {
	return fsx.Lock(filepath.Join(p.State, "lock"), lockPatience)
}

// apply carries plan out under the lock. When a step fails, the steps before it are taken back.
func apply(env Env, p Places, pr Project, plan *Plan) error {
	a := &applier{env: env, places: p, journal: newJournals(env, p, pr)}
	if err := a.begin(plan); err != nil {
		return err
	}
	if err := a.run(plan); err != nil {
		return a.takeBack(err)
	}
	for _, e := range a.entries {
		if err := a.journal.move(e, stateDone); err != nil {
			return err
		}
		if err := a.journal.prune(e.Scope); err != nil {
			return err
		}
	}
	return nil
}

// begin writes the journal: one entry for the user's files, one for the project's.
func (a *applier) begin(plan *Plan) error {
	if err := a.journal.sweepOwn(); err != nil {
		return err
	}
	now := a.env.Now().UTC()
	for _, scope := range []string{ScopeUser, ScopeProject} {
		e := &Entry{
			ID: now.Format("20060102T150405.000Z") + "-" + plan.ID(), Plan: plan.ID(), Command: plan.Command,
			Version: a.env.Version, Time: now, Project: plan.Project, Scope: scope,
		}
		e.ID = cleanID(e.ID)
		if scope == ScopeUser {
			e.Actions = plan.Actions
		}
		for _, c := range plan.Changes {
			if c.Scope == scope {
				e.Changes = append(e.Changes, c)
			}
		}
		if len(e.Actions)+len(e.Changes) == 0 {
			continue
		}
		if err := a.journal.write(e); err != nil {
			return err
		}
		a.entries = append(a.entries, e)
	}
	return nil
}

// cleanID drops the dot of the milliseconds: the first dot of a file name parts id and state.
func cleanID(id string) string {
	out := []byte(id)
	for i, c := range out {
		if c == '.' {
			out[i] = '_'
		}
	}
	return string(out)
}

func (a *applier) run(plan *Plan) error {
	first, second := a.actions, a.changes
	if plan.FilesFirst {
		first, second = second, first
	}
	if err := first(plan); err != nil {
		return err
	}
	return second(plan)
}

func (a *applier) actions(plan *Plan) error {
	for _, action := range plan.Actions {
		if err := a.act(action); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) changes(plan *Plan) error {
	for i := range plan.Changes {
		if err := a.change(&plan.Changes[i]); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) act(action Action) error {
	a.env.step("%s %s", action.what(), show(action.Path))
	err := perform(a.env, action)
	a.done = append(a.done, func() error { return revert(a.env, action) })
	return err
}

// change writes one file. A settings file that another program rewrote meanwhile is edited again in its new form, since
// the entries stay the same ones that were shown.
func (a *applier) change(c *Change) error {
	a.env.step("%s %s", c.what(), show(c.Path))
	a.done = append(a.done, func() error { return c.takeBack(a.env.Files) })
	for deadline := a.env.Now().Add(contention); ; {
		err := put(a.env.Files, *c)
		if err == nil {
			return nil
		}
		if !errors.Is(err, fsx.ErrChanged) || c.edit == nil || a.env.Now().After(deadline) {
			return err
		}
		if err := a.again(c); err != nil {
			return err
		}
	}
}

// again makes the change anew from what the file holds now, in the plan and in the journal.
func (a *applier) again(c *Change) error {
	next, err := redo(*c)
	if err != nil {
		return err
	}
	*c = next
	for _, e := range a.entries {
		for i := range e.Changes {
			if e.Changes[i].Path == c.Path {
				e.Changes[i] = next
				return a.journal.write(e)
			}
		}
	}
	return nil
}

func redo(c Change) (Change, error) {
	now, err := readSettings(c.Path)
	if err != nil {
		return c, err
	}
	file, err := settings.Parse(c.Path, now)
	if err != nil {
		return c, err
	}
	result, err := file.Apply(*c.edit)
	c.Before, c.After = now, result.Text
	return c, err
}

func put(d fsx.Door, c Change) error {
	switch {
	case c.Before == nil && c.After == nil:
		return nil
	case c.After == nil:
		return c.remove(d)
	}
	before := c.Before
	return d.Write(c.Path, c.After, fsx.Options{Mode: c.Mode, Before: &before, DirMode: c.dirMode()})
}

// remove removes the file, and a project's .claude folder that it leaves empty.
func (c Change) remove(d fsx.Door) error {
	if err := d.RemoveFile(c.Path, c.Before); err != nil {
		return err
	}
	if dir := filepath.Dir(c.Path); c.Scope == ScopeProject && filepath.Base(dir) == ".claude" {
		return d.RemoveEmptyDir(dir)
	}
	return nil
}

// dirMode is the permission of directories made for the file: viber's own are for the user alone.
func (c Change) dirMode() fs.FileMode {
	if c.Record {
		return 0o700
	}
	return 0
}

// reversed is the change that takes c back.
func (c Change) reversed() Change {
	c.Before, c.After, c.edit = c.After, c.Before, nil
	return c
}

// takeBack restores the file when it holds what the change wrote; a failure may have come before the write or after it.
func (c *Change) takeBack(d fsx.Door) error {
	now, err := fsx.Read(c.Path)
	if err != nil || (now == nil) != (c.After == nil) || !bytes.Equal(now, c.After) {
		return err
	}
	return put(d, c.reversed())
}

// takeBack undoes the steps that were done, the last one first, because of cause.
func (a *applier) takeBack(cause error) error {
	for i := len(a.done) - 1; i >= 0; i-- {
		if err := a.done[i](); err != nil {
			return fmt.Errorf("%w; taking the steps before it back failed too (%w): run 'viber undo'", cause, err)
		}
	}
	for _, e := range a.entries {
		_ = a.journal.move(e, stateUndone) // one that stays open holds only what is back as it was: the next command closes it
	}
	return fmt.Errorf("%w; everything was taken back", cause)
}
