package gate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// shapeCheck holds a schema ready to judge values. It reports every error with its place; the schema library, which stops
// at its first, has the last word.
type shapeCheck struct {
	schema   *jsonschema.Schema
	patterns map[string]*regexp.Regexp
}

func shapeOf(name string, t tweak) (*shapeCheck, error) {
	if t.schema != nil {
		return t.schema, nil
	}
	s, err := schemaOf(name)
	if err != nil {
		return nil, err
	}
	return newShapeCheck(s), nil
}

func newShapeCheck(s *jsonschema.Schema) *shapeCheck {
	return &shapeCheck{schema: s, patterns: map[string]*regexp.Regexp{}}
}

func (c *shapeCheck) check(tree any, r *report) {
	r.rule = "shape"
	before := len(r.problems)
	c.value(c.schema, tree, "", r)
	if len(r.problems) > before {
		return
	}
	resolved, err := c.schema.Resolve(nil)
	if err == nil {
		err = resolved.Validate(plainNumbers(tree))
	}
	if err != nil {
		r.wrong("", oneLine(err.Error()), "a file that fits 'viber schema'")
	}
}

func (c *shapeCheck) value(s *jsonschema.Schema, v any, where string, r *report) {
	if len(r.problems) >= maxProblems {
		return
	}
	if s.Type != "" && !hasType(v, s.Type) {
		r.wrong(where, "this is "+kindOf(v), article(s.Type))
		return
	}
	switch x := v.(type) {
	case string:
		c.text(s, x, where, r)
	case json.Number:
		c.number(s, x, where, r)
	case []any:
		c.list(s, x, where, r)
	case map[string]any:
		c.object(s, x, where, r)
	}
}

func (c *shapeCheck) text(s *jsonschema.Schema, v, where string, r *report) {
	n := utf8.RuneCountInString(v)
	switch {
	case len(s.Enum) > 0 && !slices.Contains(s.Enum, any(v)):
		r.wrong(where, short(v)+" is not one of the words allowed here", "one of "+wordList(s.Enum))
	case s.MinLength != nil && n < *s.MinLength:
		r.wrong(where, fmt.Sprintf("the text has %d characters", n), fmt.Sprintf("at least %d", *s.MinLength))
	case s.MaxLength != nil && n > *s.MaxLength:
		r.wrong(where, fmt.Sprintf("the text has %d characters", n), fmt.Sprintf("at most %d", *s.MaxLength))
	case s.Pattern == notBlank && !c.matches(s.Pattern, v):
		r.wrong(where, "the text is blank", "a text")
	case s.Pattern != "" && !c.matches(s.Pattern, v):
		r.wrong(where, short(v)+" has the wrong form", "a text that matches "+s.Pattern)
	}
}

func (c *shapeCheck) matches(pattern, v string) bool {
	re := c.patterns[pattern]
	if re == nil {
		re = regexp.MustCompile(pattern)
		c.patterns[pattern] = re
	}
	return re.MatchString(v)
}

func (c *shapeCheck) number(s *jsonschema.Schema, v json.Number, where string, r *report) {
	f, err := v.Float64()
	switch {
	case err != nil:
		r.wrong(where, string(v)+" is out of range", "a smaller number")
	case s.Minimum != nil && f < *s.Minimum:
		r.wrong(where, string(v)+" is too small", fmt.Sprintf("%v or more", *s.Minimum))
	case s.Maximum != nil && f > *s.Maximum:
		r.wrong(where, string(v)+" is too large", fmt.Sprintf("%v or less", int64(*s.Maximum)))
	}
}

func (c *shapeCheck) list(s *jsonschema.Schema, v []any, where string, r *report) {
	if s.MaxItems != nil && len(v) > *s.MaxItems {
		r.wrong(where, fmt.Sprintf("the list has %d entries", len(v)), fmt.Sprintf("at most %d", *s.MaxItems))
	}
	if s.Items == nil {
		return
	}
	for i, item := range v {
		c.value(s.Items, item, where+"/"+strconv.Itoa(i), r)
	}
}

func (c *shapeCheck) object(s *jsonschema.Schema, v map[string]any, where string, r *report) {
	for _, name := range s.Required {
		if _, there := v[name]; !there {
			r.wrong(where+"/"+name, "this field is missing", fieldForm(s.Properties[name]))
		}
	}
	for _, name := range sortedKeys(v) {
		p := s.Properties[name]
		if p == nil {
			c.extra(s, v[name], where, name, r)
			continue
		}
		c.value(p, v[name], where+"/"+name, r)
	}
}

// extra judges a field that the schema does not name: closed objects have none, maps give them all one schema.
func (c *shapeCheck) extra(s *jsonschema.Schema, v any, where, name string, r *report) {
	switch {
	case s.AdditionalProperties == nil:
	case s.AdditionalProperties.Not != nil:
		r.wrong(where+"/"+escape(name), "there is no field "+short(name)+" here", "only "+strings.Join(fieldNames(s), ", "))
	default:
		c.value(s.AdditionalProperties, v, where+"/"+escape(name), r)
	}
}

func fieldNames(s *jsonschema.Schema) []string {
	if len(s.PropertyOrder) > 0 {
		return s.PropertyOrder
	}
	return sortedKeys(s.Properties)
}

func fieldForm(s *jsonschema.Schema) string {
	if s == nil {
		return "a value"
	}
	if len(s.Enum) > 0 {
		return "one of " + wordList(s.Enum)
	}
	return article(s.Type)
}

func article(typ string) string {
	switch typ {
	case "array":
		return "a list, [] for none"
	case "integer":
		return "a whole number"
	case "boolean":
		return "true or false"
	case "object":
		return "an object"
	case "string":
		return "a text"
	}
	return "a " + typ
}

func hasType(v any, typ string) bool {
	switch x := v.(type) {
	case string:
		return typ == "string"
	case bool:
		return typ == "boolean"
	case []any:
		return typ == "array"
	case map[string]any:
		return typ == "object"
	case json.Number:
		if typ == "integer" {
			_, err := strconv.ParseInt(string(x), 10, 64)
			return err == nil
		}
		return typ == "number"
	}
	return typ == "null"
}

func kindOf(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		return "the text " + short(x)
	case bool:
		return fmt.Sprint(x)
	case json.Number:
		return "the number " + short(string(x))
	case []any:
		return "a list"
	}
	return "an object"
}

func wordList(words []any) string {
	var all []string
	for _, w := range words {
		all = append(all, fmt.Sprint(w))
	}
	return strings.Join(all, ", ")
}

// plainNumbers gives the library the numbers it knows. The walk has proven integers to fit.
func plainNumbers(v any) any {
	switch x := v.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(string(x), 10, 64); err == nil {
			return n
		}
		f, _ := x.Float64()
		return f
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = plainNumbers(x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k := range x {
			out[k] = plainNumbers(x[k])
		}
		return out
	}
	return v
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func escape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
