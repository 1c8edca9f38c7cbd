package hooksimpl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// hookNames are all names `viber hook` can be called with, and one it does not know.
func hookNames() []string {
	names := []string{"NoSuchHook", "", "PostToolUse", "Stop", "SessionEnd", "PreCompact"}
	seen := map[string]bool{}
	for _, c := range checks() {
		names = append(names, c.name)
		for _, e := range c.events {
			if !seen[e] {
				names = append(names, e)
			}
			seen[e] = true
		}
	}
	return names
}

func testWorld(t testing.TB) *World {
	return &World{Getenv: func(string) string { return "" }, Now: time.Now, Root: t.TempDir()}
}

// answers runs one hook call and fails when stdout is anything but empty or one JSON object on one line.
func answers(t testing.TB, w *World, name string, stdin io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	ended := make(chan int, 2)
	go func() {
		ended <- Run(Options{Name: name, Stdin: stdin, Stdout: &out, World: w, End: func(code int) { ended <- code }})
	}()
	if code := <-ended; code != 0 {
		t.Errorf("%s: exit code %d", name, code)
	}
	if out.Len() == 0 {
		return ""
	}
	var object map[string]any
	dec := json.NewDecoder(bytes.NewReader(out.Bytes()))
	if err := dec.Decode(&object); err != nil {
		t.Fatalf("%s: stdout is no JSON object: %q", name, out.String())
	}
	if rest := out.Bytes()[dec.InputOffset():]; string(rest) != "\n" {
		t.Fatalf("%s: stdout holds more than one object: %q", name, out.String())
	}
	return out.String()
}

// everyPayload returns the stdin of all vectors of all hooks.
func everyPayload(t testing.TB) []string {
	var all []string
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		if strings.Contains(file, "departures") {
			continue
		}
		for _, v := range loadVectors(t, filepath.Base(file)) {
			text := string(v.Payload)
			if v.PayloadRaw != nil {
				text = *v.PayloadRaw
			}
			all = append(all, text)
		}
	}
	return all
}

func TestStdoutIsEmptyOrOneObject(t *testing.T) {
	t.Parallel()
	w := testWorld(t)
	payloads := append(everyPayload(t), brokenPayloads()...)
	for _, name := range hookNames() {
		for _, payload := range payloads {
			answers(t, w, name, strings.NewReader(payload))
		}
	}
}

func brokenPayloads() []string {
	list := []string{
		"", " ", "\n\n", "null", "[]", "42", `"x"`, "{}", "{", "}", `{"`, `{"a"`, `{"a":`, `{"a":1`, "not json", "\xef\xbb\xbf", "\xff\xfe{\x00}\x00",
		`{"hook_event_name":null,"tool_name":null,"tool_input":null}`,
		`{"hook_event_name":1,"tool_name":[],"tool_input":"x","agent_type":{}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"Bash","agent_type":"viber:x","tool_input":{"command":["pkill"]}}`,
		`{"hook_event_name":"PreToolUse","tool_name":"ExitPlanMode","transcript_path":"/dev/zero"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"ExitPlanMode","transcript_path":"/","cwd":"/nowhere"}`,
		`{"hook_event_name":"PreToolUse","tool_name":"ExitPlanMode","transcript_path":"\u0000","cwd":"\u0000"}`,
		`{"hook_event_name":"SessionStart","source":"startup","cwd":"\u0000"}`,
		`{"hook_event_name":"SessionStart","source":"startup","cwd":"` + strings.Repeat("/a", 5000) + `"}`,
		"{\"a\":\"\xff\xfe\",\"hook_event_name\":\"SessionStart\",\"source\":\"startup\"}",
		"{\"a\":\"control \x01 character\"}",
		strings.Repeat(`{"a":`, 100_000),
		strings.Repeat("[", 100_000),
		`{"tool_input":{"command":"\ud800"},"agent_type":"viber:x"}`,
	}
	for _, whole := range []string{`{"agent_type":"viber:x","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"pkill x"}}`} {
		for i := range len(whole) {
			list = append(list, whole[:i], whole[i:])
		}
	}
	return list
}

const refusedPayload = `{"agent_type":"viber:x","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"pkill x"}}`

func denied(answer string) bool { return strings.Contains(answer, `"permissionDecision":"deny"`) }

// TestStdinNeedNotEnd is the case of a client that keeps the pipe open: the answer comes after the object, not at its end.
func TestStdinNeedNotEnd(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	go func() { _, _ = io.WriteString(w, refusedPayload) }()
	started := time.Now()
	if out := answers(t, testWorld(t), EventPreToolUse, r); !denied(out) {
		t.Errorf("not refused: %q", out)
	}
	if took := time.Since(started); took > readBudget {
		t.Errorf("the answer took %s", took)
	}
}

func TestStdinThatNeverBegins(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	defer w.Close()
	started := time.Now()
	if out := answers(t, testWorld(t), EventPreToolUse, r); out != "" {
		t.Errorf("an answer to nothing: %q", out)
	}
	if took := time.Since(started); took > 3*Budget {
		t.Errorf("gave up after %s", took)
	}
}

