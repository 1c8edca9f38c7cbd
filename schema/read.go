package schema

import (
	"strconv"
	"strings"
)

// Config is a project's configuration as it is read: the shared file, the personal overlay, the user's own file.
type Config struct {
	// Root is the project's root.
	Root string

	shared   document
	isShared bool     // there is a shared file
	local    *overlay // nil without the file
	user     document
}

// Read reads the configuration of the project at root; it never fails. What is missing, unreadable or not understood reads
// as the default.
func Read(root string) *Config { return ReadFor(root, "") }

// ReadFor reads the configuration of the project at root for the user whose client keeps its configuration in configDir
// (empty: none). The user's own viber.yml there lies under the project's file; for guards it decides (see Value).
// A caller on the hook path passes a configDir it trusts: a project's settings can set the environment of hooks.
func ReadFor(root, configDir string) *Config {
	c := &Config{Root: root}
	text, ok := readRegular(Path(root))
	c.shared, c.isShared = parse(string(text)), ok
	if text, ok := readRegular(LocalPath(root)); ok {
		c.local = parseOverlay(string(text))
	}
	if configDir != "" {
		text, _ := readRegular(UserPath(configDir))
		c.user = parse(string(text))
	}
	return c
}

// ReadUser reads the user's own file in configDir alone, as it counts where no project is.
func ReadUser(configDir string) *Config {
	if configDir == "" {
		return &Config{}
	}
	text, _ := readRegular(UserPath(configDir))
	return &Config{user: parse(string(text))}
}

// Parse returns the configuration a shared file with this text would give in a project at root, without overlay.
func Parse(root, text string) *Config {
	return &Config{Root: root, shared: parse(text), isShared: true}
}

// Shared reports whether the project has a viber.yml.
func (c *Config) Shared() bool { return c.isShared }

// assignment is one key line as the reader saw it.
type assignment struct {
	name  string // group.key
	value string // text after the colon: leading blanks and one trailing CR dropped
	line  int    // from 1
}

// document is one file of the shared file's grammar, read.
type document struct {
	first      []assignment // the first assignment of each name, in file order
	extensions extensionMap
	lines      []string
}

func parse(text string) document {
	d := document{lines: splitLines(text)}
	d.extensions = findExtensions(d.lines)
	group := ""
	for i, line := range d.lines {
		switch {
		case ignorable(line):
		case indent(line) == 0:
			key, rest, ok := keyOf(line)
			group = key
			if ok {
				d.add(assignment{key, valueText(rest), i + 1})
			}
		case group != "" && !d.extensions.holds(i):
			if text := trimLeft(line); isLetter(text[0]) {
				if key, rest, ok := keyOf(text); ok {
					d.add(assignment{group + "." + key, valueText(rest), i + 1})
				}
			}
		}
	}
	return d
}

func (d *document) add(a assignment) {
	if _, ok := d.get(a.name); !ok {
		d.first = append(d.first, a)
	}
}

// get returns the first assignment of name.
func (d document) get(name string) (assignment, bool) {
	for _, a := range d.first {
		if a.name == name {
			return a, true
		}
	}
	return assignment{}, false
}

// Value returns key's value as the configuration block prints it; empty for a name the table does not know.
// A guard is the tighter of the user's value and the project's.
func (c *Config) Value(key string) string {
	switch key {
	case "schema":
		return strconv.Itoa(numberOf(c.shared.lines))
	case "requires":
		return c.Requires()
	case "branching.work", "branching.issue-type-mappings":
		return c.Branching().names(key)
	case "build.extensions":
		return c.extensionSteps()
	case "build.extensions-missing":
		return c.extensionsMissing()
	case "tiers.min", "tiers.max":
		low, high := c.tierRange()
		if key == "tiers.min" {
			return low
		}
		return high
	}
	k, ok := Lookup(key)
	if !ok {
		return ""
	}
	return c.resolve(k).Value
}

// Bool reports whether key reads "true", or a guard "on".
func (c *Config) Bool(key string) bool { v := c.Value(key); return v == "true" || v == "on" }

// Source says where a value comes from.
type Source string

// The places a value comes from.
const (
	FromDefault Source = "default"
	FromShared  Source = ".claude/viber.yml"
	FromLocal   Source = ".claude/viber.local.yml"
	FromUser    Source = "user viber.yml"
)

// Setting is one resolved key and where its value comes from.
type Setting struct {
	Value  string
	Source Source
	Line   int    // from 1; 0 for a default
	Text   string // the value as it is written there
	// Bad says that the shared file has a value that is not understood, so that the setting fell back.
	Bad bool
}

// resolve looks key up in the overlay, the shared file, the user's file and the defaults.
func (c *Config) resolve(k Key) Setting {
	switch {
	case k.Guard:
		return c.guard(k)
	case k.Personal:
		return c.personal(k)
	}
	if s, ok := c.local.setting(k); ok {
		return s
	}
	shared, found := c.shared.setting(k, FromShared)
	if found && !shared.Bad {
		return shared
	}
	if user, ok := c.user.setting(k, FromUser); ok && !user.Bad {
		return user
	}
	if found {
		return shared
	}
	return Setting{Value: k.Default, Source: FromDefault}
}

// setting reads key in one document; found is false when the document does not name it.
func (d document) setting(k Key, from Source) (s Setting, found bool) {
	a, ok := d.get(k.Name)
	if !ok {
		return Setting{}, false
	}
	s = Setting{Source: from, Line: a.line, Text: a.value}
	var valid bool
	if s.Value, valid = k.Read(a.value); !valid {
		s.Value, s.Bad = k.Default, true
	}
	return s, true
}

// Read resolves the written value text of key; ok is false when it is not one of the key's values, and then the default
// stands.
func (k Key) Read(text string) (value string, ok bool) {
	switch k.Kind {
	case Title, Text:
		value = title(text)
		return value, value != ""
	case Dir:
		value = word(text)
		return value, isDirName(value)
	case Count:
		value = word(text)
		return value, value != "" && strings.Trim(value, "0123456789") == ""
	case Amount:
		value = word(text)
		n, err := strconv.Atoi(value)
		return value, err == nil && n >= 1 && n <= mostAmount && value[0] != '+'
	case List:
		return listValue(text), true
	case Map:
		return "", word(text) == ""
	}
	value = lower(word(text))
	for i := 0; i+1 < len(k.Aliases); i += 2 {
		if value == k.Aliases[i] {
			return k.Aliases[i+1], true
		}
	}
	for _, v := range k.Choices() {
		if value == v {
			return v, true
		}
	}
	return value, false
}

// Choices are the printed forms of a switch or a choice.
func (k Key) Choices() []string {
	if k.Kind == Switch {
		return []string{"false", "true"}
	}
	return k.Values
}

func isDirName(s string) bool {
	if s == "" || s == "." || s == ".." {
		return false
	}
	for i := range len(s) {
		if !isWordByte(s[i]) && s[i] != '.' {
			return false
		}
	}
	return true
}

// listValue reads words separated by commas or blanks up to a comment; brackets and quotes around them are taken off.
func listValue(text string) string {
	text, _, _ = strings.Cut(text, "#")
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '[' || r == ']' || r < 0x80 && isBlank(byte(r)) })
	for i, w := range words {
		words[i] = strings.Trim(w, `'"`)
	}
	return strings.Join(words, ", ")
}
