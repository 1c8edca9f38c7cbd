package settings

import (
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// rules adds the wanted rules that the file does not cover yet, and takes out those viber added and no longer wants.
func (e *editor) rules() error {
	for _, list := range []string{Allow, Ask, Deny} {
		if err := e.removeRules(list); err != nil {
			return err
		}
	}
	there := e.ruleLists()
	for _, list := range []string{Allow, Ask, Deny} {
		if err := e.addRules(list, there); err != nil {
			return err
		}
	}
	return nil
}

// addRules puts the wanted rules of one list at its end, those that are not covered by what is there.
func (e *editor) addRules(list string, there ruleLists) error {
	var items []item
	added := map[string]bool{}
	for _, want := range e.change.Rules {
		if want.List != list || added[want.Text] || there.cover(want) {
			continue
		}
		added[want.Text] = true
		e.fp.addRule(list, want.Text)
		e.say("add", list+" "+want.Text)
		items = append(items, func(style, string) string { return quote(want.Text) })
	}
	if len(items) == 0 {
		return nil
	}
	path := []string{"permissions", list}
	v, err := e.ensure(path, "[]")
	if err != nil {
		return err
	}
	return e.put(v, pointer(path), items...)
}

// removeRules takes one copy of each rule that viber added to a list and no longer wants out of it; one that is gone already
// is only forgotten.
func (e *editor) removeRules(list string) error {
	perms, _ := get(e.root, "permissions")
	v, _ := get(e.root, "permissions", list)
	rules := children(v)
	var gone []int
	for _, rule := range slices.Clone(e.fp.Rules[list]) {
		if slices.Contains(e.change.Rules, Rule{list, rule}) {
			continue
		}
		e.fp.dropRule(list, rule)
		if i := lastCopy(rules, rule, gone); i >= 0 {
			e.say("remove", list+" "+rule)
			gone = append(gone, i)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	slices.Sort(gone)
	return e.prune([]level{
		{e.root, "", []int{member(e.root, "permissions")}},
		{perms, "/permissions", []int{member(perms, list)}},
		{v, pointer([]string{"permissions", list}), gone},
	})
}

// lastCopy returns the index of the last copy of rule that is not gone yet, or -1.
func lastCopy(rules []child, rule string, gone []int) int {
	for i := len(rules) - 1; i >= 0; i-- {
		if text(rules[i].value) == rule && !slices.Contains(gone, i) {
			return i
		}
	}
	return -1
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
		levels = append(levels, level{v, pointer(path[:depth]), []int{i}})
		v = children(v)[i].value
	}
	e.say("remove", "key "+strings.Join(path, "."))
	return e.prune(levels)
}
