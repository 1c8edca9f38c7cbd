package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// contractLine marks an agent file that keeps the extension contract.
const contractLine = "<!-- viber:extension -->"

// ExtensionReport returns the text of `viber extension`: the state of the configuration, the entries that are found and
// missing, and each agent of the project.
func (c *Config) ExtensionReport() string {
	state := "ok"
	if !isRegular(Path(c.Root)) {
		state = "no-config"
	} else if c.shared.extensions.key < 0 {
		state = "stale"
	}
	var found []string
	for _, e := range c.Extensions() {
		if e.Found {
			found = append(found, e.Name)
		}
	}
	var b strings.Builder
	b.WriteString("CONFIG=" + state + "\n")
	b.WriteString("LISTED=" + orNone(strings.Join(found, ", ")) + "\n")
	b.WriteString("MISSING=" + c.extensionsMissing() + "\n")
	for _, name := range c.agents() {
		b.WriteString("AGENT=" + name + " | " + agentKind(AgentPath(c.Root, name)) + "\n")
	}
	return b.String()
}

// agents lists the agent files of the project without .md, sorted by bytes; subfolders do not count.
func (c *Config) agents() []string {
	dir := filepath.Dir(AgentPath(c.Root, "x"))
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".md"); ok && isRegular(filepath.Join(dir, e.Name())) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func agentKind(path string) string {
	text, _ := readRegular(path)
	for _, line := range splitLines(string(text)) {
		if trimRight(line) == contractLine {
			return "contract"
		}
	}
	return "plain"
}

// The answers of `viber extension --add`.
const (
	InvalidName = "invalid-name"
	NoConfig    = "no-config"
	Stale       = "stale"
	Present     = "present"
	Added       = "added"
)

// AddExtension plans adding the entry name to the extension map of the shared file: a status and, when it is Added, the
// file's text before and after. A key line with a value holds no entries whatever stands below it: such a file is Stale.
func (c *Config) AddExtension(name string) (status, before, after string) {
	if !isExtensionName(name) {
		return InvalidName, "", ""
	}
	text, ok := readRegular(Path(c.Root))
	before = string(text)
	m := findExtensions(splitLines(before))
	switch {
	case !ok:
		return NoConfig, "", ""
	case m.key < 0 || m.inline():
		return Stale, before, before
	case m.has(name):
		return Present, before, before
	}
	return Added, before, m.withEntry(before, name)
}

// withEntry puts the entry behind the last content line of the map, in the entries' own indentation.
func (m extensionMap) withEntry(text, name string) string {
	lines := splitLines(text)
	key := lines[m.key]
	lead := key[:indent(key)] + "  "
	at := m.key + 1
	for i := m.end - 1; i > m.key; i-- {
		if !ignorable(lines[i]) {
			at = i + 1
			break
		}
	}
	for i := m.key + 1; i < m.end; i++ {
		if _, _, ok := entryOf(lines[i]); ok {
			lead = lines[i][:indent(lines[i])]
			break
		}
	}
	end := "\n"
	if strings.HasSuffix(key, "\r") {
		end = "\r\n"
	}
	head := strings.Join(lines[:at], "\n") + "\n"
	return head + lead + name + ":" + end + lead + "  parallel: false" + end + text[min(len(head), len(text)):]
}
