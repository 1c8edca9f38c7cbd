package schema

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Finding is something in a file that reads otherwise than it looks.
type Finding struct {
	File string `json:"file"`
	Line int    `json:"line"`   // from 1
	Col  int    `json:"column"` // in bytes, from 1
	Text string `json:"text"`   // what is wrong
	Fix  string `json:"fix"`    // what to do
}

// String returns the finding as file:line:column: text. Fix.
func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s. %s", f.File, f.Line, f.Col, f.Text, f.Fix)
}

// Validate finds what silently reads as off, or not at all, in the project's shared file, its overlay and the user's own
// file in configDir (empty: none), in file order.
func Validate(root, configDir string) []Finding {
	var all []Finding
	if text, ok := readRegular(Path(root)); ok {
		all = append(all, validateShared(shown, string(text))...)
		all = append(all, missingAgents(root, string(text))...)
	}
	if text, ok := readRegular(LocalPath(root)); ok {
		all = append(all, validateLocal(string(text))...)
	}
	if configDir != "" {
		if text, ok := readRegular(UserPath(configDir)); ok {
			all = append(all, validateUser(UserPath(configDir), string(text))...)
		}
	}
	return all
}

// ValidateText checks a shared file with this text.
func ValidateText(text string) []Finding { return validateShared(shown, text) }

// ValidateFor checks a text that is meant for the file target.
func ValidateFor(target Target, text string) []Finding {
	switch target {
	case LocalFile:
		return validateLocal(text)
	case UserFile:
		return validateUser("viber.yml", text)
	}
	return ValidateText(text)
}

// Skeleton is what an empty file of this kind starts with in an editor.
func Skeleton(target Target) string {
	switch target {
	case LocalFile:
		return "# Personal overrides for this project; git ignores this file. It may set " + listing(localKeys(), " and ") + ".\n"
	case UserFile:
		return "# Your own settings for all projects, below each project's viber.yml. A project can only tighten guards set here.\n"
	}
	return Template(Newest)
}

func validateShared(file, text string) []Finding {
	v := &checker{file: file, text: text, doc: parse(text)}
	if v.unreadable() {
		return v.found
	}
	v.bytes()
	v.schemaNumber()
	v.lines()
	v.values()
	v.withoutEffect()
	v.branching()
	v.yaml()
	return v.sorted()
}

// validateUser checks the user's own file: the same grammar, but it needs no schema line.
func validateUser(file, text string) []Finding {
	v := &checker{file: file, text: text, doc: parse(text)}
	if v.unreadable() {
		return v.found
	}
	v.bytes()
	v.lines()
	v.values()
	return v.sorted()
}

// checker collects the findings of one file.
type checker struct {
	file  string
	text  string
	doc   document
	found []Finding
}

func (v *checker) add(line, col int, fix, format string, args ...any) {
	v.found = append(v.found, Finding{File: v.file, Line: line, Col: col, Text: fmt.Sprintf(format, args...), Fix: fix})
}

func (v *checker) sorted() []Finding {
	sort.SliceStable(v.found, func(i, j int) bool { return v.found[i].Line < v.found[j].Line })
	return v.found
}

