package settings

import (
	"errors"
	"fmt"
	"slices"
)

// hooks makes our entries of the file exactly the wanted ones: what fits is updated in place, the rest goes or is added.
func (e *editor) hooks() error {
	const fieldsOfOne = 16
	limit := fieldsOfOne * (len(e.Handlers()) + len(e.change.Hooks) + 1)
	for range limit {
		changed, err := e.nextHook()
		if err != nil || !changed {
			return err
		}
	}
	return errors.New("the hook entries that were written are not recognised as viber's")
}

// nextHook makes the first edit that is still needed.
func (e *editor) nextHook() (bool, error) {
	own := e.ownHandlers()
	pairs, missing := pair(own, e.change.Hooks)
	for i, h := range own {
		want, ok := pairs[i]
		if !ok {
			e.say("remove", describe(h.Event, h.Matcher))
			return true, e.removeHook(h)
		}
		if changed, err := e.updateHook(h, want); changed || err != nil {
			return changed, err
		}
	}
	return len(missing) > 0, e.addHooks(missing)
}

// addHooks adds entries, those of one event together: the text is parsed anew once for each event.
func (e *editor) addHooks(missing []Hook) error {
	for len(missing) > 0 {
		event := missing[0].Event
		var group, rest []Hook
		for _, want := range missing {
			if want.Event != event {
				rest = append(rest, want)
				continue
			}
			e.say("add", describe(want.Event, want.Matcher))
			group = append(group, want)
		}
		if err := e.addEvent(event, group); err != nil {
			return err
		}
		missing = rest
	}
	return nil
}

func (e *editor) ownHandlers() []Handler {
	if e.change.Own == nil || e.blank {
		return nil
	}
	return slices.DeleteFunc(e.Handlers(), func(h Handler) bool { return !e.change.Own(h) })
}

// pair gives each wanted hook the own entry that it lives in: of the same event and matcher, with the same rule if there
// is one. Entries the client does not read get none.
func pair(own []Handler, want []Hook) (pairs map[int]Hook, missing []Hook) {
	pairs = map[int]Hook{}
	var second []Hook
	take := func(w Hook, fits func(h Handler) bool) bool {
		for i, h := range own {
			if _, taken := pairs[i]; !taken && !h.Dead && h.Event == w.Event && h.Matcher == w.Matcher && fits(h) {
				pairs[i] = w
				return true
			}
		}
		return false
	}
	for _, w := range want {
		if !take(w, func(h Handler) bool { return h.If == w.field("if") }) {
			second = append(second, w)
		}
	}
	for _, w := range second {
		if !take(w, func(Handler) bool { return true }) {
			missing = append(missing, w)
		}
	}
	return pairs, missing
}

func (w Hook) field(key string) any {
	for _, f := range w.Fields {
		if f.Key == key {
			return f.Value
		}
	}
	return ""
}

func describe(event, matcher string) string {
	if matcher == "" {
		return "hook " + event
	}
	return fmt.Sprintf("hook %s (%s)", event, matcher)
}

func (e *editor) addEvent(name string, hooks []Hook) error {
	path := []string{"hooks", name}
	event, err := e.ensure(path, "[]")
	if err != nil {
		return err
	}
	var items []item
	for _, w := range hooks {
		var group []Field
		if w.Matcher != "" {
			group = append(group, Field{"matcher", w.Matcher})
		}
		group = append(group, Field{"hooks", []any{w.Fields}})
		items = append(items, func(s style, indent string) string { return s.render(group, indent) })
	}
	return e.put(event, pointer(path), items...)
}

// removeHook takes out one handler, its group when that holds nothing else, and what viber had made around it.
func (e *editor) removeHook(h Handler) error {
	hooks, event, group, list := e.chain(h)
	if len(children(list)) > 1 || hasForeignKeys(children(group)) {
		return e.to(e.cut(list, "", h.handler))
	}
	return e.prune([]level{
		{e.root, "", []int{h.hooks}},
		{hooks, "/hooks", []int{h.event}},
		{event, pointer([]string{"hooks", h.Event}), []int{h.group}},
	})
}

func hasForeignKeys(group []child) bool {
	return slices.ContainsFunc(group, func(c child) bool { return c.name != "matcher" && c.name != "hooks" })
}

// governed are the fields of a handler that decide how it runs: on an entry of ours they are as viber wants them.
func governed(key string) bool {
	switch key {
	case "type", "command", "args", "timeout", "if", "shell", "async", "asyncRewake", "onFailure", "once":
		return true
	}
	return false
}

// updateHook brings the first field that differs to its wanted value; fields of the user's own stay.
func (e *editor) updateHook(h Handler, w Hook) (bool, error) {
	_, _, _, list := e.chain(h)
	v := children(list)[h.handler].value
	for _, want := range w.Fields {
		i := member(v, want.Key)
		if i < 0 {
			e.updated(h)
			return true, e.to(e.insert(v, memberItem(want.Key, want.Value)))
		}
		at := children(v)[i]
		if !same(e.raw(at.value), want.Value) {
			e.updated(h)
			text := e.style().render(want.Value, e.indentAt(at.start))
			return true, e.to(splice(e.text, at.value.StartOffset, at.value.EndOffset, text))
		}
	}
	for i, c := range children(v) {
		if governed(c.name) && !slices.ContainsFunc(w.Fields, func(f Field) bool { return f.Key == c.name }) {
			e.updated(h)
			return true, e.to(e.cut(v, "", i))
		}
	}
	return false, nil
}

func (e *editor) updated(h Handler) {
	d := Done{"update", describe(h.Event, h.Matcher)}
	if !slices.Contains(e.done, d) {
		e.done = append(e.done, d)
	}
}
