package settings

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"viber/internal/exit"
)

// FuzzApply: any input is refused, or set up and taken back without losing anything that is not ours.
func FuzzApply(f *testing.F) {
	for _, c := range inputs(f) {
		for _, text := range variants(c.Text) {
			f.Add([]byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse("settings.json", text)
		if err != nil {
			wantExit3(t, err)
			return
		}
		res, err := file.Apply(fullChange(nil))
		if err != nil {
			wantExit3(t, err)
			return
		}
		checkFuzzed(t, file, res)
	})
}

func wantExit3(t *testing.T, err error) {
	t.Helper()
	if exit.Code(err) != exit.Refused {
		t.Fatal(err)
	}
}

func checkFuzzed(t *testing.T, file *File, res Result) {
	after, err := Parse("settings.json", res.Text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := after.Apply(fullChange(res.Footprint))
	if err != nil || again.Changed() {
		t.Fatalf("not idempotent: %v %v", again.Done, err)
	}
	back, err := after.Apply(Change{Own: ownForTest, Footprint: res.Footprint})
	if err != nil {
		t.Fatal(err)
	}
	if len(own(file)) == 0 && !bytes.Equal(back.Text, file.Text()) {
		t.Fatalf("back:\n%q\nwant:\n%q", back.Text, file.Text())
	}
	was := foreignMeaning(t, file.Text(), res.Footprint)
	for _, now := range [][]byte{res.Text, back.Text} {
		if is := foreignMeaning(t, now, res.Footprint); !reflect.DeepEqual(was, is) {
			t.Fatalf("foreign entries changed:\n%v\n%v\n%q", was, is, now)
		}
	}
}

// foreignMeaning decodes the text with the standard library and takes out what is ours, so that it judges the editor by
// other code than the editor's own.
func foreignMeaning(t *testing.T, text []byte, fp *Footprint) map[string]any {
	t.Helper()
	text = bytes.TrimPrefix(text, []byte(byteOrderMark))
	root := map[string]any{}
	if len(bytes.TrimSpace(text)) == 0 {
		return root
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		t.Fatalf("%v\n%q", err, text)
	}
	withoutOwnHooks(root)
	if perms, ok := root["permissions"].(map[string]any); ok {
		for list, rules := range fp.Rules {
			perms[list] = slices.DeleteFunc(listOf(perms[list]), func(r any) bool { s, _ := r.(string); return slices.Contains(rules, s) })
			dropEmpty(perms, list)
		}
		dropEmpty(root, "permissions")
	}
	for _, path := range fp.Keys {
		if parent, ok := root[path[0]].(map[string]any); ok {
			delete(parent, path[1])
		}
		dropEmpty(root, path[0])
	}
	return root
}

func withoutOwnHooks(root map[string]any) {
	hooks, ok := root["hooks"].(map[string]any)
	if !ok {
		return
	}
	for event, groups := range hooks {
		hooks[event] = slices.DeleteFunc(listOf(groups), func(g any) bool {
			group, ok := g.(map[string]any)
			handlers, isList := group["hooks"].([]any)
			if !ok || !isList {
				return false
			}
			group["hooks"] = slices.DeleteFunc(handlers, func(h any) bool { return isOwnMeaning(event, h) })
			return len(listOf(group["hooks"])) == 0 && len(handlers) > 0 && onlyOurKeys(group)
		})
		dropEmpty(hooks, event)
	}
	dropEmpty(root, "hooks")
}

func onlyOurKeys(group map[string]any) bool {
	for key := range group {
		if key != "hooks" && key != "matcher" {
			return false
		}
	}
	return true
}

func isOwnMeaning(event string, h any) bool {
	fields, ok := h.(map[string]any)
	command, _ := fields["command"].(string)
	return ok && ownForTest(Handler{Event: event, Command: command})
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}

// dropEmpty forgets a container that is empty: it may be one that viber made.
func dropEmpty(m map[string]any, key string) {
	switch v := m[key].(type) {
	case map[string]any:
		if len(v) == 0 {
			delete(m, key)
		}
	case []any:
		if len(v) == 0 {
			delete(m, key)
		}
	}
}

// FuzzRepair: what Repair returns is what Parse takes.
func FuzzRepair(f *testing.F) {
	for _, s := range []string{"{// a\n}", "{\"a\": 1,/* b */}", "/**/{}", "{\"a\": [1,],} //"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		fixed, err := Repair("settings.json", text)
		if err != nil {
			wantExit3(t, err)
			return
		}
		if _, err := Parse("settings.json", fixed); err != nil {
			t.Fatalf("%q became %q: %v", text, fixed, err)
		}
	})
}
