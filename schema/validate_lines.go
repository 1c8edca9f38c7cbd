package schema

import (
	"slices"
	"strings"

	"viber/internal/near"
)

// lines finds lines that are not read where they stand: unknown keys and groups, keys of another group or at column 0,
// quoted keys, lines that close a group, duplicates, tabs.
func (v *checker) lines() {
	group, tabs := "", false
	seen := map[string]int{}
	for i, line := range v.doc.lines {
		if ignorable(line) {
			continue
		}
		if !tabs && strings.Contains(line[:indent(line)], "\t") {
			tabs = true
			v.add(i+1, 1+strings.IndexByte(line, '\t'), "Indent with blanks.", "tabs are not allowed in YAML: viber reads the line, editors do not")
		}
		switch {
		case indent(line) == 0:
			group = v.columnZero(i, strings.TrimPrefix(line, bom))
		case v.doc.extensions.holds(i):
			v.mapLine(i)
		case group == "branching":
		default:
			v.child(i, group, seen)
		}
	}
}

// columnZero checks a line without indentation and returns the group it opens.
func (v *checker) columnZero(i int, line string) string {
	key, rest, ok := keyOf(line)
	switch {
	case !ok && !strings.HasPrefix(line, "---"):
		v.add(i+1, 1, "Indent it, comment it out, or remove it.", "%s is no key; it closes the group above it", clip(line))
	case !ok:
	case flatName(key) != "":
		v.add(i+1, 1, "Run 'viber migrate'.", "%s is not read at column 0; it belongs to %s", key, flatName(key))
	case !isKnownGroup(key):
		v.add(i+1, 1, groupHint(key), "%s is no group viber knows", key)
	case isGroup(key) && word(valueText(rest)) != "":
		v.add(i+1, 1, "Put the keys below it, on lines of their own.", "%s has a value; setup and migrate leave such a group alone", key)
	}
	return key
}

func isKnownGroup(name string) bool {
	_, top := Lookup(name)
	return top || isGroup(name)
}

func isGroup(name string) bool {
	return slices.ContainsFunc(Groups(Newest), func(g Group) bool { return g.Name != "" && g.Name == name })
}

func groupHint(name string) string {
	var names []string
	for _, g := range Groups(Newest) {
		names = append(names, g.Name)
	}
	if best := near.Word(lower(name), names); best != "" {
		return "Did you mean " + best + "?"
	}
	return didYouMean(name)
}

// child checks an indented line of a group.
func (v *checker) child(i int, group string, seen map[string]int) {
	line := v.doc.lines[i]
	text, col := trimLeft(line), indent(line)+1
	key, _, ok := keyOf(text)
	switch {
	case !ok || !isLetter(text[0]):
		v.odd(i+1, col, group, text)
		return
	case group == "":
		v.add(i+1, col, "Put it into its group.", "%s belongs to no group here, so it is not read", key)
		return
	}
	name := group + "." + key
	if first := seen[name]; first > 0 {
		v.add(i+1, col, "Remove one of them.", "%s stands here a second time; line %d counts", name, first)
		return
	}
	seen[name] = i + 1
	if _, known := Lookup(name); known || !isGroup(group) {
		return
	}
	if home := homeOf(key); home != "" {
		v.add(i+1, col, "Move it there.", "%s is not read in %s; it belongs to %s", key, group, home)
		return
	}
	v.add(i+1, col, didYouMean(name), "%s is not known", name)
}

// odd checks an indented line that is no key line.
func (v *checker) odd(line, col int, group, text string) {
	if text[0] == '"' || text[0] == '\'' {
		if end := strings.IndexByte(text[1:], text[0]); end > 0 {
			if _, known := Lookup(group + "." + text[1:1+end]); known {
				v.add(line, col, "Write it without quotes.", "a key in quotes is not read: %s", clip(text))
				return
			}
		}
	}
	if isGroup(group) {
		v.add(line, col, "Write one key: value a line, or remove it.", "this line is not read: %s", clip(text))
	}
}

// homeOf returns the group a leaf name belongs to, empty when it is not the name of exactly one key.
func homeOf(leaf string) string {
	home := ""
	for _, k := range Keys() {
		if k.Leaf() == leaf && k.Group() != "" {
			if home != "" {
				return ""
			}
			home = k.Group()
		}
	}
	return home
}

// mapLine checks a line of the extension map: a switch that is indented one step too far is an entry there.
func (v *checker) mapLine(i int) {
	line := v.doc.lines[i]
	name, _, ok := entryOf(line)
	if v.doc.extensions.inline() {
		v.add(i+1, indent(line)+1, "Take the value off the extensions line.", "nothing below build.extensions is read while a value follows it")
		return
	}
	if !ok {
		v.add(i+1, indent(line)+1, "Write an entry as name:.", "this line of the extension map is not read: %s", clip(trimLeft(line)))
		return
	}
	if _, known := Lookup("build." + name); known && indent(line) == v.doc.extensions.depth {
		v.add(i+1, indent(line)+1, "Indent it like extensions itself.", "%s reads as an extension, not as the switch build.%s", name, name)
	}
}

func clip(text string) string {
	text = strings.TrimRight(text, "\r\n ")
	if len(text) > 40 {
		return text[:37] + "..."
	}
	return text
}
