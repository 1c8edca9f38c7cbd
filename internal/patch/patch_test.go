package patch

import (
	"fmt"
	"strings"
	"testing"
)

func TestAddedLines(t *testing.T) {
	text := strings.Join([]string{
		"diff --git a/x.txt b/x.txt", "--- a/x.txt", "+++ b/x.txt", "@@ -1,2 +1,3 @@", " one", "-two", "+++ not a header", "+three",
		`\ No newline at end of file`, "@@ -10 +11,2 @@ func", " ten", "+eleven", "",
	}, "\r\n")
	var got []string
	binary := Added([]byte(text), func(l Line) { got = append(got, fmt.Sprintf("%s:%d:%s", l.Path, l.Number, l.Text)) })
	if want := "x.txt:2:++ not a header|x.txt:3:three|x.txt:12:eleven"; strings.Join(got, "|") != want || len(binary) != 0 {
		t.Errorf("got %v %v", got, binary)
	}
}

func TestMarkers(t *testing.T) {
	for line, want := range map[string]string{
		"x := 1 // shortcut: one page only":          "one page only",
		"# shortcut: no retry":                       "no retry",
		"/* Shortcut: no limit */":                   "no limit",
		" * shortcut: inside a block":                "inside a block",
		"<!-- shortcut: no alt text -->":             "no alt text",
		"-- shortcut: full scan":                     "full scan",
		"// TODO(kim) shortcut: cached for ever":     "cached for ever",
		`url := "https://x" // shortcut: fixed host`: "fixed host",
		`s := "# shortcut: none"`:                    "",
		`print("shortcut: ctrl+c")`:                  "",
		"the shortcut: is in prose":                  "",
		"// shortcut:":                               "",
		"// shortcuts are fine":                      "",
	} {
		got := ""
		for _, m := range Markers([]byte("+++ b/a\n@@ -0,0 +1 @@\n+" + line + "\n")) {
			got = m.Text
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func FuzzAdded(f *testing.F) {
	f.Add([]byte("+++ b/a\n@@ -0,0 +1 @@\n+x // shortcut: y\n"))
	f.Add([]byte("@@@ -1,2 -1,2 +1,4 @@@\n++x\n"))
	f.Add([]byte("@@ -1 + @@\n"))
	f.Fuzz(func(_ *testing.T, text []byte) { Markers(text) })
}
