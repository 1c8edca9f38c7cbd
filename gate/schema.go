package gate

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

const dialect = "https://json-schema.org/draft/2020-12/schema"

// shapes are the files a gate judges, in the order `viber schema` lists them.
func shapes() []shape {
	return []shape{
		{"planning", "a plan as a graph of tasks", reflect.TypeFor[Planning]()},
		{"scope", "why each file of a diff was touched", reflect.TypeFor[Scope]()},
		{"reviewer", "what one reviewer returns", reflect.TypeFor[Review]()},
		{"criteria", "the criteria a review must answer", reflect.TypeFor[Criteria]()},
		{"triage", "the verdict over all findings of a round", reflect.TypeFor[Triage]()},
		{"rebuttal", "where one reviewer disagrees with the others", reflect.TypeFor[Rebuttal]()},
		{"learnings", "what a run wants to remember", reflect.TypeFor[Learnings]()},
		{"tdd", "failing and passing test runs of each todo", reflect.TypeFor[TDD]()},
	}
}

type shape struct {
	name, title string
	typ         reflect.Type
}

// SchemaNames lists the shapes that Schema knows.
func SchemaNames() []string {
	var names []string
	for _, s := range shapes() {
		names = append(names, s.name)
	}
	return names
}

// Schema returns the JSON Schema (draft 2020-12) of the shape called name, indented.
func Schema(name string) ([]byte, error) {
	s, err := schemaOf(name)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(s, "", "  ")
}

func schemaOf(name string) (*jsonschema.Schema, error) {
	i := slices.IndexFunc(shapes(), func(s shape) bool { return s.name == name })
	if i < 0 {
		return nil, fmt.Errorf("no schema is called %q; 'viber schema' lists them", name)
	}
	return SchemaFor(shapes()[i].typ, "viber "+name, shapes()[i].title)
}

// SchemaFor builds the JSON Schema of a Go type whose fields use the types of this package; other packages use it for
// their own files.
func SchemaFor(typ reflect.Type, title, what string) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: valueSchemas()})
	if err != nil {
		return nil, err
	}
	plainLists(s)
	s.Schema, s.Title, s.Description = dialect, title, what
	return s, nil
}

// valueSchemas says what the named types of shapes.go allow.
func valueSchemas() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Text]():             text(1, 4000, notBlank),
		reflect.TypeFor[Path]():             text(1, 1024, ""),
		reflect.TypeFor[TaskID]():           text(1, 64, `^[A-Za-z0-9_-]+$`),
		reflect.TypeFor[RuleID]():           text(1, 160, ""),
		reflect.TypeFor[Fingerprint]():      text(8, 64, `^[A-Za-z0-9_-]+$`),
		reflect.TypeFor[LedgerID]():         text(4, 40, `^(L:)?[0-9a-f]+$`),
		reflect.TypeFor[Stamp]():            text(20, 35, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`),
		reflect.TypeFor[Line]():             {Type: "integer", Minimum: jsonschema.Ptr(1.0), Maximum: jsonschema.Ptr(1e7)},
		reflect.TypeFor[int]():              {Type: "integer"},
		reflect.TypeFor[TaskType]():         oneOf("bugfix", "feature", "refactor", "chore", "component", "docs", "test"),
		reflect.TypeFor[Severity]():         oneOf("blocking", "important", "suggestion"),
		reflect.TypeFor[Side]():             oneOf("new", "old"),
		reflect.TypeFor[NotDoneWhy]():       oneOf("out-of-scope", "follow-up", "rejected-abstraction"),
		reflect.TypeFor[Verdict]():          oneOf("conformant", "violated", "not-applicable"),
		reflect.TypeFor[Resolution]():       oneOf("verified", "finding", "out-of-scope"),
		reflect.TypeFor[ConsensusVerdict](): oneOf("unanimous-pass", "unanimous-block", "split", "unverified"),
		reflect.TypeFor[LearningKind]():     oneOf("fact", "lesson"),
		reflect.TypeFor[Outcome]():          oneOf("useful", "dead_end", "corrected"),
		reflect.TypeFor[SourceTag]():        oneOf("New", "Modify", "Reuse"),
		reflect.TypeFor[[]Focus]():          focusList(),
	}
}

// notBlank is the pattern of a text that says something.
const notBlank = `\S`

func text(least, most int, pattern string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", MinLength: &least, MaxLength: &most, Pattern: pattern}
}

func oneOf(words ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// focusList bounds reviewFocus: more than five inputs are a missing spec, not a focus.
func focusList() *jsonschema.Schema {
	item, err := jsonschema.ForType(reflect.TypeFor[Focus](), &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Text](): text(1, 4000, notBlank), reflect.TypeFor[TaskID](): text(1, 64, `^[A-Za-z0-9_-]+$`),
	}})
	if err != nil {
		panic(err) // the type is fixed
	}
	return &jsonschema.Schema{Type: "array", Items: item, MaxItems: jsonschema.Ptr(5)}
}

// plainLists takes null out of lists and bounds them: a model must write [] where it means none.
func plainLists(s *jsonschema.Schema) {
	if slices.Contains(s.Types, "null") {
		s.Types = slices.DeleteFunc(slices.Clone(s.Types), func(t string) bool { return t == "null" })
		if len(s.Types) == 1 {
			s.Type, s.Types = s.Types[0], nil
		}
	}
	if s.Type == "array" && s.MaxItems == nil {
		s.MaxItems = jsonschema.Ptr(2000)
	}
	for _, p := range s.Properties {
		plainLists(p)
	}
	if s.Items != nil {
		plainLists(s.Items)
	}
}
