package term

import (
	"strings"
	"testing"

	"viber/internal/exit"
)

// On a dumb terminal questions are lines: no escape sequence is printed, and the end of input cancels.
func TestDumbTerminalIsAskedInLines(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	dumb := func(typed string) Streams {
		return Streams{In: strings.NewReader(typed), Out: &out, InTTY: true, OutTTY: true, Dumb: true}
	}
	for typed, want := range map[string]bool{"y\n": true, "YES\r\n": true, "n\n": false, "\n": false, "what\ny\n": true} {
		if got, err := Confirm(dumb(typed), "Apply?", false); err != nil || got != want {
			t.Errorf("confirm %q: %v %v", typed, got, err)
		}
	}
	if _, err := Confirm(dumb(""), "Apply?", true); exit.Code(err) != exit.Cancelled {
		t.Errorf("end of input: %v", err)
	}
	for typed, want := range map[string]int{"2\n": 1, "\n": 0, "9\nx\n3\n": 2} {
		if got, err := Select(dumb(typed), "Which?", []string{"a", "b", "c"}, 0); err != nil || got != want {
			t.Errorf("select %q: %v %v", typed, got, err)
		}
	}
	if got, err := MultiSelect(dumb("3, 1\n"), "Which?", []string{"a", "b", "c"}); err != nil || len(got) != 2 || got[0] != 0 || got[1] != 2 {
		t.Errorf("several: %v %v", got, err)
	}
	if got, err := Input(dumb("some words\n"), "What?", "none"); err != nil || got != "some words" {
		t.Errorf("input: %q %v", got, err)
	}
	if got, err := Input(dumb("\n"), "What?", "none"); err != nil || got != "none" {
		t.Errorf("input: %q %v", got, err)
	}
	if strings.ContainsRune(out.String(), '\x1b') {
		t.Errorf("an escape sequence: %q", out.String())
	}
	if _, err := Confirm(Streams{In: strings.NewReader("y\n"), Out: &out, Dumb: true}, "Apply?", false); exit.Code(err) != exit.Usage {
		t.Errorf("without a terminal: %v", err)
	}
}
