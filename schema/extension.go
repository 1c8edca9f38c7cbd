package schema

import "strings"

// Extension is one entry of the extension map.
type Extension struct {
	Name     string
	Parallel bool // runs together with the parallel entries next to it
	Found    bool // its name is a valid one and .claude/agents/<name>.md is there

	line int
}

// extensionMap is the part of a file the extension map takes, by line index.
type extensionMap struct {
	key   int // index of the extensions key line, -1 without one
	end   int // index after the last map line
	value string
	depth int // leading blanks of the entries, -1 without one
	names []Extension
}

// holds reports whether line i belongs to the map (the key line itself does not).
func (m extensionMap) holds(i int) bool { return i > m.key && i < m.end }

// findExtensions looks for the first extensions key inside a build group and reads the map below it.
func findExtensions(lines []string) extensionMap {
	m := extensionMap{key: -1, depth: -1}
	group := ""
	for i, line := range lines {
		if ignorable(line) {
			continue
		}
		if indent(line) == 0 {
			group, _, _ = keyOf(line)
			continue
		}
		if key, rest, ok := keyOf(trimLeft(line)); ok && group == "build" && key == "extensions" {
			m.key, m.value = i, valueText(rest)
			m.end = mapEnd(lines, i)
			m.read(lines)
			return m
		}
	}
	return m
}

// mapEnd returns the index of the first line after the map of the key line at index key.
func mapEnd(lines []string, key int) int {
	depth := indent(lines[key])
	for i := key + 1; i < len(lines); i++ {
		if !ignorable(lines[i]) && indent(lines[i]) <= depth {
			return i
		}
	}
	return len(lines)
}

// inline reports whether something other than a comment stands on the key line, which leaves the map without entries.
func (m extensionMap) inline() bool { return m.value != "" && m.value[0] != '#' }

// read reads the entries on the lines behind the key line.
func (m *extensionMap) read(lines []string) {
	last := -1 // the entry options belong to, -1 for none
	optionRead := false
	for i := m.key + 1; i < m.end; i++ {
		line := lines[i]
		name, rest, ok := entryOf(line)
		if !ok {
			continue
		}
		depth := indent(line)
		if m.depth < 0 {
			m.depth = depth
		}
		switch {
		case m.inline() || depth < m.depth:
		case depth == m.depth:
			last, optionRead = -1, false
			if !m.has(name) {
				m.names = append(m.names, Extension{Name: name, line: i + 1})
				last = len(m.names) - 1
			}
		case last >= 0 && name == "parallel" && !optionRead:
			optionRead = true
			m.names[last].Parallel = lower(word(valueText(rest))) == "true"
		}
	}
}

// entryOf splits a map line at its first colon; ok is false for blank lines, comments, and lines without a name.
func entryOf(line string) (name, rest string, ok bool) {
	if ignorable(line) {
		return "", "", false
	}
	name, rest, ok = strings.Cut(trimLeft(line), ":")
	name = trimRight(name)
	return name, rest, ok && name != ""
}

func (m extensionMap) has(name string) bool {
	for _, e := range m.names {
		if e.Name == name {
			return true
		}
	}
	return false
}

// isExtensionName reports whether name may be an extension: a-z0-9 and hyphens, no hyphen first.
func isExtensionName(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-' && i > 0:
		default:
			return false
		}
	}
	return name != ""
}

// Extensions returns the entries of the extension map in file order.
func (c *Config) Extensions() []Extension {
	all := make([]Extension, len(c.shared.extensions.names))
	copy(all, c.shared.extensions.names)
	for i, e := range all {
		all[i].Found = isExtensionName(e.Name) && isRegular(AgentPath(c.Root, e.Name))
	}
	return all
}

// extensionSteps joins the found names to steps: neighbours that are parallel share one.
func (c *Config) extensionSteps() string {
	steps, joined := "", false
	for _, e := range c.Extensions() {
		if !e.Found {
			continue
		}
		switch {
		case steps == "":
			steps = e.Name
		case joined && e.Parallel:
			steps += " + " + e.Name
		default:
			steps += ", " + e.Name
		}
		joined = e.Parallel
	}
	return orNone(steps)
}

func (c *Config) extensionsMissing() string {
	var names []string
	for _, e := range c.Extensions() {
		if !e.Found {
			names = append(names, e.Name)
		}
	}
	return orNone(strings.Join(names, ", "))
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
