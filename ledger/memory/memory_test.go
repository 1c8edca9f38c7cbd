package memory

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSizesOverTheLimits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name string, size int) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Repeat([]byte("x"), size), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("CLAUDE.md", rootLimit+1)
	put("a/CLAUDE.md", nodeLimit)
	put("a/b/CLAUDE.md", nodeLimit+1)
	put("a/b/c/CLAUDE.md", 5000)
	put(".claude/rules/big.md", ruleLimit+1)
	put(".claude/rules/_own.md", rulesLimit)

	out := call(t, dir, Map)
	for _, want := range []string{
		"node: CLAUDE.md | 4001 bytes | chain 4001 | OVER-NODE\n",
		"node: a/CLAUDE.md | 12000 bytes | chain 16001\n",
		"node: a/b/CLAUDE.md | 12001 bytes | chain 28002 | OVER-NODE\n",
		"node: a/b/c/CLAUDE.md | 5000 bytes | chain 33002 | OVER-CHAIN\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
	out = call(t, dir, Rules)
	for _, want := range []string{"rule: .claude/rules/big.md | 4001 bytes | all files | matches 6 | OVER-FILE\n", "total: 44001 bytes | OVER-DIR\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
}

func call(t *testing.T, dir string, run func(context.Context, Call) error) string {
	t.Helper()
	var out bytes.Buffer
	c := Call{Dir: dir, Out: &out, Now: func() time.Time { return time.Unix(0, 0) }}
	if err := run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func FuzzGlobsOf(f *testing.F) {
	for _, seed := range []string{"", "---\npaths: a\n---\n", "---\npaths: [a, 'b']\n---", "---\r\npaths:\r\n  - a\r\n---\r\n", "---\npaths: {a: b}\n---\n", "---\n: :\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tree := tree{files: []string{"a", "src/b.go"}}
		if n := tree.matches(globsOf(text)); n < 0 || n > 2 {
			t.Errorf("%d matches of 2 files", n)
		}
	})
}
