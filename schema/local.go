package schema

import (
	"slices"
	"strings"
)

// overlay is viber.local.yml, read by its own stricter grammar.
type overlay struct {
	ignored []string              // names whose value was not taken, in file order
	lines   map[string]assignment // by name, the line each is taken from
	values  map[string]Setting    // by name, those that took a valid value
}

func parseOverlay(text string) *overlay {
	o := &overlay{values: map[string]Setting{}, lines: map[string]assignment{}}
	group, depth := "", -1
	for i, line := range splitLines(text) {
		if ignorable(line) {
			continue
		}
		if indent(line) == 0 {
			group, depth = o.openGroup(line, i+1), -1
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
func (o *overlay) openGroup(line string, number int) string {
	key, rest, ok := keyOf(line)
	switch {
	case !ok:
		return ""
	case word(valueText(rest)) != "":
		if !slices.Contains(o.ignored, key) {
			o.lines[key] = assignment{key, valueText(rest), number}
			o.ignored = append(o.ignored, key)
		}
		return ""
	}
	return key
}

func (o *overlay) assign(name, value string, line int) {
	if _, seen := o.lines[name]; seen {
		return
	}
	o.lines[name] = assignment{name, value, line}
	k, ok := Lookup(name)
	resolved, valid := k.Read(value)
	if !ok || !k.Local || !valid {
		o.ignored = append(o.ignored, name)
		return
	}
	o.values[name] = Setting{Value: resolved, Source: FromLocal, Line: line, Text: value}
}

// setting returns the overlay's value of k; a nil overlay has none.
func (o *overlay) setting(k Key) (Setting, bool) {
	if o == nil {
		return Setting{}, false
	}
	s, ok := o.values[k.Name]
	return s, ok
}

// header is the block's second line: which keys took a local value, in the table's order, and which were ignored.
func (o *overlay) header() string {
	var taken []string
	for _, k := range Keys() {
		if _, ok := o.values[k.Name]; ok {
			taken = append(taken, k.Name)
		}
	}
	return "# local: " + orNone(strings.Join(taken, ", ")) + " | ignored: " + orNone(strings.Join(o.ignored, ", "))
}
