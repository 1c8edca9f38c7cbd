package install

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/term"
)

// UndoOptions say what `viber undo` was asked for.
type UndoOptions struct {
	Env     Env
	Consent Consent
	Dir     string
	List    bool   // only list what could be taken back
	ID      string // the write to take back; empty is the last one of this project
}

// Undo takes back the last write of the project that holds o.Dir: files get the bytes they had before. It refuses when
// one of them changed since.
func Undo(o UndoOptions) error {
	w, err := ReadWorld(o.Env, o.Dir)
	if err != nil {
		return err
	}
	js := newJournals(o.Env, w.Places, w.Project)
	js.history = true
	entries, notes := js.read()
	for _, note := range notes {
		fmt.Fprintf(o.Env.Streams.Err, "viber: %s\n", printable(note))
	}
	writes := group(entries)
	if o.List {
		return listWrites(o, w, writes)
	}
	chosen, err := chooseWrite(writes, w.Project.Root, o.ID)
	if err != nil {
		return err
	}
	return Job{
		Env: o.Env, Consent: o.Consent, Places: w.Places, Project: w.Project, Undoing: true,
		Plan: func() (*Plan, error) {
			if err := w.reread(); err != nil {
				return nil, err
			}
			return planUndo(w, js, chosen)
		},
		Nothing: "everything is as it was before it already",
		After: func() error {
			if err := js.settle(chosen, stateUndone); err != nil {
				return err
			}
			if !o.Consent.JSON {
				fmt.Fprintf(o.Env.news(), "\n%s of %s is taken back.\n", chosen.first().Command, chosen.first().Time.Local().Format(time.DateTime))
			}
			return nil
		},
	}.Run()
}

// chooseWrite picks the write to take back: the one with this id, else one that was stopped half way, else the last one
// of the project that is no undo itself.
func chooseWrite(writes []Write, project, id string) (Write, error) {
	for _, w := range slices.Backward(writes) {
		if id != "" && (w.ID == id || w.first().Plan == id) {
			return w, nil
		}
	}
	if id != "" {
		return Write{}, exit.With(exit.Usage, fmt.Errorf("no write has the id %q; 'viber undo --list' shows them", id))
	}
	for _, w := range slices.Backward(writes) {
		if w.state() == stateOpen {
			return w, nil
		}
	}
	for _, w := range slices.Backward(writes) {
		if w.state() == stateDone && w.first().Command != "undo" && w.first().Project == project {
			return w, nil
		}
	}
	return Write{}, exit.With(exit.Refused, errors.New("there is nothing to take back here; 'viber undo --list' shows what was written"))
}

// planUndo is the plan that takes w back.
func planUndo(world *World, js *journals, w Write) (*Plan, error) {
	plan := &Plan{Command: "undo", Project: w.first().Project, FilesFirst: w.first().Command != "uninstall"}
	for _, e := range slices.Backward(w.Entries) {
		for _, c := range slices.Backward(e.Changes) {
			back, err := undoChange(js, e, c)
			if err != nil {
				return nil, exit.With(exit.Refused, err)
			}
			plan.add(back)
		}
		for _, a := range slices.Backward(e.Actions) {
			undoAction(plan, world, js, e, a)
		}
	}
	return plan, plan.check()
}

func undoChange(js *journals, e *Entry, c Change) (Change, error) {
	if !js.mayTouch(e.Scope, c.Path) {
		return c, fmt.Errorf("%s: is no file of viber's; it is left alone", show(c.Path))
	}
	now, err := fsx.Read(c.Path)
	if err != nil {
		return c, err
	}
	back := Change{Path: c.Path, Before: now, After: c.Before, Mode: c.Mode, Scope: c.Scope, Record: c.Record, Why: "as it was before " + e.Command}
	switch state := js.stateOf(e.Scope, c); {
	case c.Record:
		back.After, err = unmerge(now, c.Before, c.After)
		return back, err
	case state == stepWaiting:
		back.After = now
	case state == stepForeign:
		return c, fmt.Errorf("%s: was changed since %s wrote it; take the change out by hand, or run 'viber uninstall'", show(c.Path), e.Command)
	}
	return back, nil
}

