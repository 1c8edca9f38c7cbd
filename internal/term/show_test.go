package term

import (
	"fmt"
	"strings"
	"testing"
)

func TestTableLeavesNoBlanksBehind(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	table := NewTable(&out)
	fmt.Fprintf(table, "client\tnot found\t\nviber\t1.0\t~/bin/viber\n")
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	if want := "client  not found\nviber   1.0        ~/bin/viber\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestDiffHasColourOnTerminalsOnly(t *testing.T) {
	t.Parallel()
	diff := "--- a\n+++ b\n@@ -1 +1 @@\n-old\r\n+new\n same\n"
	for name, s := range map[string]Streams{"pipe": {}, "NO_COLOR": {OutTTY: true, NoColor: true}, "dumb": {OutTTY: true, Dumb: true}} {
		if got := s.Diff(diff); got != diff {
			t.Errorf("%s: %q", name, got)
		}
	}
	want := "\x1b[1m--- a\x1b[m\n\x1b[1m+++ b\x1b[m\n\x1b[36m@@ -1 +1 @@\x1b[m\n\x1b[31m-old\x1b[m\r\n\x1b[32m+new\x1b[m\n same\n"
	if got := (Streams{OutTTY: true}).Diff(diff); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
