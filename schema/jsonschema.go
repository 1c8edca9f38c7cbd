package schema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// JSONSchema returns the JSON Schema (draft 2020-12) of viber.yml at the newest schema, for editors: two-space JSON with a
// final newline. It describes the file as YAML; the line grammar accepts less (`viber config validate`).
func JSONSchema() string {
	root := object{
		{"$schema", "https://json-schema.org/draft/2020-12/schema"},
		{"title", "viber.yml"},
		{"description", "Settings of the viber plugin for a project (.claude/viber.yml), schema " + strconv.Itoa(Newest) + "."},
		{"type", "object"},
	}
	var properties object
	for _, g := range Groups(Newest) {
		if g.Name == "" {
			for _, k := range g.Keys {
				properties = append(properties, member{k.Name, k.jsonSchema()})
			}
			continue
		}
		properties = append(properties, member{g.Name, g.jsonSchema()})
	}
	root = append(root, member{"properties", properties}, member{"additionalProperties", false})
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(root) // strings, numbers and lists only
	return out.String()
}

// object is a JSON object that keeps its order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name)
		b.Write(name)
		b.WriteByte(':')
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (g Group) jsonSchema() object {
	var properties object
	for _, k := range g.Keys {
		properties = append(properties, member{k.Leaf(), k.jsonSchema()})
	}
	return object{
		{"description", g.Text},
		{"type", []string{"object", "null"}},
		{"properties", properties},
		{"additionalProperties", false},
	}
}

func (k Key) jsonSchema() object {
	o := object{{"description", k.Text}}
	switch k.Kind {
	case Switch:
		o = append(o, member{"type", "boolean"})
	case Choice:
		o = append(o, member{"enum", k.jsonValues()})
	case Title, Text:
		o = append(o, member{"type", "string"}, member{"minLength", 1})
	case Dir:
		o = append(o, member{"type", "string"}, member{"pattern", "^[A-Za-z0-9._-]+$"}, member{"not", object{{"enum", []string{".", ".."}}}})
	case Count:
		o = append(o, member{"type", "integer"}, member{"minimum", 0})
	case Amount:
		o = append(o, member{"type", "integer"}, member{"minimum", 1}, member{"maximum", mostAmount})
	case List:
		o = append(o, member{"type", []string{"string", "null"}})
	case Map:
		o = append(o, k.jsonEntries()...)
	}
	if k.Default != "" && k.Kind != Map && k.Kind != Count && k.Kind != Amount {
		o = append(o, member{"default", jsonValue(k.Kind, k.Default)})
	}
	return o
}

// jsonValues are the forms a choice may be written in; editors read off, true and false as booleans or as texts.
func (k Key) jsonValues() []any {
	var forms []any
	for _, v := range k.Values {
		forms = append(forms, v)
	}
	for i := 0; i < len(k.Aliases); i += 2 {
		forms = append(forms, k.Aliases[i] == "true")
	}
	if len(k.Aliases) == 0 && slices.Contains(k.Values, "off") {
		forms = append(forms, false)
	}
	if len(k.Aliases) == 0 && slices.Contains(k.Values, "on") {
		forms = append(forms, true)
	}
	return forms
}

func jsonValue(kind Kind, text string) any {
	if kind == Switch {
		return text == "true"
	}
	return text
}

// jsonEntries describes the maps of the file.
func (k Key) jsonEntries() object {
	entries := object{{"type", []string{"object", "null"}}}
	text := object{{"type", "string"}, {"minLength", 1}}
	switch k.Name {
	case "build.extensions":
		options := object{
			{"type", []string{"object", "null"}},
			{"properties", object{{"parallel", object{{"description", "Run together with its parallel neighbours."}, {"type", "boolean"}}}}},
			{"additionalProperties", false},
		}
		return append(entries, member{"propertyNames", object{{"pattern", "^[a-z0-9][a-z0-9-]*$"}}}, member{"additionalProperties", options})
	case "branching.work":
		branch := object{{"type", "string"}, {"pattern", "^[A-Za-z0-9._/-]+$"}, {"not", object{{"pattern", `^[-/]|\.\.`}}}}
		fields := object{
			{"type", "object"},
			{"properties", object{{"base", branch}, {"name", object{{"type", "string"}, {"pattern", "^[A-Za-z0-9._/{}-]+$"}}}, {"target", branch}}},
			{"required", []string{"base", "name", "target"}},
		}
		return append(entries, member{"propertyNames", object{{"pattern", "^[A-Za-z0-9._-]+$"}}}, member{"additionalProperties", fields})
	}
	return append(entries, member{"additionalProperties", text})
}
