package secrets

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

type example struct {
	rule, line string
	number     int
}

func corpus(t testing.TB) []example {
	t.Helper()
	text, err := os.ReadFile("testdata/corpus.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		rule, sample, ok := strings.Cut(line, " | ")
		if !ok {
			t.Fatalf("corpus.txt:%d: no ' | '", i+1)
		}
		all = append(all, example{rule, strings.ReplaceAll(sample, "~~", ""), i + 1})
	}
	return all
}

func TestCorpus(t *testing.T) {
	for _, e := range corpus(t) {
		found := Find([]byte(e.line))
		if got := names(found); got != e.rule {
			t.Errorf("corpus.txt:%d: got %s, want %s", e.number, got, e.rule)
		}
		for _, f := range found {
			if f.Start < 0 || f.End > len(e.line) || f.Start >= f.End {
				t.Errorf("corpus.txt:%d: bounds %d-%d of %d", e.number, f.Start, f.End, len(e.line))
			}
		}
	}
}

func names(found []Finding) string {
	if len(found) == 0 {
		return "none"
	}
	var all []string
	for _, f := range found {
		all = append(all, f.Rule)
	}
	return strings.Join(all, ",")
}

func TestPatternsCompileAndIDsAreUnique(t *testing.T) {
	lines := 0
	for line := range strings.Lines(rulesText) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			lines++
		}
	}
	if n := len(tokenRules()); n != lines {
		t.Errorf("%d of the %d lines of rules.txt are rules", n, lines)
	}
	seen := map[string]bool{}
	for _, m := range scanner().rules {
		if seen[m.id] {
			t.Errorf("rule %s is there twice", m.id)
		}
		seen[m.id] = true
		for _, k := range m.keys {
			m.match([]byte(k), 0) // compiles
			if k != strings.ToLower(k) || len(k) < 2 {
				t.Errorf("%s: keyword %q", m.id, k)
			}
		}
	}
	if len(Rules()) != len(seen) {
		t.Errorf("Rules lists %d of %d", len(Rules()), len(seen))
	}
}

func TestLockFileHidesNoKey(t *testing.T) {
	key := "AK" + "IAQ3EGT7XNLY2PWKVB"
	var patch strings.Builder
	patch.WriteString("diff --git a/package-lock.json b/package-lock.json\n--- a/package-lock.json\n+++ b/package-lock.json\n@@ -0,0 +1,801 @@\n")
	for i := range 800 {
		fmt.Fprintf(&patch, "+      \"integrity\": \"sha512-%064dAbCdEfGhIjKlMnOpQr==\",\n", i)
	}
	patch.WriteString("+      \"resolved\": \"https://host/" + key + "\"\n")
	found, _ := InDiff([]byte(patch.String()))
	if len(found) != 1 || found[0].Rule != "aws-access-key" || found[0].Line != 801 || found[0].Path != "package-lock.json" {
		t.Fatalf("got %+v", found)
	}
	if strings.Contains(fmt.Sprintf("%+v", found), key) {
		t.Error("the value is shown")
	}
}

func TestDiff(t *testing.T) {
	token := "gh" + "p_k3PZxLm2Qw8sTz5YbN1cDfGhJ7uV4eKaXoZi"
	patch := strings.Join([]string{
		`diff --git "a/caf\303\251.txt" "b/caf\303\251.txt"`,
		`--- "a/caf\303\251.txt"`,
		`+++ "b/caf\303\251.txt"`,
		"@@ -10,3 +10,4 @@ func x",
		" context " + token,
		"-removed " + token,
		"+added one",
		"++++ b/" + token + " viber:allow-secret",
		" end",
		"diff --git a/b.bin b/b.bin",
		"Binary files a/b.bin and b/b.bin differ",
		"diff --cc merged.txt",
		"--- a/merged.txt",
		"+++ b/merged.txt",
		"@@@ -1,2 -1,2 +1,4 @@@",
		"  both",
		"+ theirs " + token,
		"++mine " + token,
		"  end",
		"",
	}, "\n")
	found, skipped := InDiff([]byte(patch))
	want := []string{"café.txt:12 true", "merged.txt:3 false"}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s:%d %v", f.Path, f.Line, f.Marked))
	}
	if strings.Join(got, ";") != strings.Join(want, ";") {
		t.Errorf("got %v, want %v", got, want)
	}
	if strings.Join(skipped, ";") != "b.bin" {
		t.Errorf("skipped %v", skipped)
	}
}

