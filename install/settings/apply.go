package settings

import (
	"fmt"
	"slices"
)

// Key is one key outside hooks and permissions that viber wants, such as the status line.
type Key struct {
	Path  []string
	Value any // as in Field
}

// Change says what of viber a settings file shall hold. What was there of ours before and is not named is taken out, so
// the zero Change with Own and Footprint is the uninstall.
type Change struct {
	Hooks []Hook
	Own   func(Handler) bool // recognises our hook entries; nil: only those that are just as wanted
	Rules []Rule
	Keys  []Key
	// Footprint is what the record says viber made in this file; nil when it never wrote there.
	Footprint *Footprint
	// Unrecorded says that the record is lost: containers that get empty count as made by viber.
	Unrecorded bool
}

// Done is one thing an edit did.
type Done struct {
	Op   string // add, update, remove or keep
	What string // for the plan's table, such as "hook PreToolUse (Bash)"
}

// Result is an edited file.
type Result struct {
	Text      []byte
	Footprint *Footprint // to be recorded for this file
	Done      []Done     // empty: nothing changed
}

// Changed reports whether the edit changes a byte.
func (r Result) Changed() bool {
	return slices.ContainsFunc(r.Done, func(d Done) bool { return d.Op != "keep" })
}

// Apply returns the file's text with the change made. A value of the user's that stands where a key of ours would go
// stays and is listed as kept. Apply checks its own result - every foreign entry still there, in order, and the text
// readable - and fails without one when that does not hold.
func (f *File) Apply(c Change) (Result, error) {
	if c.Own == nil {
		c.Own = c.wants
	}
	e := &editor{File: f, change: c, fp: c.Footprint.clone()}
	for _, step := range []func() error{e.hooks, e.rules, e.keys, e.unblank} {
		if err := step(); err != nil {
			return Result{}, err
		}
	}
	if err := f.verify(e); err != nil {
		return Result{}, fmt.Errorf("%s: the edit went wrong and was not made: %w; please report this", f.Path, err)
	}
	return Result{Text: e.Text(), Footprint: e.fp, Done: e.done}, nil
}

// wants reports whether h is one of the wanted hooks, to the last field.
func (c Change) wants(h Handler) bool {
	return slices.ContainsFunc(c.Hooks, func(w Hook) bool {
		return w.Event == h.Event && w.Matcher == h.Matcher && same(h.Raw, w.Fields)
	})
}

// Has reports whether the file holds the key path, and its raw value.
func (f *File) Has(path ...string) (raw string, ok bool) {
	v, ok := get(f.root, path...)
	if !ok || f.blank {
		return "", false
	}
	return string(f.raw(v)), true
}