// unmerge takes out of the record now what a command turned from before into after, and leaves what others wrote since.
func unmerge(now, before, after []byte) ([]byte, error) {
	var n, b, a any
	for _, pair := range []struct {
		text []byte
		into *any
	}{{now, &n}, {before, &b}, {after, &a}} {
		if pair.text == nil {
			continue
		}
		if err := json.Unmarshal(pair.text, pair.into); err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	merged := unmergeValue(n, b, a)
	if merged == nil {
		return nil, nil
	}
	data, err := json.Marshal(merged)
	if err != nil {
		return nil, err
	}
	rec := &Record{}
	if err := json.Unmarshal(data, rec); err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return rec.encode()
}

func unmergeValue(now, before, after any) any {
	if reflect.DeepEqual(now, after) {
		return before
	}
	n, ok1 := now.(map[string]any)
	a, ok2 := after.(map[string]any)
	b, _ := before.(map[string]any)
	if !ok1 || !ok2 {
		return now
	}
	merged := map[string]any{}
	for key, value := range n {
		if v := unmergeValue(value, b[key], a[key]); v != nil {
			merged[key] = v
		}
	}
	for key, value := range b {
		if _, still := a[key]; !still && merged[key] == nil {
			merged[key] = value
		}
	}
	return merged
}

func undoAction(plan *Plan, world *World, js *journals, e *Entry, a Action) {
	if js.actionState(e.Scope, a) == stepForeign {
		plan.Kept = append(plan.Kept, show(a.Path)+" (no path of viber's)")
		return
	}
	done := js.actionState(e.Scope, a) == stepApplied
	back := Action{Path: a.Path, Why: "as it was before " + e.Command}
	switch {
	case !done:
		return
	case a.Kind == PluginFolder && a.Before == "":
		back.Kind, back.Hash, back.Before, back.Target = RemoveFolder, a.Hash, existing(true), a.Target
	case a.Kind == DirLink && a.Before == "":
		back.Kind, back.Before = Unlink, a.Target
	case a.Kind == DirLink, a.Kind == Unlink:
		back.Kind, back.Target, back.Before = DirLink, a.Before, linkTarget(a.Path)
	case a.Kind == RemoveFolder:
		back.Kind, back.Hash, back.Target = PluginFolder, a.Hash, a.Target
		if _, err := back.pluginFiles(world.Env); err != nil {
			plan.Kept = append(plan.Kept, show(a.Path)+" (stays away: it held the plugin of another viber)")
			return
		}
	case a.Kind == CopyBinary && a.Before == "":
		back.Kind, back.Before = RemoveBinary, a.Hash
	case a.Kind == RemoveBinary && fileHashOr(world.Binary.Exe) == a.Before:
		back.Kind, back.Target, back.Hash = CopyBinary, world.Binary.Exe, a.Before
	default:
		return // mended folders and newer copies serve the older entries too
	}
	plan.Actions = append(plan.Actions, back)
}

func linkTarget(path string) string {
	target, _ := os.Readlink(path)
	return target
}

// writeJSON is the documented form of one line of `viber undo --list --json`.
type writeJSON struct {
	ID      string    `json:"id"`
	Plan    string    `json:"plan"`
	Command string    `json:"command"`
	Time    time.Time `json:"time"`
	State   string    `json:"state"`
	Project string    `json:"project,omitempty"`
	Files   []string  `json:"files"`
}

// listWrites prints what the journal holds, the newest first.
func listWrites(o UndoOptions, w *World, writes []Write) error {
	list := []writeJSON{}
	for _, write := range slices.Backward(writes) {
		e := write.first()
		row := writeJSON{ID: write.ID, Plan: e.Plan, Command: e.Command, Time: e.Time, State: write.state(), Project: e.Project, Files: []string{}}
		for _, e := range write.Entries {
			for _, c := range e.Changes {
				row.Files = append(row.Files, c.Path)
			}
		}
		list = append(list, row)
	}
	if o.Consent.JSON {
		enc := json.NewEncoder(o.Env.Streams.Out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(list)
	}
	if len(list) == 0 {
		fmt.Fprintln(o.Env.Streams.Out, "nothing was written yet")
		return nil
	}
	t := term.NewTable(o.Env.Streams.Out)
	fmt.Fprintln(t, "ID\tWHEN\tCOMMAND\tSTATE\tFILES")
	for _, row := range list {
		for i, file := range row.Files {
			row.Files[i] = w.Places.short(file)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", row.Plan, row.Time.Local().Format(time.DateTime), row.Command, row.State, strings.Join(row.Files, ", "))
	}
	return t.Flush()
}
