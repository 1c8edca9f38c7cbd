package settings

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// rules adds the wanted rules that the file does not cover yet, and takes out those viber added and no longer wants.
func (e *editor) rules() error {
	for _, list := range []string{Allow, Ask, Deny} {
		for _, rule := range slices.Clone(e.fp.Rules[list]) {
			if slices.Contains(e.change.Rules, Rule{list, rule}) {
				continue
			}
			if err := e.removeRule(Rule{list, rule}); err != nil {
				return err
			}
		}
	}
	for _, want := range e.change.Rules {
		if e.Covered(want) {
			continue
		}
		if err := e.addRule(want); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) addRule(r Rule) error {
	path := []string{"permissions", r.List}
	list, err := e.ensure(path, "[]")
	if err != nil {
		return err
	}
	e.fp.addRule(r.List, r.Text)
	e.say("add", r.List+" "+r.Text)
	return e.put(list, pointer(path), func(s style, _ string) string { return quote(r.Text) })
}

// removeRule takes out one copy of the rule; one that is gone already is only forgotten.
func (e *editor) removeRule(r Rule) error {
	e.fp.dropRule(r.List, r.Text)
	perms, ok := get(e.root, "permissions")
	if !ok {
		return nil
	}
	list, ok := get(perms, r.List)
	if !ok {
		return nil
	}
	rules := children(list)
	for i := len(rules) - 1; i >= 0; i-- {
		if text(rules[i].value) != r.Text {
			continue
		}
		e.say("remove", r.List+" "+r.Text)
		return e.prune([]level{
			{e.root, member(e.root, "permissions"), ""},
			{perms, member(perms, r.List), "/permissions"},
			{list, i, pointer([]string{"permissions", r.List})},
		})
	}
	return nil
}

// keys sets the wanted keys and takes out those viber set and no longer wants.
func (e *editor) keys() error {
	for _, path := range e.fp.clone().Keys {
		if slices.ContainsFunc(e.change.Keys, func(k Key) bool { return slices.Equal(k.Path, path) }) {
			continue
		}
		if err := e.removeKey(path); err != nil {
			return err
		}
	}
	for _, k := range e.change.Keys {
		if err := e.setKey(k); err != nil {
			return err
		}
	}
	return nil
}

// setKey adds a key, or updates one that viber had set; a value of the user's stays.
func (e *editor) setKey(k Key) error {
	what := "key " + strings.Join(k.Path, ".")
	if v, ok := get(e.root, k.Path...); ok {
		return e.updateKey(k, v, what)
	}
	parentPath, key := k.Path[:len(k.Path)-1], k.Path[len(k.Path)-1]
	if at, blocked := e.blocked(parentPath); blocked {
		return e.wrongType(at, mustGet(e.root, parentPath), "an object")
	}
	parent, err := e.ensure(parentPath, "{}")
	if err != nil {
		return err
	}
	e.fp.addKey(k.Path)
	e.say("add", what)
	return e.put(parent, pointer(parentPath), memberItem(key, k.Value))
}

func (e *editor) updateKey(k Key, v hujson.Value, what string) error {
	ours := slices.ContainsFunc(e.fp.Keys, func(p []string) bool { return slices.Equal(p, k.Path) })
	switch {
	case same(e.raw(v), k.Value):
		return nil
	case !ours:
		e.say("keep", what)
		return nil
	}
	e.say("update", what)
	text := e.style().render(k.Value, e.indentAt(v.StartOffset))
	return e.to(splice(e.text, v.StartOffset, v.EndOffset, text))
}

// blocked reports whether something else than an object stands on the way down path.
func (e *editor) blocked(path []string) (string, bool) {
	for depth := 1; depth <= len(path); depth++ {
		v, ok := get(e.root, path[:depth]...)
		if !ok {
			return "", false
		}
		if _, isObject := v.Value.(*hujson.Object); !isObject {
			return quote(strings.Join(path[:depth], ".")), true
		}
	}
	return "", false
}

// mustGet returns the deepest value that is there on the way down path.
func mustGet(v hujson.Value, path []string) hujson.Value {
	for _, key := range path {
		next, ok := get(v, key)
		if !ok {
			return v
		}
		v = next
	}
	return v
}

func (e *editor) removeKey(path []string) error {
	e.fp.dropKey(path)
	if _, ok := get(e.root, path...); !ok {
		return nil
	}
	var levels []level
	v := e.root
	for depth, key := range path {
		i := member(v, key)
		levels = append(levels, level{v, i, pointer(path[:depth])})
		v = children(v)[i].value
	}
	e.say("remove", "key "+strings.Join(path, "."))
	return e.prune(levels)
}
