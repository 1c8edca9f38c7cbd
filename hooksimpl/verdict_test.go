package hooksimpl

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

func TestMerge(t *testing.T) {
	t.Parallel()
	deny, ask, allow := Verdict{Decision: Deny, Reason: "no"}, Verdict{Decision: Ask, Reason: "sure?"}, Verdict{Decision: Allow}
	for name, c := range map[string]struct {
		in   []Verdict
		want Verdict
	}{
		"nothing":              {nil, Verdict{}},
		"silence":              {[]Verdict{{}, {}}, Verdict{}},
		"deny beats ask":       {[]Verdict{ask, deny, allow}, deny},
		"ask beats allow":      {[]Verdict{allow, ask}, ask},
		"reasons are joined":   {[]Verdict{deny, {Decision: Deny, Reason: "neither"}}, Verdict{Decision: Deny, Reason: "no\n\nneither"}},
		"contexts are joined":  {[]Verdict{{Context: "a"}, {Context: "b"}}, Verdict{Context: "a\n\nb"}},
		"notices are joined":   {[]Verdict{{System: "a"}, {System: "b"}}, Verdict{System: "a\nb"}},
		"context stays":        {[]Verdict{{Context: "a"}, deny}, Verdict{Decision: Deny, Reason: "no", Context: "a"}},
		"weak reasons are out": {[]Verdict{ask, deny}, deny},
	} {
		if got := merge(c.in); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestContextsStayBelowTheClientsLimit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ż", 6000)
	got := merge([]Verdict{{Context: long}, {Context: long}, {Context: "short"}})
	if got.Context != long+"\n\nshort" {
		t.Errorf("%d bytes of context", len(got.Context))
	}
	if alone := merge([]Verdict{{Context: long + long}}); alone.Context != long+long {
		t.Error("a context that is too long alone is the client's to shorten")
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	deny := Verdict{Decision: Deny, Reason: "a <b> & \"c\"\n"}
	for event, want := range map[string]string{
		EventPreToolUse: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"a <b> & \"c\"\n"}}`,
		"Stop":          `{"decision":"block","reason":"a <b> & \"c\"\n","hookSpecificOutput":{"hookEventName":"Stop"}}`,
		"PreCompact":    `{"decision":"block","reason":"a <b> & \"c\"\n"}`,
	} {
		if got := string(encode(event, deny)); got != want+"\n" {
			t.Errorf("%s: %s", event, got)
		}
	}
	if got := encode(EventPreToolUse, Verdict{}); got != nil {
		t.Errorf("silence is %q", got)
	}
}

// FuzzJSONString compares the texts of answers with the library's.
func FuzzJSONString(f *testing.F) {
	for _, text := range []string{"", "plain", "a <b> & \"c\"\n", "\x00\x1f\x7f\b\f\r\t\\", "\u2028\u2029\ufffd\U0001f600", "\xff\xc0a\xe2\x80"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var w jsonWriter
		w.string(text)
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
		if got := string(w.text) + "\n"; got != want.String() {
			t.Errorf("%q: %s, the library writes %s", text, got, want.String())
		}
	})
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { panic("broken") }

func TestABrokenStandardInputIsSilent(t *testing.T) {
	t.Parallel()
	for _, r := range []io.Reader{brokenReader{}, nil} {
		if out := answers(t, testWorld(t), EventPreToolUse, r); out != "" {
			t.Errorf("an answer: %s", out)
		}
	}
}
