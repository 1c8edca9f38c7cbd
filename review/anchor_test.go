package review

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/forge"
)

type anchorRow struct {
	Diff, File string
	Line       int
	Old        bool // the line counts in the old file
	Want       string
}

func anchorRows(t *testing.T) []anchorRow {
	t.Helper()
	text, err := os.ReadFile("testdata/anchors.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []anchorRow
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func anchorText(a forge.Anchor, ok bool) string {
	if !ok {
		return "outside"
	}
	text := fmt.Sprintf("%s %d %s", a.Kind, a.Line, a.Path)
	if a.OldPath != "" {
		text += " < " + a.OldPath
	}
	return text
}

// TestAnchorsAreExact: every line of testdata/anchors.json gets the position it must have in its diff: added, removed and
// context lines, renamed, deleted and odd files, patches of git, GitHub and Bitbucket Server.
func TestAnchorsAreExact(t *testing.T) {
	t.Parallel()
	rows := anchorRows(t)
	known := map[string]*Index{}
	for _, r := range rows {
		x := known[r.Diff]
		if x == nil {
			var err error
			if x, err = indexFile(filepath.Join("testdata/anchors", r.Diff+".patch"), true); err != nil {
				t.Fatal(err)
			}
			known[r.Diff] = x
		}
		look := x.Anchor
		if r.Old {
			look = x.AnchorOld
		}
		if got := anchorText(look(r.File, r.Line)); got != r.Want {
			t.Errorf("%s: %s:%d old=%v: %s, want %s", r.Diff, r.File, r.Line, r.Old, got, r.Want)
		}
	}
	if len(known) < 40 || len(rows) < 400 {
		t.Errorf("only %d rows on %d diffs", len(rows), len(known))
	}
}

// TestIndexInPieces: a diff that comes byte by byte reads like one that comes whole.
func TestIndexInPieces(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/anchors/*.patch")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		whole, pieces := Index{Lines: true}, Index{Lines: true}
		_, _ = whole.Write(text)
		for i := range text {
			_, _ = pieces.Write(text[i : i+1])
		}
		whole.Close()
		pieces.Close()
		if a, b := fmt.Sprint(whole.Files), fmt.Sprint(pieces.Files); a != b {
			t.Errorf("%s: whole %s, in pieces %s", file, a, b)
		}
		end := int64(0)
		for _, f := range whole.Files {
			if f.start != end || f.Path == "" {
				t.Errorf("%s: %q starts at %d, want %d", file, f.Path, f.start, end)
			}
			end = f.end
		}
		if end != int64(len(text)) {
			t.Errorf("%s: %d bytes of %d belong to files", file, end, len(text))
		}
	}
}

func FuzzIndex(f *testing.F) {
	for _, seed := range []string{
		"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n", "@@ -1 +1 @@\n", "--- a\n+++ b\n@@ -0,0 +1,99999999999 @@\n+x",
		"diff --git \"a/\\303\\274\" \"b/\\303\\274\"\nnew file mode 100644\n", "rename from x\n", "diff --git \n@@ -1 +1 @@\n\\ No newline\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x := Index{Lines: true}
		_, _ = x.Write([]byte(text))
		x.Close()
		for _, file := range x.Files {
			if file.start < 0 || file.end > int64(len(text)) || file.start > file.end {
				t.Errorf("a file at %d to %d of %d bytes", file.start, file.end, len(text))
			}
			for _, r := range file.runs {
				if r.n < 1 || r.old < 0 || r.new < 0 {
					t.Errorf("a run %+v", r)
				}
			}
		}
		var out strings.Builder
		if _, err := shorten(&out, strings.NewReader(text), x.Files, 100); err != nil {
			t.Error(err)
		}
	})
}