// unreadable finds what makes every line of the file unreadable.
func (v *checker) unreadable() bool {
	err := errOdd(v.text)
	if err == nil {
		return false
	}
	text, fix, _ := strings.Cut(strings.TrimPrefix(err.Error(), shown+": "), "; ")
	v.add(1, 1, sentence(fix), "%s", text)
	return true
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// bytes finds a byte order mark that hides the first line, and mixed line ends.
func (v *checker) bytes() {
	if first, ok := strings.CutPrefix(v.text, bom); ok {
		if _, _, isKey := keyOf(first); isKey {
			v.add(1, 1, "Save the file without one.", "a byte order mark hides the key on this line")
		}
	}
	crlf, lf := strings.Count(v.text, "\r\n"), strings.Count(v.text, "\n")
	if crlf == 0 || crlf == lf {
		return
	}
	for i, line := range v.doc.lines {
		if strings.HasSuffix(line, "\r") != (crlf*2 > lf) && i < lf {
			v.add(i+1, len(line)+1, "Use one line end in the whole file.", "the line ends in %s, others in %s", ending(line), ending(line+"\r"))
			return
		}
	}
}

func ending(line string) string {
	if strings.HasSuffix(line, "\r") && !strings.HasSuffix(line, "\r\r") {
		return "CR LF"
	}
	return "LF"
}

func (v *checker) schemaNumber() {
	d := newDraft(v.text, MigrationOptions{To: Newest})
	at, n := d.schemaLine()
	switch {
	case at < 0:
		v.add(1, 1, "Run 'viber migrate'.", "there is no schema line, so the file counts as schema 0")
	case !strings.HasPrefix(d.lines[at], "schema:"):
		v.add(at+1, 1, "Write schema: "+fmt.Sprint(n)+".", "with a blank before the colon the number is not seen")
	case n < Newest:
		v.add(at+1, 1, "Run 'viber migrate'.", "the file is at schema %d, this viber writes %d", n, Newest)
	case n > Newest:
		v.add(at+1, 1, "Run 'viber upgrade'.", "the file is at schema %d, this viber knows %d", n, Newest)
	}
}

// values finds values that read as the default although something else is written, and constraints nobody can read.
func (v *checker) values() {
	for _, k := range Keys() {
		a, ok := v.doc.get(k.Name)
		if !ok || k.Kind == Map || k.Name == "schema" {
			continue
		}
		col := v.column(a)
		written := strings.TrimSpace(a.value)
		_, valid := k.Read(a.value)
		switch meant := k.nearMiss(a.value); {
		case valid:
		case meant != "":
			v.add(a.line, col, "Write "+meant+".", "%s: %s reads as %s", k.Name, written, orEmpty(k.Default))
		case written == "" || written[0] == '#':
			v.add(a.line, col, sentence(k.takes())+".", "%s has no value, so it reads as %s", k.Name, orEmpty(k.Default))
		case k.Kind == Switch && lower(word(a.value)) == "no", k.Kind == Switch && lower(word(a.value)) == "off":
			v.add(a.line, col, "Write false.", "%s: %s reads as false only because it is not understood", k.Name, written)
		default:
			v.add(a.line, col, sentence(k.takes())+".", "%s: %s is not understood and reads as %s", k.Name, written, orEmpty(k.Default))
		}
	}
	v.tiers()
	if text := (&Config{shared: v.doc}).CheckRequires("0.0.0"); strings.Contains(text, "no version constraint") {
		a, _ := v.doc.get("requires")
		v.add(a.line, v.column(a), "Write one like \">=1.4\".", "requires: %s is no version constraint", strings.TrimSpace(a.value))
	}
}

// withoutEffect finds values a project's file may not decide about.
func (v *checker) withoutEffect() {
	for _, k := range Keys() {
		a, ok := v.doc.get(k.Name)
		if !ok {
			continue
		}
		value, valid := k.Read(a.value)
		switch {
		case k.Personal:
			v.add(a.line, 1, "Set it with 'viber config set --user'.", "%s counts in your own viber.yml only", k.Name)
		case valid && k.loosens(value):
			v.add(a.line, v.column(a), "Take the line out; for yourself use 'viber config set --user'.",
				"%s: %s has no effect, for a project can only tighten a guard", k.Name, value)
		}
	}
}

// column is where the value of a starts.
func (v *checker) column(a assignment) int {
	return len(strings.TrimSuffix(v.doc.lines[a.line-1], "\r")) - len(a.value) + 1
}

func (v *checker) tiers() {
	kmin, _ := Lookup("tiers.min")
	kmax, _ := Lookup("tiers.max")
	low, _ := v.doc.setting(kmin, FromShared)
	high, has := v.doc.setting(kmax, FromShared)
	if !has {
		high.Value = kmax.Default
	}
	if low.Line > 0 && slices.Index(kmin.Values, low.Value) > slices.Index(kmax.Values, high.Value) {
		v.add(low.Line, 1, "Lower tiers.min or raise tiers.max.", "tiers.min %s is above tiers.max %s, so both read as their defaults", low.Value, high.Value)
	}
}

// branching finds what `viber config --branching` calls an error, with the line it is about.
func (v *checker) branching() {
	r := readBranching(v.doc.lines)
	for _, e := range r.report().found {
		line := e.line
		if line == 0 {
			line = r.group
		}
		v.add(max(line, 1), 1, "See docs/viber-yml.md, branching.", "%s", e.text)
	}
}

// missingAgents finds entries of the extension map without an agent file.
func missingAgents(root, text string) []Finding {
	v := &checker{file: shown, doc: parse(text)}
	for _, e := range (&Config{Root: root, shared: v.doc}).Extensions() {
		switch {
		case e.Found:
		case !isExtensionName(e.Name):
			v.add(e.line, 1, "Use lower-case letters, digits and hyphens.", "build.extensions: %s is no name of an agent", e.Name)
		default:
			v.add(e.line, 1, "Create the file or remove the entry.", "build.extensions: there is no .claude/agents/%s.md", e.Name)
		}
	}
	return v.found
}

func validateLocal(text string) []Finding {
	const file = ".claude/viber.local.yml"
	v := &checker{file: file, text: text, doc: document{lines: splitLines(text)}}
	if v.unreadable() {
		return v.found
	}
	if strings.HasPrefix(text, bom) {
		v.add(1, 1, "Save the file without one.", "a byte order mark hides the first line")
	}
	o := parseOverlay(text)
	for _, name := range o.ignored {
		a := o.lines[name]
		k, known := Lookup(name)
		switch {
		case known && k.Local:
			v.add(a.line, 1, sentence(k.takes())+".", "%s: %s is not understood, so the shared value stands", name, strings.TrimSpace(a.value))
		case known && k.Group() != "":
			v.add(a.line, 1, "Set it in .claude/viber.yml.", "%s cannot be overridden here; only %s can", name, listing(localKeys(), " and "))
		case !strings.Contains(name, "."):
			v.add(a.line, 1, "Put the keys below it, on lines of their own.", "%s opens no group because a value follows it", name)
		default:
			v.add(a.line, 1, didYouMean(name), "%s is not known", name)
		}
	}
	return v.sorted()
}

func didYouMean(name string) string {
	if near := Closest(name); near != "" && near != name {
		return "Did you mean " + near + "?"
	}
	return "Remove it, or see 'viber config list'."
}
