package hooksimpl

import (
	"strings"
	"testing"
)

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

// TestUnattendedEntriesBlockOnFailure: where sessions run without a person, a git or secrets hook that dies refuses the
// call, on clients that know how to.
func TestUnattendedEntriesBlockOnFailure(t *testing.T) {
	t.Parallel()
	value := func(unattended string) Switches {
		return func(key string) string {
			if key == "guards.unattended" {
				return unattended
			}
			return "on"
		}
	}
	blocking := func(can ClientAbilities, unattended string) (matchers []string) {
		for _, r := range Registrations(can, value(unattended)) {
			if r.Block {
				matchers = append(matchers, r.Matcher+" "+r.If)
			}
		}
		return matchers
	}
	for _, c := range []struct {
		can        ClientAbilities
		unattended string
		want       string
	}{
		{ClientAbilities{If: true, OnFailure: true}, "on", "Bash Bash(*git*),PowerShell "},
		{ClientAbilities{OnFailure: true}, "on", "Bash ,PowerShell "},
		{ClientAbilities{If: true, OnFailure: true}, "off", ""},
		{ClientAbilities{If: true}, "on", ""},
	} {
		if got := strings.Join(blocking(c.can, c.unattended), ","); got != c.want {
			t.Errorf("%+v, unattended %s: %q", c.can, c.unattended, got)
		}
	}
}
