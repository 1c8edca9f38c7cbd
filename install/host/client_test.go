package host

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"viber/install/settings"
)

// TestHandlersAsTheClientJudgesThem compares the model with what Claude Code 2.1.332 said of each of these groups.
func TestHandlersAsTheClientJudgesThem(t *testing.T) {
	t.Parallel()
	var seen []struct {
		Name  string
		Group json.RawMessage
		Bad   bool
	}
	readJSON(t, "testdata/handlers-2.1.332.json", &seen)
	for _, event := range []string{"PreToolUse", "PermissionRequest", "Stop"} {
		for _, c := range seen {
			found := findings(t, `{"hooks": {"`+event+`": [`+string(c.Group)+`]}}`)
			whole := event != "Stop"
			if (len(found) > 0) != c.Bad || c.Bad && found[0].WholeFile != whole {
				t.Errorf("%s, %s: the client says bad=%v, the model %v", event, c.Name, c.Bad, found)
			}
		}
	}
}

// TestKeysAsTheClientJudgesThem does the same for the types of settings.
func TestKeysAsTheClientJudgesThem(t *testing.T) {
	t.Parallel()
	values := map[string]string{"a string": `"x"`, "a number": "1", "a boolean": "true", "a list": "[]", "an object": `{"command": "x"}`, "null": "null"}
	var seen map[string]struct {
		Kind string
		Null bool
	}
	readJSON(t, "testdata/keys-2.1.332.json", &seen)
	for key, s := range seen {
		if key == "permissions" {
			continue // refused before: rules have to go there
		}
		for kind, value := range values {
			fine := kind == s.Kind || kind == "null" && s.Null
			found := findings(t, `{"`+key+`": `+value+`}`)
			ignored := len(found) > 0 && found[0].WholeFile
			if ignored == fine {
				t.Errorf("%s: %s: the client takes it: %v, the model says %v", key, value, fine, found)
			}
		}
	}
}

func readJSON(t *testing.T, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func findings(t *testing.T, text string) []Finding {
	t.Helper()
	f, err := settings.Parse("settings.json", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return Claude{Version{2, 1, 332}}.Findings(f)
}

func TestOnlyAKnownClientRefusesAWrongType(t *testing.T) {
	t.Parallel()
	text := []byte(`{"model": 5}`)
	for v, refused := range map[Version]bool{{2, 1, 332}: true, {2, 1, 100}: true, {2, 1, 333}: false, {}: false} {
		_, found, err := Claude{v}.Read("settings.json", text)
		if (err != nil) != refused || !refused && (len(found) != 1 || !strings.Contains(found[0].Problem, `"model" must be a string`)) {
			t.Errorf("client %s: %v %v", v, found, err)
		}
	}
}

// FuzzRead: whatever stands in a file, reading it ends with a file, findings or a refusal.
func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}`, `{"hooks":{"PreToolUse":[1]}}`, `{"statusLine":{}}`, `{"model":null}`, "// x\n{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, found, err := Claude{Version{2, 1, 332}}.Read("settings.json", text)
		if (file == nil) == (err == nil) {
			t.Fatalf("file %v, error %v", file, err)
		}
		for _, bad := range found {
			if bad.Line < 1 || bad.Column < 1 || bad.Problem == "" || bad.WayOut == "" || bad.WholeFile && !bad.Unsure {
				t.Fatalf("%+v", bad)
			}
		}
	})
}
