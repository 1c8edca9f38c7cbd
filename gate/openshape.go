package gate

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
)

// Shape judges files of other packages by a JSON Schema made from a Go type.
type Shape struct{ check *shapeCheck }

// OpenShape makes the shape of a type; its objects may hold fields the type does not know. words lists what the string
// types of enumerations allow.
func OpenShape(typ reflect.Type, title, what string, words map[reflect.Type][]string) (*Shape, error) {
	known := valueSchemas()
	for t, w := range words {
		known[t] = oneOf(w...)
	}
	s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return nil, err
	}
	plainLists(s)
	open(s)
	s.Schema, s.Title, s.Description = dialect, title, what
	return &Shape{newShapeCheck(s)}, nil
}

func open(s *jsonschema.Schema) {
	if s.AdditionalProperties != nil && s.AdditionalProperties.Not != nil {
		s.AdditionalProperties = nil
	}
	if s.AdditionalProperties != nil {
		plainLists(s.AdditionalProperties)
		open(s.AdditionalProperties)
	}
	for _, p := range s.Properties {
		open(p)
	}
	if s.Items != nil {
		open(s.Items)
	}
}

// Schema returns the JSON Schema itself.
func (s *Shape) Schema() *jsonschema.Schema { return s.check.schema }

// Problems returns everything that is wrong with the JSON text data; err says that it is no JSON.
func (s *Shape) Problems(data []byte) ([]Problem, error) {
	tree, err := parse(data)
	if err != nil {
		return nil, err
	}
	r := &report{}
	s.check.check(withoutNulls(tree), r)
	return r.problems, nil
}

// withoutNulls drops the fields that are null: an open file says "none" that way.
func withoutNulls(v any) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, child := range x {
			if child != nil {
				out[k] = withoutNulls(child)
			}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = withoutNulls(x[i])
		}
		return out
	}
	return v
}
