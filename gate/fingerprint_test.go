package gate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pair is two findings of two rounds, or of one when OneFile, and whether they are one.
type pair struct {
	Kind, CodeA, CodeB     string
	Same, OneFile, Renamed bool
	A, B                   Finding
}

func pairs(t testing.TB) []pair {
	t.Helper()
	data, err := os.ReadFile("testdata/fingerprints.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []pair
	if err := json.Unmarshal(data, &all); err != nil || len(all) < 60 {
		t.Fatalf("%d pairs: %v", len(all), err)
	}
	return all
}

// look opens a directory that holds code as the finding's file; without code nothing is known.
func look(t testing.TB, f Finding, code string, origin func(string) string) Look {
	t.Helper()
	if code == "" {
		return Look{origin: origin}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, filepath.FromSlash(string(f.File)))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := LookAt(dir, origin)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.tree.root.Close() })
	return l
}

func TestFingerprintsOfPairs(t *testing.T) {
	t.Parallel()
	for _, p := range pairs(t) {
		a, b := p.annotated(t)
		if (a == b) != p.Same {
			t.Errorf("%s: same %v, want %v\n  %s:%d %s\n  %s:%d %s", p.Kind, a == b, p.Same, p.A.File, p.A.Line, p.A.Issue, p.B.File, p.B.Line, p.B.Issue)
		}
	}
}

func (p pair) annotated(t *testing.T) (a, b Fingerprint) {
	t.Helper()
	var origin func(string) string
	if p.Renamed {
		origin = func(string) string { return string(p.A.File) }
	}
	lookA := look(t, p.A, p.CodeA, origin)
	if p.OneFile {
		both := Annotate([]Finding{p.A, p.B}, nil, lookA)
		return both[0].Fingerprint, both[1].Fingerprint
	}
	a = Annotate([]Finding{p.A}, nil, lookA)[0].Fingerprint
	b = Annotate([]Finding{p.B}, nil, look(t, p.B, p.CodeB, origin))[0].Fingerprint
	return a, b
}

// A delta knows every finding that is still there, and takes none for another.
func TestDeltaOfPairs(t *testing.T) {
	t.Parallel()
	for _, p := range pairs(t) {
		if p.OneFile {
			continue
		}
		var origin func(string) string
		if p.Renamed {
			origin = func(string) string { return string(p.A.File) }
		}
		earlier := Annotate([]Finding{p.A}, nil, look(t, p.A, p.CodeA, origin))
		d := Compare(earlier, []Finding{p.B}, look(t, p.B, p.CodeB, origin))
		if still := len(d.StillPresent) == 1; still != p.Same {
			t.Errorf("%s: still present %v, want %v: %s / %s", p.Kind, still, p.Same, p.A.Issue, p.B.Issue)
		}
	}
}

func TestAnnotateKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	in := []Finding{{File: "a.go", Line: 1, Issue: "x is nil", Fingerprint: "echoed-from-before"}, {File: "a.go", Line: 9, Issue: "x is nil"}}
	out := Annotate(in, nil, Look{})
	if out[0].Fingerprint != "echoed-from-before" || out[1].Fingerprint == "" || out[1].Fingerprint == out[0].Fingerprint {
		t.Errorf("got %+v", out)
	}
	again := Annotate(out, nil, Look{})
	if again[1].Fingerprint != out[1].Fingerprint {
		t.Error("annotating twice changes a fingerprint")
	}
	carried := Annotate([]Finding{{File: "a.go", Line: 3, Issue: "x may be nil here"}}, out, Look{})
	if carried[0].Fingerprint != "echoed-from-before" {
		t.Errorf("not carried over: %+v", carried)
	}
}

func TestAnnotateChangesNoOtherByte(t *testing.T) {
	t.Parallel()
	text := "{\n\t\"reviewer\": \"o\",  \"approved\": false,\r\n\t\"findings\": [ { \"severity\": \"important\", \"file\": \"a.go\", \"line\": 1, \"issue\": \"\\u00e9 x\", \"fix\": \"y\" } ]\n}"
	file := filepath.Join(t.TempDir(), "r.json")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	a, err := AnnotateFile(file, nil, Look{})
	if err != nil || a.Added != 1 {
		t.Fatalf("%+v %v", a, err)
	}
	i := strings.Index(string(a.Text), `"fingerprint"`)
	if i < 0 {
		t.Fatal("no fingerprint")
	}
	cut := strings.LastIndex(string(a.Text[:i]), ",")
	end := i + strings.Index(string(a.Text[i:]), " }")
	if strings.ReplaceAll(string(a.Text[:cut])+string(a.Text[end:]), " ", "") != strings.ReplaceAll(text, " ", "") {
		t.Errorf("other bytes changed:\n%s", a.Text)
	}
}

// TestAnnotateIsLinear: a review may hold 2,000 findings in other words than the round before, on the same few lines.
func TestAnnotateIsLinear(t *testing.T) {
	t.Parallel()
	var earlier, now []Finding
	for i := range 2000 {
		f := Finding{Severity: Important, File: "src/a.go", Line: Line(1 + i%5), Issue: Text(fmt.Sprintf("issue number %d about thing %d", i, i*7)), Fix: "x"}
		earlier = append(earlier, f)
		f.Issue = Text(fmt.Sprintf("matter %d of part %d", i, i*7))
		now = append(now, f)
	}
	began := time.Now()
	earlier = Annotate(earlier, nil, Look{})
	again := Annotate(now, earlier, Look{})
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("%v", took)
	}
	seen := map[Fingerprint]bool{}
	for _, f := range again {
		seen[f.Fingerprint] = true
	}
	if len(seen) != len(now) {
		t.Errorf("%d identities for %d findings", len(seen), len(now))
	}
}

func TestPlaceholdersAreReadOnce(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"na": true, "n a not applicable": true, "same as above none": true, "none of the callers checks the error": false,
		strings.Repeat("same as above ", 250) + "zzz": false, strings.Repeat("same as above ", 250) + "none": true} {
		if got := isPlaceholder(text); got != want {
			t.Errorf("%.40q: %t", text, got)
		}
	}
}
