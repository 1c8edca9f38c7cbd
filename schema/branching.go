package schema

import (
	"slices"
	"strings"
)

// Branching is the branching group as `viber config --branching` reports it.
type Branching struct {
	Mode     string // off, allowed or required
	Entries  []WorkEntry
	Mappings []Mapping
	Errors   []string

	found []lineError
}

// lineError is an error and the line it is about, 0 for the group as a whole.
type lineError struct {
	line int
	text string
}

// WorkEntry is one valid entry of branching.work.
type WorkEntry struct{ Key, Base, Name, Target string }

// Mapping says which work entry an issue type uses.
type Mapping struct {
	Type, Entry string

	line int
}

// Branching reads the branching group of the shared file; the overlay does not take part.
func (c *Config) Branching() Branching { return readBranching(c.shared.lines).report() }

func readBranching(lines []string) *branchingReader {
	r := &branchingReader{}
	in := false
	for i, line := range lines {
		switch {
		case ignorable(line):
		case indent(line) == 0:
			key, _, ok := keyOf(line)
			in = ok && key == "branching"
			if in && r.group == 0 {
				r.group = i + 1
			}
		case in:
			r.at = i + 1
			r.line(line)
		}
	}
	return r
}

// Report returns the text of `viber config --branching`.
func (b Branching) Report() string {
	var out strings.Builder
	out.WriteString("mode: " + b.Mode + "\n")
	for _, e := range b.Entries {
		out.WriteString("entry: " + e.Key + " | base: " + e.Base + " | name: " + e.Name + " | target: " + e.Target + "\n")
	}
	for _, m := range b.Mappings {
		out.WriteString("map: " + m.Type + " | " + m.Entry + "\n")
	}
	for _, e := range b.Errors {
		out.WriteString("error: " + e + "\n")
	}
	return out.String()
}

// names lists the valid entries of work, or the mappings as type=entry.
func (b Branching) names(key string) string {
	var names []string
	if key == "branching.work" {
		for _, e := range b.Entries {
			names = append(names, e.Key)
		}
	} else {
		for _, m := range b.Mappings {
			names = append(names, m.Type+"="+m.Entry)
		}
	}
	return orNone(strings.Join(names, ", "))
}

// branchingReader walks the lines of the branching group by depth.
type branchingReader struct {
	group    int  // line of the group's header
	at       int  // line being read
	any      bool // the group has a line
	d1, d2   int  // depth of direct children, of the entries below the open one
	child    string
	deeper   bool // d2 is known
	mode     *string
	legacy   int // line of a base or name that is no longer read
	entries  []rawEntry
	mappings []Mapping
}

type rawEntry struct {
	line   int
	key    string
	fields map[string]string
}

func (r *branchingReader) line(line string) {
	depth := indent(line)
	key, value := branchKey(trimLeft(line))
	if !r.any {
		r.any, r.d1 = true, depth
	}
	if depth <= r.d1 {
		r.direct(key, value)
		return
	}
	if !r.deeper {
		r.deeper, r.d2 = true, depth
	}
	switch r.child {
	case "work":
		r.work(depth, key, value)
	case "issue-type-mappings":
		if depth <= r.d2 {
			r.mappings = append(r.mappings, Mapping{key, unquote(value), r.at})
		}
	}
}

func (r *branchingReader) direct(key, value string) {
	r.child, r.deeper = key, false
	switch key {
	case "mode":
		if r.mode == nil {
			r.mode = &value
		}
	case "base", "name":
		r.legacy = r.at
	}
}

func (r *branchingReader) work(depth int, key, value string) {
	if depth <= r.d2 {
		r.entries = append(r.entries, rawEntry{line: r.at, key: key, fields: map[string]string{}})
		return
	}
	if key != "base" && key != "name" && key != "target" {
		return
	}
	fields := r.entries[len(r.entries)-1].fields
	if _, seen := fields[key]; !seen {
		fields[key] = value
	}
}

func (r *branchingReader) report() Branching {
	b := Branching{Mode: "off"}
	if r.mode != nil {
		k, _ := Lookup("branching.mode")
		if mode, valid := k.Read(*r.mode); valid {
			b.Mode = mode
		}
	}
	if r.legacy > 0 {
		b.fail(r.legacy, "branching.base and branching.name are no longer read - move them into a branching.work entry")
	}
	for _, raw := range r.entries {
		entry, errs := raw.check()
		for _, e := range errs {
			b.fail(raw.line, e)
		}
		if len(errs) == 0 {
			b.Entries = append(b.Entries, entry)
		}
	}
	for _, m := range r.mappings {
		if slices.ContainsFunc(b.Entries, func(e WorkEntry) bool { return e.Key == m.Entry }) {
			b.Mappings = append(b.Mappings, m)
		} else {
			b.fail(m.line, "issue-type-mappings: "+m.Type+" names no work entry: "+m.Entry)
		}
	}
	if b.Mode != "off" && len(b.Entries) == 0 {
		b.fail(0, "no valid branching.work entry")
	}
	return b
}

func (b *Branching) fail(line int, text string) {
	b.Errors = append(b.Errors, text)
	b.found = append(b.found, lineError{line, text})
}

func (raw rawEntry) check() (WorkEntry, []string) {
	var errs []string
	say := func(text string) { errs = append(errs, "work entry "+raw.key+": "+text) }
	e := WorkEntry{Key: raw.key, Base: raw.fields["base"], Name: raw.fields["name"], Target: raw.fields["target"]}
	if !onlyBytes(e.Key, "._-") {
		say("invalid key: " + e.Key)
	}
	checkBranch(e.Base, "base", say)
	switch plain := unquote(e.Name); {
	case e.Name == "":
		say("missing name")
	case !onlyBytes(plain, "._/{}-"):
		say("invalid name: " + e.Name)
	default:
		e.Name = plain
		if strings.Contains(plain, "{issue}") {
			say("{issue} is now {issue-number}")
		}
	}
	checkBranch(e.Target, "target", say)
	return e, errs
}

func checkBranch(value, field string, say func(string)) {
	switch {
	case value == "":
		say("missing " + field)
	case !onlyBytes(value, "._/-") || value[0] == '-' || value[0] == '/' || strings.Contains(value, ".."):
		say("invalid " + field + ": " + value)
	}
}

// onlyBytes reports whether s is not empty and made of ASCII letters, digits and the bytes of extra.
func onlyBytes(s, extra string) bool {
	for i := range len(s) {
		c := s[i]
		if !isLetter(c) && (c < '0' || c > '9') && strings.IndexByte(extra, c) < 0 {
			return false
		}
	}
	return s != ""
}

// branchKey splits text: a quoted key without its quotes, else all up to the first colon and the blanks before it.
func branchKey(text string) (key, value string) {
	rest := ""
	if end := closingQuote(text); end > 0 {
		key, rest = text[1:end], text[end+1:]
	} else if i := strings.IndexByte(text, ':'); i >= 0 {
		key, rest = trimRight(text[:i]), text[i:]
	} else {
		key = trimRight(text)
	}
	if after, ok := strings.CutPrefix(trimLeft(rest), ":"); ok {
		rest = trimLeft(after)
	}
	return key, word(rest)
}

// closingQuote returns the index of the quote that closes the one text starts with, 0 when there is none.
func closingQuote(text string) int {
	if text[0] != '\'' && text[0] != '"' {
		return 0
	}
	return 1 + strings.IndexByte(text[1:], text[0])
}

// unquote strips one pair of quotes around something.
func unquote(s string) string {
	if len(s) >= 3 && (s[0] == '\'' || s[0] == '"') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
