package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"viber/internal/exit"
)

const binary = "/opt/viber/bin/viber"

// ownForTest knows entries by the program they run; the real recogniser lives in package host.
func ownForTest(h Handler) bool {
	words := strings.Fields(h.Command)
	if len(words) == 0 {
		return false
	}
	prog := strings.Trim(words[0], `"'`)
	return prog[strings.LastIndexByte(prog, '/')+1:] == "viber"
}

func wanted(event, matcher string) Hook {
	return Hook{Event: event, Matcher: matcher, Fields: []Field{
		{"type", "command"}, {"command", binary}, {"args", []string{"hook", event}}, {"timeout", 10},
	}}
}

func fullChange(fp *Footprint) Change {
	return Change{
		Own:       ownForTest,
		Footprint: fp,
		Hooks:     []Hook{wanted("SessionStart", ""), wanted("PreToolUse", "Bash|PowerShell")},
		Rules:     []Rule{{Allow, "Bash(viber plan-index:*)"}, {Allow, "Bash(viber config:*)"}, {Ask, "Bash(viber setup:*)"}},
		Keys:      []Key{{[]string{"extraKnownMarketplaces", "viber"}, []Field{{"source", []Field{{"source", "directory"}, {"path", "/opt/p"}}}}}},
	}
}

const foreign = `{"type": "command", "command": "my-viber-wrapper --check"}`

// input is one settings file of testdata/inputs.json.
type input struct {
	Name    string
	Text    string
	Refused string // by the editor; part of the error
	Ignored string // read by the editor, refused by setup: the client would ignore the file whole
}

