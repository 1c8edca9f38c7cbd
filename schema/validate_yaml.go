package schema

import (
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// yaml compares the line reader with a YAML reader: where YAML finds a value for a known key that viber does not see, the
// file misleads whoever reads it. A file that is no YAML at all is named too, since editors will say so.
func (v *checker) yaml() {
	var root yaml.Node
	if err := yaml.Unmarshal([]byte(v.text), &root); err != nil {
		v.notYAML(err.Error())
		return
	}
	if len(root.Content) == 0 || root.Content[0].Kind != yaml.MappingNode {
		return
	}
	eachPair(root.Content[0], func(group, keys *yaml.Node) {
		if keys.Kind != yaml.MappingNode || !isGroup(group.Value) {
			return
		}
		eachPair(keys, func(key, value *yaml.Node) { v.compare(group.Value+"."+key.Value, key, value) })
	})
}

func eachPair(mapping *yaml.Node, visit func(key, value *yaml.Node)) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		visit(mapping.Content[i], mapping.Content[i+1])
	}
}

// compare tells when YAML's value of a key is another than the line reader's.
func (v *checker) compare(name string, key, value *yaml.Node) {
	k, known := Lookup(name)
	if !known || v.named(key.Line) {
		return
	}
	a, seen := v.doc.get(name)
	if !seen && key.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) == 0 {
		v.add(key.Line, key.Column, "Write "+name+" on a line of its own below "+k.Group()+":.", "%s is written so that YAML reads it and viber does not", name)
		return
	}
	if value.Kind == yaml.AliasNode || value.Anchor != "" || value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		v.add(key.Line, key.Column, "Write the value itself behind the colon.", "%s uses an anchor or a block of text, which viber does not read", name)
		return
	}
	if !seen || value.Kind != yaml.ScalarNode || k.Kind == Map {
		return
	}
	if read, _ := k.Read(a.value); k.Kind == Title && read != value.Value && a.line == key.Line {
		v.add(key.Line, value.Column, "Use the other kind of quotes around it.", "%s reads as %s, in YAML as %s", name, orEmpty(read), orEmpty(value.Value))
	}
}

// named reports whether something was already found on a line.
func (v *checker) named(line int) bool {
	for _, f := range v.found {
		if f.Line == line {
			return true
		}
	}
	return false
}

func (v *checker) notYAML(message string) {
	line := 1
	if m := regexp.MustCompile(`line (\d+)`).FindStringSubmatch(message); m != nil {
		line, _ = strconv.Atoi(m[1])
	}
	if v.named(line) {
		return
	}
	message = strings.TrimPrefix(strings.ReplaceAll(message, "\n", " "), "yaml: ")
	v.add(line, 1, "viber reads it by lines; mend it if you edit it with YAML tools.", "the file is no valid YAML (%s)", message)
}
