package schema

import (
	"fmt"
	"strings"
)

// Target is one of the files a key can be set in.
type Target int

// The files a key can be set in.
const (
	SharedFile Target = iota
	LocalFile         // viber.local.yml
	UserFile          // the user's own viber.yml
)

// PlanSet returns text with key set to value: the value of its line, or a new line where the template has it, in the
// file's own indentation. Nothing else changes; comments stay. It refuses unknown keys, values the key does not take, keys
// that hold entries, and files it cannot read as text.
func PlanSet(text, key, value string, target Target) (string, error) {
	k, ok := Lookup(key)
	if !ok {
		return "", unknownKey(key)
	}
	if err := k.maySet(target); err != nil {
		return "", err
	}
	written, err := k.write(value)
	if err != nil {
		return "", err
	}
	if target == SharedFile && k.loosens(k.mustRead(written)) {
		return "", fmt.Errorf("%s: a project can only tighten a guard, so %s would have no effect; for yourself: viber config set --user %s %s", key, value, key, value)
	}
	if err := errOdd(text); err != nil {
		return "", err
	}
	if n := NumberIn(text); n > Newest {
		return "", fmt.Errorf("the file is at schema %d, newer than the %d this viber knows; run 'viber upgrade'", n, Newest)
	}
	if groupInline(text, k.Group()) {
		return "", fmt.Errorf("%s cannot be set: %s: holds its value on its own line, which viber does not read; give each key a line of its own with 'viber config edit'", key, k.Group())
	}
	d := newDraft(text, MigrationOptions{To: Newest})
	if a, ok := d.firstLine(k.Name, target); ok {
		d.setValue(a, written)
	} else {
		d.addLine(k, written)
	}
	after := d.text()
	if d.noEnd {
		after = d.open()
	}
	if got, ok := readBack(after, k, target); !ok || got != k.mustRead(written) {
		return "", fmt.Errorf("%s cannot be set by line here; open the file with 'viber config edit' ('viber config validate' names what is odd)", key)
	}
	return after, nil
}

// groupInline reports that group has a value on its own line, such as {qa: true}: a second group beside it would be a
// doubled key for every other reader of the file.
func groupInline(text, group string) bool {
	for line := range strings.Lines(text) {
		rest, found := strings.CutPrefix(line, group+":")
		rest = strings.TrimSpace(rest)
		if group != "" && found && strings.HasPrefix(rest, "{") {
			return true
		}
	}
	return false
}

func unknownKey(key string) error {
	if near := Closest(key); near != "" {
		return fmt.Errorf("unknown key %s; did you mean %s?", key, near)
	}
	return fmt.Errorf("unknown key %s; see 'viber config list'", key)
}

func (k Key) maySet(target Target) error {
	switch {
	case k.Name == "schema":
		return fmt.Errorf("schema is raised by 'viber migrate'")
	case k.Name == "build.extensions":
		return fmt.Errorf("build.extensions holds entries; add one with 'viber extension --add NAME' or edit them with 'viber config edit'")
	case k.Kind == Map:
		return fmt.Errorf("%s holds entries; edit them with 'viber config edit'", k.Name)
	case target == SharedFile && k.Personal:
		return fmt.Errorf("%s counts in your own viber.yml only; set it with 'viber config set --user %s ...'", k.Name, k.Name)
	case target == LocalFile && !k.Local:
		return fmt.Errorf("%s cannot be set in .claude/viber.local.yml; only %s can", k.Name, listing(localKeys(), " and "))
	}
	return nil
}

func localKeys() []string {
	var names []string
	for _, k := range Keys() {
		if k.Local {
			names = append(names, k.Name)
		}
	}
	return names
}

// write returns the text that reads as value.
func (k Key) write(value string) (string, error) {
	if strings.ContainsAny(value, "\n\r") {
		return "", fmt.Errorf("%s: a value is one line", k.Name)
	}
	forms := []string{value}
	if k.Kind == Title || k.Kind == Text {
		forms = []string{"'" + value + "'", `"` + value + `"`}
	}
	for _, form := range forms {
		got, ok := k.Read(form)
		if ok && (got == value || k.oneWord() && word(form) == form || k.Kind == List) {
			return form, nil
		}
	}
	return "", fmt.Errorf("%s %s, not %q", k.Name, k.takes(), value)
}

