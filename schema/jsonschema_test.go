package schema

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"gopkg.in/yaml.v3"
)

func TestJSONSchemaIsGenerated(t *testing.T) {
	t.Parallel()
	generated(t, filepath.Join("..", "docs", "viber.schema.json"), JSONSchema())
}

// TestJSONSchemaJudges: the template and good files pass, what the reader does not take fails.
func TestJSONSchemaJudges(t *testing.T) {
	t.Parallel()
	var s jsonschema.Schema
	must(t, json.Unmarshal([]byte(JSONSchema()), &s))
	resolved, err := s.Resolve(nil)
	must(t, err)
	for text, good := range map[string]bool{
		Template(Newest): true,
		"":               true,
		"schema: 3\nrequires: '>=1.4'\nbuild:\n  extensions:\n    docs:\n      parallel: true\n    x:\n": true,
		"build:\n  baseline-tests: full\n":   true,
		"branching:\n  mode: off\n":          true,
		"build:\n  qa: 'true'\n":             false,
		"build:\n  adr: true\n":              false,
		"tiers:\n  min: tiny\n":              false,
		"directories:\n  runs: ..\n":         false,
		"build:\n  extensions: docs\n":       false,
		"planing:\n  adr: true\n":            false,
		"branching:\n  work:\n    x: main\n": false,
	} {
		if err := resolved.Validate(asJSON(t, text)); (err == nil) != good {
			t.Errorf("%q: good is %v, the schema says %v", text, good, err)
		}
	}
}

// asJSON reads YAML as an editor does.
func asJSON(t *testing.T, text string) any {
	t.Helper()
	doc := map[string]any{}
	must(t, yaml.Unmarshal([]byte(text), &doc))
	data, err := json.Marshal(doc)
	must(t, err)
	var value any
	must(t, json.Unmarshal(data, &value))
	return value
}
