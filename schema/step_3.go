package schema

import (
	"fmt"
	"strings"
)

// mapExtensions is the step to schema 3: extensions are a map of agents. The first files of schema 3 had a list instead.
//
//	build:                             build:
//	  extensions: docs, tests            extensions:
//	  extensions-parallel: true   ->       docs:
//	                                         parallel: true
//	                                       tests:
//	                                         parallel: true
//
// The map itself comes from the template; a list no reader reads any more becomes entries.
func mapExtensions(d *draft) {
	if d.from < 3 {
		d.nameGroupedBaseline(3)
	}
	doc := d.document()
	list, ok := listNames(doc.extensions.value)
	if doc.extensions.key < 0 || !doc.extensions.inline() || !ok {
		return
	}
	switch parallel, answered := d.askList(doc); answered {
	case "keep":
	default:
		d.listToMap(doc, list, parallel)
	}
}

// listNames reads the one-line list; ok is false when something in it cannot be the name of an entry.
func listNames(value string) (names []string, ok bool) {
	for _, name := range listWords(listValue(value)) {
		if !isExtensionName(name) {
			return nil, false
		}
		names = append(names, name)
	}
	return names, len(names) > 0
}

// askList asks what becomes of the list: entries that run in parallel or one by one (the default is what the old switch
// said), or nothing.
func (d *draft) askList(doc document) (parallel, answer string) {
	parallel, fallback := "false", "serial"
	if a, ok := doc.get("build.extensions-parallel"); ok && lower(word(a.value)) == "true" {
		parallel, fallback = "true", "parallel"
	}
	answer = d.ask(Question{
		ID:   "extensions",
		Text: fmt.Sprintf("build.extensions is a list (%s), which no viber reads any more. Turn it into entries?", strings.TrimSpace(doc.extensions.value)),
		Options: []Option{
			{"serial", "entries that run one after the other"},
			{"parallel", "entries that run together"},
			{"keep", "leave the line as it is; no extension runs"},
		},
		Default: fallback,
	})
	switch answer {
	case "serial":
		parallel = "false"
	case "parallel":
		parallel = "true"
	}
	return parallel, answer
}

func (d *draft) listToMap(doc document, list []string, parallel string) {
	m := doc.extensions
	key := strings.TrimSuffix(d.lines[m.key], "\r")
	lead := key[:indent(key)]
	entry := lead + "  "
	if m.depth >= 0 {
		entry = strings.Repeat(" ", m.depth)
		for i := m.key + 1; i < m.end; i++ {
			if _, _, ok := entryOf(d.lines[i]); ok {
				entry = d.lines[i][:indent(d.lines[i])]
				break
			}
		}
	}
	below := m
	below.value, below.depth = "", -1
	below.read(d.lines)
	var lines []string
	for _, name := range list {
		if !below.has(name) {
			lines = append(lines, entry+name+":", entry+"  parallel: "+parallel)
			below.names = append(below.names, Extension{Name: name})
		}
	}
	tail := ""
	if i := strings.IndexByte(m.value, '#'); i >= 0 {
		tail = " " + trimRight(m.value[i:])
	}
	d.insert(m.key+1, lines...)
	d.replace(m.key, lead+"extensions:"+tail)
	d.dropParallelSwitch()
	d.step(3, "build.extensions", fmt.Sprintf("the list %s becomes entries with parallel: %s", strings.Join(list, ", "), parallel),
		"a viber that read the list does not read the entries: everybody on the project needs a newer one")
}

// dropParallelSwitch takes out the switch that belonged to the list.
func (d *draft) dropParallelSwitch() {
	if a, ok := d.document().get("build.extensions-parallel"); ok {
		d.remove(a.line - 1)
	}
}