// oneWord reports whether a value of the key ends at its first blank.
func (k Key) oneWord() bool { return k.Kind != Title && k.Kind != Text && k.Kind != List }

func (k Key) mustRead(written string) string {
	value, _ := k.Read(written)
	return value
}

// firstLine finds the line the reader takes name from.
func (d *draft) firstLine(name string, target Target) (assignment, bool) {
	if target != LocalFile {
		return d.document().get(name)
	}
	a, ok := parseOverlay(strings.Join(d.lines, "\n")).lines[name]
	return a, ok
}

// readBack reads key in text as the program will.
func readBack(text string, k Key, target Target) (string, bool) {
	if target == LocalFile {
		s, ok := parseOverlay(text).setting(k)
		return s.Value, ok
	}
	s, ok := parse(text).setting(k, FromShared)
	return s.Value, ok && !s.Bad
}

// addLine puts a line for k where the template has it: behind the sibling before it, at the head of its group, or in a new
// group at the end.
func (d *draft) addLine(k Key, written string) {
	if k.Group() == "" {
		at := 0
		if i, _ := d.schemaLine(); i >= 0 {
			at = i + 1
		}
		d.insert(at, k.Name+": "+written)
		return
	}
	_, open := d.headers(k.Group())
	if open < 0 {
		if len(d.lines) > 0 {
			d.insert(len(d.lines), "")
		}
		d.insert(len(d.lines), k.Group()+":", "  "+k.Leaf()+": "+written)
		return
	}
	at, lead := d.placeFor(k, open)
	d.insert(at, lead+k.Leaf()+": "+written)
}

// placeFor returns the index and the indentation for a new line of k in the block whose header is line open.
func (d *draft) placeFor(k Key, open int) (at int, lead string) {
	end, doc := d.blockEnd(open), d.document()
	at, lead = open+1, d.childIndent(doc, open)
	if first, ok := d.firstChild(open, end); ok && indent(first) <= 8 && !d.belowExtensions(doc, open, first) {
		lead = first[:indent(first)]
	}
	for _, sibling := range siblings(k) {
		if a, ok := doc.get(sibling); ok && a.line-1 > open && a.line-1 < end {
			at = a.line
			if sibling == "build.extensions" {
				at = doc.extensions.end
			}
		}
	}
	at = min(at, end)
	if comment := d.commentedLine(k, open); comment >= 0 {
		at = comment + 1
	}
	return at, lead
}

// commentedLine returns the index of the comment that shows k in the block whose header is line open, or -1.
func (d *draft) commentedLine(k Key, open int) int {
	for i := open + 1; i < len(d.lines) && (ignorable(d.lines[i]) || indent(d.lines[i]) > 0); i++ {
		text, isComment := strings.CutPrefix(strings.TrimLeft(d.lines[i], " \t"), "# ")
		if isComment && indent(d.lines[i]) > 0 && strings.HasPrefix(text, k.Leaf()+":") {
			return i
		}
	}
	return -1
}

func (d *draft) firstChild(open, end int) (string, bool) {
	for _, line := range d.lines[open+1 : end] {
		if !ignorable(line) {
			return line, true
		}
	}
	return "", false
}

// belowExtensions reports whether a line indented like first would be an entry of the block's extension map.
func (d *draft) belowExtensions(doc document, open int, first string) bool {
	key := doc.extensions.key
	return key > open && indent(d.lines[key]) < indent(first)
}

// siblings returns the keys of k's group that stand before it in the template.
func siblings(k Key) []string {
	var before []string
	for _, other := range Keys() {
		if other.Name == k.Name {
			break
		}
		if other.Group() == k.Group() {
			before = append(before, other.Name)
		}
	}
	return before
}

// UserValue reads key in the text of a user's own viber.yml; empty when it is not there.
func UserValue(text, key string) string {
	k, ok := Lookup(key)
	if !ok {
		return ""
	}
	value, _ := readBack(text, k, UserFile)
	return value
}
