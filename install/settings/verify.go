package settings

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tailscale/hujson"
)

// verify compares what is not ours before and after the edit, and reads the result as the next Parse would.
func (f *File) verify(e *editor) error {
	after, err := Parse(f.Path, e.Text())
	if err != nil {
		return err
	}
	ours := owned{own: e.change.Own}
	ours.add(e.change.Footprint)
	ours.add(e.fp)
	was, is := f.foreign(ours), after.foreign(ours)
	if !slices.Equal(was, is) {
		return fmt.Errorf("a foreign entry would change: %s", firstDifference(was, is))
	}
	if _, missing := pair((&editor{File: after, change: e.change}).ownHandlers(), e.change.Hooks); len(missing) > 0 {
		return errors.New("a hook entry is missing in the result")
	}
	return nil
}

func firstDifference(was, is []string) string {
	for i, s := range was {
		if i >= len(is) || is[i] != s {
			return strconv.Quote(s)
		}
	}
	return strconv.Quote(is[len(was)])
}

// owned says what of a file belongs to viber.
type owned struct {
	own   func(Handler) bool
	rules []Rule
	keys  [][]string
	made  []string
}

func (o *owned) add(fp *Footprint) {
	if fp == nil {
		return
	}
	for list, rules := range fp.Rules {
		for _, r := range rules {
			o.rules = append(o.rules, Rule{list, r})
		}
	}
	o.keys = append(o.keys, fp.Keys...)
	o.made = append(o.made, fp.Made...)
}

// foreign lists every scalar of the file that is not ours with its path, in the order and spelling of the text.
func (f *File) foreign(o owned) []string {
	w := walker{f: f, ours: o, skip: map[int]bool{}}
	if o.own != nil && !f.blank {
		w.skipOwn()
	}
	if !f.blank {
		w.walk(f.root, nil, "")
	}
	return w.found
}

type walker struct {
	f     *File
	ours  owned
	skip  map[int]bool // offsets of values that are ours whole
	found []string
}

// skipOwn marks our handlers, and the groups that hold nothing else.
func (w *walker) skipOwn() {
	foreignIn := map[int]bool{}
	groups := map[int]hujson.Value{}
	for _, h := range w.f.Handlers() {
		_, _, group, list := w.f.chain(h)
		groups[group.StartOffset] = group
		if !w.ours.own(h) {
			foreignIn[group.StartOffset] = true
			continue
		}
		w.skip[children(list)[h.handler].start] = true
	}
	for at, group := range groups {
		list, _ := get(group, "hooks")
		mixed := slices.ContainsFunc(children(list), func(c child) bool { return !w.skip[c.start] })
		if !foreignIn[at] && !mixed && !hasForeignKeys(children(group)) {
			w.skip[at] = true
		}
	}
}

func (w *walker) walk(v hujson.Value, path []string, where string) {
	if w.skip[v.StartOffset] && where != "" || w.isKey(path) {
		return
	}
	if _, scalar := v.Value.(hujson.Literal); scalar {
		if !w.isRule(v, path) {
			w.found = append(w.found, where+"="+string(w.f.raw(v)))
		}
		return
	}
	for _, c := range children(v) {
		if v.Value.Kind() == '[' {
			w.walk(c.value, append(slices.Clone(path), ""), where+"/[]")
			continue
		}
		w.walk(c.value, append(slices.Clone(path), c.name), where+"/"+strconv.Quote(c.name))
	}
}

func (w *walker) isKey(path []string) bool {
	return slices.ContainsFunc(w.ours.keys, func(k []string) bool { return slices.Equal(k, path) })
}

func (w *walker) isRule(v hujson.Value, path []string) bool {
	if len(path) != 3 || path[0] != "permissions" || path[2] != "" {
		return false
	}
	return slices.Contains(w.ours.rules, Rule{path[1], text(v)})
}
