package hooksimpl

import "testing"

func TestBeyondIsWhatAProjectAdds(t *testing.T) {
	t.Parallel()
	stop, read := entry("Stop", "", "x"), entry("PostToolUse", "Read", "y")
	filtered := read
	filtered.If = "Read(*.go)"
	got := Beyond([]Registration{stop, read}, []Registration{stop, read, filtered})
	if len(got) != 1 || got[0].If != filtered.If {
		t.Errorf("%v", got)
	}
}

func TestNoGuardIsRegisteredWhileAllAreOff(t *testing.T) {
	t.Parallel()
	off := Registrations(ClientAbilities{If: true}, func(string) string { return "off" })
	if len(off) != 5 {
		t.Errorf("%d entries: %v", len(off), off)
	}
}
