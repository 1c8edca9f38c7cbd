package schema

import (
	"slices"
	"strings"
)

// overlay is viber.local.yml, read by its own stricter grammar.
type overlay struct {
	taken   []string // names that took a valid value
	ignored []string // names that did not, in file order
	values  map[string]Setting
}

func parseOverlay(text string) *overlay {
	o := &overlay{values: map[string]Setting{}}
	group, depth := "", -1
	for i, line := range splitLines(text) {
		if ignorable(line) {
			continue
		}
		if indent(line) == 0 {
			group, depth = o.openGroup(line), -1
			continue
		}
		key, rest, ok := keyOf(trimLeft(line))
		if group == "" || !ok {
			continue
		}
		if depth < 0 {
			depth = indent(line)
		}
		if indent(line) == depth {
			o.assign(group+"."+key, valueText(rest), i+1)
		}
	}
	return o
}

// openGroup reads a line at column 0: a key without a value opens a group, a key with one is ignored and named.
func (o *overlay) openGroup(line string) string {
	key, rest, ok := keyOf(line)
	switch {
	case !ok:
		return ""
	case word(valueText(rest)) != "":
		o.ignore(key)
		return ""
	}
	return key
}

func (o *overlay) assign(name, value string, line int) {
	if _, seen := o.values[name]; seen || slices.Contains(o.ignored, name) {
		return
	}
	k, ok := Lookup(name)
	resolved, valid := k.Read(value)
	if !ok || !k.Local || !valid {
		o.ignore(name)
		return
	}
	o.values[name] = Setting{Value: resolved, Source: FromLocal, Line: line, Text: value}
	o.taken = append(o.taken, name)
}

func (o *overlay) ignore(name string) {
	if !slices.Contains(o.ignored, name) {
		o.ignored = append(o.ignored, name)
	}
}

// setting returns the overlay's value of k; a nil overlay has none.
func (o *overlay) setting(k Key) (Setting, bool) {
	if o == nil {
		return Setting{}, false
	}
	s, ok := o.values[k.Name]
	return s, ok
}

// header is the block's second line: which keys took a local value and which were ignored.
func (o *overlay) header() string {
	taken := slices.Clone(o.taken)
	slices.Sort(taken)
	return "# local: " + orNone(strings.Join(taken, ", ")) + " | ignored: " + orNone(strings.Join(o.ignored, ", "))
}