func TestHeadOfKeyWithoutKey(t *testing.T) {
	head := "-----BE" + "GIN RSA PRIVATE KEY-----"
	if got := InText("a.md", []byte(head+"\nis how such a file begins\n")); len(got) != 0 {
		t.Errorf("prose: %+v", got)
	}
	if got := InText("a.pem", []byte(head+"\nMIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo\n")); len(got) != 1 {
		t.Errorf("key: %+v", got)
	}
	if got := InText("a.pem", []byte(head+"\nProc-Type: 4,ENCRYPTED\n")); len(got) != 1 {
		t.Errorf("encrypted key: %+v", got)
	}
}

// What only two lines, or the name of the file, tell.
func TestValuesKnownByTheirPlace(t *testing.T) {
	value := "sinvRe7AeGa2" + "KQpKBznKUrY2RY21ijoQ2WpGh5s5"
	for _, c := range []struct{ path, text, want string }{
		{"k8s.yml", "env:\n  - name: API_TOKEN\n    value: \"" + value + "\"\n", "generic-secret"},
		{"task.json", "{\n \"name\": \"API_TOKEN\",\n \"value\": \"" + value + "\"\n}", "generic-secret"},
		{"k8s.yml", "  - name: REPLICAS\n    value: \"" + value + "\"\n", ""},
		{"k8s.yml", "  - name: API_TOKEN\n\n    value: \"" + value + "\"\n", ""},
		{"k8s.yml", "  - name: API_TOKEN\n    valueFrom: x\n", ""},
		{"config/master.key", "028b2c80bd0980b117e3a28b" + "342ee758\n", "rails-key"},
		{"sums.txt", "028b2c80bd0980b117e3a28b" + "342ee758\n", ""},
	} {
		got := ""
		for _, f := range InText(c.path, []byte(c.text)) {
			got += f.Rule
		}
		if got != c.want {
			t.Errorf("%s %q: %q, want %q", c.path, c.text, got, c.want)
		}
	}
}

// A diff is scanned in a small part of the time it takes to look at each of its bytes a hundred times: both sides run on
// the same machine at the same moment, so load and the race detector change nothing.
func TestLargeDiffIsFast(t *testing.T) {
	patch := largeDiff()
	scan := fastest(func() { InDiff(patch) })
	look := fastest(func() {
		for range 100 {
			count := 0
			for _, c := range patch {
				if c == '=' {
					count++
				}
			}
			sink = count
		}
	})
	if scan > 2*look {
		t.Errorf("%d bytes took %s, looking at them a hundred times %s", len(patch), scan, look)
	}
}

var sink int

func TestOneLongLineIsLinear(t *testing.T) {
	for _, form := range []string{`token="a",password:"b",sk-://`, "pass", "x-api-key", `"kty"`, "mysql -", "token=aB3"} {
		line := bytes.Repeat([]byte(form), 60_000/len(form))
		single := fastest(func() { Find(line) })
		double := fastest(func() { Find(append(line, line...)) })
		if double > 4*single && double > 100*time.Millisecond {
			t.Errorf("%q: %d bytes took %s, twice as many %s", form, len(line), single, double)
		}
	}
}

// fastest is the shortest of five runs of do.
func fastest(do func()) time.Duration {
	best := time.Duration(1 << 62)
	for range 5 {
		start := time.Now()
		do()
		best = min(best, time.Since(start))
	}
	return best
}

func largeDiff() []byte {
	lines := []string{
		"+func (c *Client) Token(ctx context.Context) (string, error) {",
		"+\tpassword := c.config.Password // the secret stays in the keyring",
		"+\treq.Header.Set(\"Authorization\", \"Bearer \"+token)",
		"+\tfor i, item := range items { total += item.Price * item.Count }",
		"+    \"integrity\": \"sha512-k3PZxLm2Qw8sTz5YbN1cDfGhJ7uV4eKaXoZiRt9vLmZ2wYbN5cE8hJ1uK4aGoXdFp7qAa==\",",
	}
	var b bytes.Buffer
	b.WriteString("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,5000 @@\n")
	for i := range 5000 {
		b.WriteString(lines[i%len(lines)] + "\n")
	}
	return b.Bytes()
}

func BenchmarkDiff(b *testing.B) {
	patch := largeDiff()
	b.SetBytes(int64(len(patch)))
	for b.Loop() {
		InDiff(patch)
	}
}

func FuzzFind(f *testing.F) {
	for _, e := range corpus(f) {
		f.Add([]byte(e.line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		for _, x := range Find(line) {
			if x.Start < 0 || x.End > len(line) || x.Start >= x.End {
				t.Fatalf("bounds %+v of %d", x, len(line))
			}
		}
		InDiff(line)
	})
}
