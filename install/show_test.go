package install

import (
	"bytes"
	"strings"
	"testing"

	"viber/internal/term"
	"viber/schema"
)

// What a plan writes is shown: as a diff, or, where it is what a command prints, by the name of that command. One byte of
// difference and it is a diff again.
func TestEveryFileOfAPlanIsShown(t *testing.T) {
	t.Parallel()
	text := schema.JSONSchema()
	for name, c := range map[string]struct {
		before, after string
		whole, folded bool
	}{
		"made":                     {"", text, false, true},
		"made, shown whole":        {"", text, true, false},
		"removed":                  {text, "", false, true},
		"made with one byte more":  {"", text + "x", false, false},
		"removed with a byte less": {text[1:], "", false, false},
		"changed":                  {"{}\n", text, false, false},
		"changed by somebody":      {text, "{}\n", false, false},
	} {
		change := Change{Path: "/p/.claude/viber.schema.json", Before: []byte(c.before), After: []byte(c.after)}
		if c.before == "" {
			change.Before = nil
		}
		if c.after == "" {
			change.After = nil
		}
		var out bytes.Buffer
		if err := (&Plan{Changes: []Change{change}}).Show(term.Streams{Out: &out}, Places{Home: "/h"}, c.whole); err != nil {
			t.Fatal(err)
		}
		said := out.String()
		if folded := strings.Contains(said, "'viber config schema' prints, sha256 "+hash([]byte(text))[:12]); folded != c.folded {
			t.Errorf("%s: folded is %v:\n%s", name, folded, said)
		}
		if !c.folded && !strings.Contains(said, "\n@@ ") || !strings.Contains(said, change.Path) {
			t.Errorf("%s: not shown:\n%s", name, said)
		}
		if out.Reset(); (&Plan{Changes: []Change{change}}).WriteJSON(&out, false) != nil || !strings.Contains(out.String(), "@@ ") {
			t.Errorf("%s: JSON leaves the diff out", name)
		}
	}
}
