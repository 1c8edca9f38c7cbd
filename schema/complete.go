package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// number returns the schema the file says it is at: that of its first schema line, 0 for none or no number.
func (d *draft) number() int {
	_, n := d.schemaLine()
	return n
}

// schemaLine finds the first schema line, however it is spaced; the index is -1 without one.
func (d *draft) schemaLine() (at, number int) {
	at = -1
	d.column0(func(i int, key, value string) {
		if key == "schema" && at < 0 {
			at, number = i, digits(value)
		}
	})
	return at, number
}

// complete brings the schema line to the target and adds the groups and keys of its template that the file lacks.
func (d *draft) complete() {
	d.raiseSchema()
	var missing [][]string
	for _, g := range Groups(d.to) {
		g.Keys = slices.DeleteFunc(g.Keys, func(k Key) bool { return k.Since > d.asked })
		switch all, open := d.headers(g.Name); {
		case g.Name == "" || g.Since > d.asked:
		case len(all) == 0:
			missing = append(missing, d.wholeGroup(g))
		case open >= 0 && !g.Loose:
			d.addChildren(g, open)
		}
	}
	for _, lines := range missing {
		if len(d.lines) > 0 {
			lines = append([]string{""}, lines...)
		}
		d.insert(len(d.lines), lines...)
	}
}

// raiseSchema rewrites a schema line that is lower, no number, or spaced so that no reader sees it. Without a line the
// template's goes above the first key, or to the end of a file without keys.
func (d *draft) raiseSchema() {
	at, n := d.schemaLine()
	line := "schema: " + strconv.Itoa(d.to)
	switch {
	case at >= 0 && (n < d.to || n == d.to && !strings.HasPrefix(d.lines[at], "schema:")):
		d.replace(at, line)
	case at >= 0:
		return
	default:
		block := Groups(d.to)[0].templateLines(d.to)
		if anchor := d.anchor(); anchor >= 0 {
			d.insert(anchor, append(block, "")...)
		} else {
			d.insert(len(d.lines), block...)
		}
	}
	d.raised = true
	d.step(d.to, "schema", fmt.Sprintf("the layout number is set to %d", d.to), "")
}

// anchor is the index of the first key at column 0 that is no flat switch, or of the comment glued to it; -1 without one.
func (d *draft) anchor() int {
	anchor := -1
	d.column0(func(i int, key, _ string) {
		if anchor < 0 && flatName(key) == "" {
			anchor = i
		}
	})
	for anchor > 0 && strings.HasPrefix(d.lines[anchor-1], "#") {
		anchor--
	}
	return anchor
}

// wholeGroup returns the template's lines of a group the file lacks, with the values of moved switches.
func (d *draft) wholeGroup(g Group) []string {
	d.completed = append(d.completed, g.Name)
	d.step(d.to, g.Name, "the group is added from the template", "")
	for i, k := range g.Keys {
		if value, ok := d.movedValue(k.Name); ok {
			g.Keys[i].Seed = value
		}
	}
	return g.templateLines(d.to)
}

// addChildren puts the keys a group lacks behind its last line: moved switches with their value, others with the
// template's.
func (d *draft) addChildren(g Group, header int) {
	doc := d.document()
	lead := d.childIndent(doc, header)
	var lines []string
	for _, k := range g.Keys {
		if _, there := doc.get(k.Name); there || k.Optional || k.Quiet {
			continue
		}
		if value, ok := d.movedValue(k.Name); ok {
			k.Seed = value
		} else {
			d.completed = append(d.completed, k.Name)
			d.step(k.Since, k.Name, "added from the template: "+orEmpty(k.Seed), "")
		}
		for _, line := range k.templateLines(d.to) {
			lines = append(lines, lead+strings.TrimPrefix(line, "  "))
		}
	}
	d.insert(d.blockEnd(header), lines...)
}

// childIndent is the template's indentation; in a block of tabs the file's own. Where that is deeper than the extensions
// key, the key's own is taken: otherwise the new line would be an entry of the map.
func (d *draft) childIndent(doc document, header int) string {
	lead, end := "  ", d.blockEnd(header)
	for _, line := range d.lines[header+1 : end] {
		if !ignorable(line) && line[0] == '\t' {
			lead = line[:indent(line)]
			break
		}
	}
	if key := doc.extensions.key; key > header && key < end && indent(d.lines[key]) < len(lead) {
		return d.lines[key][:indent(d.lines[key])]
	}
	return lead
}

func orEmpty(s string) string {
	if s == "" {
		return "empty"
	}
	return s
}
