package schema

import (
	"strconv"
	"strings"
)

// Template returns the viber.yml of schema n as setup seeds it, generated from the table. For Newest it is what
// templates/viber.yml holds.
func Template(n int) string {
	var b strings.Builder
	for _, line := range header(n) {
		b.WriteString(comment("", line))
	}
	for _, g := range Groups(n) {
		b.WriteString("\n" + strings.Join(g.templateLines(n), "\n") + "\n")
	}
	return b.String()
}

// header is the opening comment of the template; the empty line ends its first paragraph.
func header(n int) []string {
	if n < 3 {
		return []string{"Settings of the viber plugin for this project. A switch is on only when it", "reads `true` inside its own group."}
	}
	return []string{
		"Settings of the viber plugin for this project. A switch is on only when it",
		"reads `true` inside its own group. Two keys take something else:",
		"`build.baseline-tests` is off, fast or full, and `build.extensions` is no switch but a map",
		"of agent entries. Write `false` to turn a switch off: a key that is deleted",
		"comes back at its default on the next setup run. Children of `tiers:` and",
		"`branching:` are the exception: deleting one of them lasts.",
		"",
		"Personal overrides of tiers.min, tiers.max, build.baseline-tests and",
		"github.issues go to .claude/viber.local.yml, which git ignores.",
		"",
		"yaml-language-server: $schema=viber.schema.json",
	}
}

func comment(indent, text string) string {
	if text == "" {
		return "\n"
	}
	return indent + "# " + text + "\n"
}

// templateLines are the group's comment, its key line and the lines of its keys, without line ends.
func (g Group) templateLines(n int) []string {
	var lines []string
	for _, note := range g.Note {
		lines = append(lines, "# "+note)
	}
	if g.Name != "" {
		lines = append(lines, g.Name+":")
	}
	for _, k := range g.Keys {
		lines = append(lines, k.templateLines(n)...)
	}
	return lines
}

// templateLines are the key's comment, its line and what stands below it; nothing for an optional key.
func (k Key) templateLines(n int) []string {
	if k.Optional {
		return nil
	}
	indent, seed := "  ", k.Seed
	if k.Group() == "" {
		indent = ""
	}
	if k.Name == "schema" {
		seed = strconv.Itoa(n)
	}
	var lines []string
	for _, note := range k.Note {
		lines = append(lines, indent+"# "+note)
	}
	if k.Quiet {
		return append(lines, indent+"# "+k.Leaf()+": "+seed)
	}
	line := indent + k.Leaf() + ":"
	if seed != "" {
		line += " " + seed
	}
	lines = append(lines, line)
	lines = append(lines, k.Body...)
	return append(lines, k.Tail...)
}