func TestPayloadForms(t *testing.T) {
	t.Parallel()
	w := testWorld(t)
	forms := map[string]io.Reader{
		"byte order mark":      strings.NewReader("\xef\xbb\xbf" + refusedPayload),
		"blanks before":        strings.NewReader("\r\n \t" + refusedPayload),
		"second object behind": strings.NewReader(refusedPayload + `{"agent_type":"other"}`),
		"garbage behind":       strings.NewReader(refusedPayload + "}}} trailing"),
		"one byte at a time":   iotest.OneByteReader(strings.NewReader(refusedPayload)),
		"escapes":              strings.NewReader(strings.Replace(refusedPayload, "{", `{"x":"\\\\\"}\\",`, 1)),
		"error at the end":     iotest.DataErrReader(strings.NewReader(refusedPayload)),
		"bad UTF-8":            strings.NewReader(strings.Replace(refusedPayload, "{", "{\"x\":\"\xff\xc0\",", 1)),
	}
	for name, r := range forms {
		if out := answers(t, w, EventPreToolUse, r); !denied(out) {
			t.Errorf("%s: not refused: %q", name, out)
		}
	}
}

// TestHugePayload leaves the deadline out, so that a busy machine does not decide it.
func TestHugePayload(t *testing.T) {
	t.Parallel()
	huge := strings.Replace(refusedPayload, "{", `{"padding":"`+strings.Repeat("x", 50<<20)+`",`, 1)
	text, err := scanObject(strings.NewReader(huge))
	if err != nil {
		t.Fatal(err)
	}
	p, err := ParsePayload(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, v := Answer(testWorld(t), EventPreToolUse, p, time.Hour); v.Decision != Deny {
		t.Errorf("not refused: %+v", v)
	}
	endless := io.MultiReader(strings.NewReader(`{"a":"`), repeatedReader{})
	if _, err := scanObject(endless); !errors.Is(err, errTooLarge) {
		t.Errorf("a payload without end: %v", err)
	}
}

type repeatedReader struct{}

func (repeatedReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestMatchersAreAppliedInside(t *testing.T) {
	t.Parallel()
	w := testWorld(t)
	silent := map[string]string{
		"other tool":      strings.Replace(refusedPayload, `"Bash"`, `"Read"`, 1),
		"event mismatch":  strings.Replace(refusedPayload, `"PreToolUse"`, `"PostToolUse"`, 1),
		"resumed session": `{"hook_event_name":"SessionStart","source":"resume"}`,
		"unknown source":  `{"hook_event_name":"SessionStart"}`,
	}
	for name, payload := range silent {
		for _, event := range []string{EventPreToolUse, EventSessionStart} {
			if out := answers(t, w, event, strings.NewReader(payload)); out != "" {
				t.Errorf("%s: %s", name, out)
			}
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, payload := range append(everyPayload(f), brokenPayloads()...) {
		if len(payload) < 4<<10 {
			f.Add(payload)
		}
	}
	w := testWorld(f)
	f.Fuzz(func(t *testing.T, payload string) {
		for _, name := range hookNames() {
			answers(t, w, name, strings.NewReader(payload))
		}
	})
}

func FuzzFindKill(f *testing.F) {
	for _, v := range loadVectors(f, "kill-guard.json") {
		if p, err := ParsePayload(v.Payload); err == nil {
			command, _ := p.Input("command")
			f.Add(command)
		}
	}
	for _, command := range []string{
		"time -p if pkill x; then :; fi", "coproc N { killall x; }", "f() { pkill x; }", "case x in (a) pkill x;; esac", "ki\\\nllall x",
		"function f { pkill x; }", "select i in a; do pkill x; done", "cat <<E\n$(pkill x)\nE\n", "a=(b $(pkill x))", "[[ -n $(pkill x) ]]", "$((`pkill x`))",
		"if a; then b; elif pkill x; then :; fi", "x &\tpkill y", "until pkill x; do :; done",
	} {
		f.Add(command)
	}
	f.Fuzz(func(t *testing.T, command string) {
		findKill(ToolBash, command)
		findKill(ToolPowerShell, command)
		scanKill(command)
		if tree, err := parseShell(command); err == nil {
			if found := judgeTree(command, tree); found.rule != "" && !mayKill(command) {
				t.Errorf("refused as %s, but the quick test lets it pass: %q", found.rule, command)
			}
		}
	})
}

// FuzzFields compares the field scanner with the standard decoder.
func FuzzFields(f *testing.F) {
	for _, payload := range append(everyPayload(f), brokenPayloads()...) {
		if len(payload) < 4<<10 {
			f.Add(payload)
		}
	}
	f.Add(`{"a":[1,{"b":"}"}],"c" : "\\" , "d":{} ,"e":-1.5e3 , "a":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		want := map[string]json.RawMessage{}
		if json.Unmarshal([]byte(text), &want) != nil {
			want = nil
		}
		got := fieldsOf([]byte(text))
		if want == nil {
			if got != nil {
				t.Fatalf("%q is no object, got %v", text, got)
			}
			return
		}
		if strings.TrimSpace(text) == "null" {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d fields, want %d", text, len(got), len(want))
		}
		for key, value := range want {
			if string(got[key]) != string(value) {
				t.Errorf("%q: %q is %q, want %q", text, key, got[key], value)
			}
			s, ok := stringOf(got[key])
			var wanted string
			if isText := json.Unmarshal(value, &wanted) == nil && value[0] == '"'; ok != isText || s != wanted {
				t.Errorf("%q: text %q %v, want %q %v", text, s, ok, wanted, isText)
			}
		}
	})
}