// inputs are the files that are told apart by their bytes; package install plays them, and those told apart by the file
// system, through the whole setup.
func inputs(t testing.TB) []input {
	data, err := os.ReadFile("testdata/inputs.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []input
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// variants crosses a text with LF and CRLF, with and without byte order mark.
func variants(text string) map[string]string {
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	return map[string]string{
		"lf": text, "crlf": crlf, "bom": byteOrderMark + text, "bom crlf": byteOrderMark + crlf,
	}
}

func TestEveryInputIsRefusedOrKeepsItsBytes(t *testing.T) {
	t.Parallel()
	for _, c := range inputs(t) {
		for variant, text := range variants(c.Text) {
			t.Run(c.Name+"/"+variant, func(t *testing.T) {
				if c.Refused != "" {
					wantRefusal(t, text, c.Refused)
					return
				}
				setUpAndTakeBack(t, text)
			})
		}
	}
}

func wantRefusal(t *testing.T, text, want string) {
	t.Helper()
	_, err := Parse("settings.json", []byte(text))
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want a refusal with %q", err, want)
	}
	var r *Refusal
	if !errors.As(err, &r) || exit.Code(err) != exit.Refused || r.WayOut == "" {
		t.Fatalf("%v: not a refusal with exit code 3 and a way out", err)
	}
}

func setUpAndTakeBack(t *testing.T, text string) {
	t.Helper()
	f := mustParse(t, text)
	res := mustApply(t, f, fullChange(nil))
	checkSetUp(t, text, res)
	again := mustApply(t, mustParse(t, string(res.Text)), fullChange(res.Footprint))
	if again.Changed() || !bytes.Equal(again.Text, res.Text) {
		t.Fatalf("second run changed the file: %v\n%s", again.Done, again.Text)
	}
	back := mustApply(t, mustParse(t, string(res.Text)), Change{Own: ownForTest, Footprint: res.Footprint})
	if len(own(f)) == 0 && string(back.Text) != text {
		t.Fatalf("taken back:\n%q\nwant:\n%q\nset up:\n%q", back.Text, text, res.Text)
	}
	if n := len(own(mustParse(t, string(back.Text)))); n != 0 {
		t.Fatalf("%d entries of ours left", n)
	}
	if !back.Footprint.Empty() {
		t.Fatalf("footprint left: %+v", back.Footprint)
	}
}

func checkSetUp(t *testing.T, text string, res Result) {
	t.Helper()
	body := strings.TrimPrefix(string(res.Text), byteOrderMark)
	if !json.Valid([]byte(body)) {
		t.Fatalf("not JSON any more:\n%s", body)
	}
	if strings.HasPrefix(text, byteOrderMark) != strings.HasPrefix(string(res.Text), byteOrderMark) {
		t.Fatal("byte order mark lost or made")
	}
	if strings.Contains(text, "\r\n") && strings.Count(body, "\n") != strings.Count(body, "\r\n") {
		t.Fatalf("mixed line ends: %q", body)
	}
	after := mustParse(t, string(res.Text))
	got := own(after)
	if len(got) != 2 {
		t.Fatalf("%d entries of ours, want 2:\n%s", len(got), body)
	}
	for _, h := range got {
		if h.Command != binary || !slices.Equal(h.Args, []string{"hook", h.Event}) || h.Timeout != 10 || h.Dead {
			t.Fatalf("entry %+v", h)
		}
	}
	for _, r := range fullChange(nil).Rules {
		if !after.Covered(r) {
			t.Fatalf("rule %v is missing", r)
		}
	}
}

func own(f *File) []Handler {
	return slices.DeleteFunc(f.Handlers(), func(h Handler) bool { return !ownForTest(h) })
}

func mustParse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("settings.json", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return f
}

func mustApply(t *testing.T, f *File, c Change) Result {
	t.Helper()
	res, err := f.Apply(c)
	if err != nil {
		t.Fatalf("%v\n%s", err, f.Text())
	}
	return res
}

func TestWrittenTextFollowsTheFile(t *testing.T) {
	t.Parallel()
	add := Change{Own: ownForTest, Hooks: []Hook{wanted("Stop", "")}}
	for _, c := range []struct{ name, in, out string }{
		{"tabs", "{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"type\": \"command\",\n\t\t\t\t\t\t\"command\": \"/opt/viber/bin/viber\",\n\t\t\t\t\t\t\"args\": [\n\t\t\t\t\t\t\t\"hook\",\n\t\t\t\t\t\t\t\"Stop\"\n\t\t\t\t\t\t],\n\t\t\t\t\t\t\"timeout\": 10\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}"},
		{"one line", `{"a":1}`, `{"a":1,"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/opt/viber/bin/viber","args":["hook","Stop"],"timeout":10}]}]}}`},
		{"one airy line", `{ "a": 1 }`, `{ "a": 1, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/opt/viber/bin/viber", "args": ["hook", "Stop"], "timeout": 10}]}]} }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := mustApply(t, mustParse(t, c.in), add); string(got.Text) != c.out {
				t.Fatalf("got  %s\nwant %s", got.Text, c.out)
			}
		})
	}
}

func TestUsersValueIsNeverReplaced(t *testing.T) {
	t.Parallel()
	key := Key{[]string{"statusLine"}, []Field{{"type", "command"}, {"command", "viber panel"}}}
	in := "{\n  \"statusLine\": {\"type\": \"command\", \"command\": \"mine\"}\n}\n"
	res := mustApply(t, mustParse(t, in), Change{Keys: []Key{key}})
	if res.Changed() || string(res.Text) != in || res.Done[0] != (Done{"keep", "key statusLine"}) {
		t.Fatalf("%v\n%s", res.Done, res.Text)
	}
	back := mustApply(t, mustParse(t, in), Change{Footprint: res.Footprint})
	if string(back.Text) != in {
		t.Fatalf("taken out: %s", back.Text)
	}
}

func TestOwnKeyIsUpdated(t *testing.T) {
	t.Parallel()
	first := mustApply(t, mustParse(t, "{\n  \"a\": 1\n}\n"), Change{Keys: []Key{{[]string{"statusLine"}, "old"}}})
	second := mustApply(t, mustParse(t, string(first.Text)), Change{Keys: []Key{{[]string{"statusLine"}, "new"}}, Footprint: first.Footprint})
	if want := "{\n  \"a\": 1,\n  \"statusLine\": \"new\"\n}\n"; string(second.Text) != want {
		t.Fatalf("%s", second.Text)
	}
}

func TestKeyUnderAScalarIsRefused(t *testing.T) {
	t.Parallel()
	_, err := mustParse(t, `{"enabledPlugins": 1}`).Apply(Change{Keys: []Key{{[]string{"enabledPlugins", "viber@viber"}, true}}})
	if exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "1:20") {
		t.Fatalf("got %v", err)
	}
}

func TestOnlyRulesThatViberAddedAreTakenOut(t *testing.T) {
	t.Parallel()
	in := "{\n  \"permissions\": {\n    \"allow\": [\"Bash(viber config:*)\"],\n    \"deny\": [\"Bash(viber plan-index:*)\"]\n  }\n}\n"
	res := mustApply(t, mustParse(t, in), fullChange(nil))
	if got := mustParse(t, string(res.Text)).Rules(Allow); len(got) != 1 {
		t.Fatalf("allow %v", got)
	}
	back := mustApply(t, mustParse(t, string(res.Text)), Change{Own: ownForTest, Footprint: res.Footprint})
	if string(back.Text) != in {
		t.Fatalf("got %s", back.Text)
	}
}

func TestRemovalWithoutARecord(t *testing.T) {
	t.Parallel()
	in := "{\n  \"model\": \"opus\"\n}\n"
	add := Change{Own: ownForTest, Hooks: fullChange(nil).Hooks}
	res := mustApply(t, mustParse(t, in), add)
	back := mustApply(t, mustParse(t, string(res.Text)), Change{Own: ownForTest, Unrecorded: true})
	if string(back.Text) != in {
		t.Fatalf("got %s", back.Text)
	}
}

func TestChangesOfTheUserSurviveTheRemoval(t *testing.T) {
	t.Parallel()
	res := mustApply(t, mustParse(t, "{\n  \"a\": 1\n}\n"), fullChange(nil))
	users := strings.Replace(string(res.Text), `"a": 1,`, `"b": 2,`, 1)
	users = strings.Replace(users, `"hooks": [`, `"hooks": [`+foreign+`,`, 1)
	back := mustApply(t, mustParse(t, users), Change{Own: ownForTest, Footprint: res.Footprint})
	want := "{\n  \"b\": 2,\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [" + foreign + "\n        ]\n      }\n    ]\n  }\n}\n"
	if string(back.Text) != want {
		t.Fatalf("got %s\nwant %s", back.Text, want)
	}
}

func TestFieldsThatDecideHowOurEntryRunsAreMended(t *testing.T) {
	t.Parallel()
	in := `{"hooks": {"Stop": [{"hooks": [{"async": true, "type": "command", "statusMessage": "mine", "command": "/x/viber", "timeout": 99, "shell": "bash"}]}]}}`
	res := mustApply(t, mustParse(t, in), Change{Own: ownForTest, Hooks: []Hook{wanted("Stop", "")}})
	want := `{"hooks": {"Stop": [{"hooks": [{"type": "command", "statusMessage": "mine", "command": "/opt/viber/bin/viber", "timeout": 10, "args": ["hook", "Stop"]}]}]}}`
	if string(res.Text) != want {
		t.Fatalf("got  %s\nwant %s", res.Text, want)
	}
	if len(res.Done) != 1 {
		t.Fatalf("said %v", res.Done)
	}
}

func TestCovers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wide, want string
		covers     bool
	}{
		{"Bash", "Bash(viber config:*)", true},
		{"Bash(*)", "Bash(viber config:*)", true},
		{"Bash( ** )", "Bash(viber config:*)", true},
		{"Bash(viber:*)", "Bash(viber config:*)", true},
		{"Bash(viber *)", "Bash(viber config:*)", true},
		{"Bash(viber config:*)", "Bash(viber config:*)", true},
		{"Bash(viber config *)", "Bash(viber config:*)", true},
		{"Bash(vib:*)", "Bash(viber config:*)", false},
		{"Bash(viber config)", "Bash(viber config:*)", false},
		{"Bash(viber config get:*)", "Bash(viber config:*)", false},
		{"Read", "Bash(viber config:*)", false},
		{"Bash()", "Bash(viber config:*)", false},
		{"Bash(", "Bash(viber config:*)", false},
		{"", "Bash(viber config:*)", false},
	} {
		if got := Covers(c.wide, c.want); got != c.covers {
			t.Errorf("Covers(%q, %q) = %v", c.wide, c.want, got)
		}
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, out string }{
		{"line", "{\n  // note\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n"},
		{"end of line", "{\n  \"a\": 1 // note\n}\n", "{\n  \"a\": 1\n}\n"},
		{"block", "/* head */\n{\n  \"a\": /* in */ 1\n}\n", "{\n  \"a\": 1\n}\n"},
		{"trailing comma", "{\n  \"a\": [1, 2,],\n}\n", "{\n  \"a\": [1, 2]\n}\n"},
		{"crlf", "{\r\n  // note\r\n  \"a\": 1, // b\r\n}\r\n", "{\r\n  \"a\": 1\r\n}\r\n"},
		{"in a string", "{\"a\": \"// no /* comment */\"}", "{\"a\": \"// no /* comment */\"}"},
		{"bom", byteOrderMark + "{\"a\": 1,}", byteOrderMark + "{\"a\": 1}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Repair("settings.json", []byte(c.in))
			if err != nil || string(got) != c.out {
				t.Fatalf("got %q, %v\nwant %q", got, err, c.out)
			}
		})
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Parse("settings.json", []byte(strings.Repeat(`{"a":`, 1_000_000)))
	if exit.Code(err) != exit.Refused {
		t.Fatalf("got %v", err)
	}
}

// TestCutTakesAnyChildrenOut cuts every subset of a list, written in two ways.
func TestCutTakesAnyChildrenOut(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"l": ["a","b", "c" ,"d"]}`, "{\n  \"l\": [\n    \"a\",\n    \"b\",\n    \"c\",\n    \"d\"\n  ]\n}\n"} {
		f := mustParse(t, text)
		list, _ := get(f.root, "l")
		for subset := range 16 {
			var at []int
			want := []string{}
			for i, s := range []string{"a", "b", "c", "d"} {
				if subset&(1<<i) != 0 {
					at = append(at, i)
				} else {
					want = append(want, s)
				}
			}
			var got struct{ L []string }
			if err := json.Unmarshal(f.cut(list, "", at...), &got); err != nil || !slices.Equal(got.L, want) {
				t.Errorf("without %v: %q %v\n%s", at, got.L, err, f.cut(list, "", at...))
			}
		}
	}
}

func TestDoubledWishesAreOneRule(t *testing.T) {
	t.Parallel()
	rule := Rule{Allow, "Bash(viber config:*)"}
	res := mustApply(t, mustParse(t, ""), Change{Rules: []Rule{rule, rule}})
	if got := mustParse(t, string(res.Text)).Rules(Allow); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestWithoutARecogniserOnlyTheWantedEntriesAreOurs(t *testing.T) {
	t.Parallel()
	c := Change{Hooks: fullChange(nil).Hooks}
	res := mustApply(t, mustParse(t, ""), c)
	if n := len(own(mustParse(t, string(res.Text)))); n != len(c.Hooks) {
		t.Errorf("%d entries", n)
	}
	if again := mustApply(t, mustParse(t, string(res.Text)), c); again.Changed() {
		t.Errorf("second run: %v", again.Done)
	}
}

func TestEntriesThatNobodyRecognisesAreNotWritten(t *testing.T) {
	t.Parallel()
	c := fullChange(nil)
	c.Own = func(Handler) bool { return false }
	if _, err := mustParse(t, "{}").Apply(c); err == nil || !strings.Contains(err.Error(), "not recognised") {
		t.Errorf("got %v", err)
	}
}
