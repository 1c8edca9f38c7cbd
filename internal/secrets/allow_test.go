package secrets

import (
	"strings"
	"testing"
	"time"
)

const goodEntry = "- rule: aws-access-key\n  path: docs/**\n  sha256: 2dde869713445cddd6acc5e07fc4b98555cdf7304cfcc865c40414d6b3eca682\n  who: Ada\n  until: 2030-06-30\n"

func TestParseAllowNamesWhatCountsForNothing(t *testing.T) {
	t.Parallel()
	for text, fault := range map[string]string{
		"": "", goodEntry: "",
		strings.Replace(goodEntry, "rule: aws-access-key", "rule: ''", 1): "rule is missing",
		strings.Replace(goodEntry, "  who: Ada\n", "", 1):                 "who is missing",
		strings.Replace(goodEntry, "2dde", "2d", 1):                       "64 hexadecimal digits",
		strings.Replace(goodEntry, "2030-06-30", "soon", 1):               "until is no date",
		strings.Replace(goodEntry, "docs/**", "'[a'", 1):                  "no glob",
		"rule: x\n": "no list of entries",
		"- [":       "no list of entries",
	} {
		entries, faults := ParseAllow([]byte(text))
		if got := strings.Join(faults, "; "); fault == "" && got != "" || !strings.Contains(got, fault) {
			t.Errorf("%q: faults %q, want %q", text, got, fault)
		}
		if fault != "" && len(entries) != 0 {
			t.Errorf("%q: counts all the same", text)
		}
	}
}

func TestEntryCoversUntilItsLastDay(t *testing.T) {
	t.Parallel()
	entries, _ := ParseAllow([]byte(goodEntry))
	f := InFile{Path: "docs/a/b.md", Rule: "aws-access-key", Hash: "2DDE869713445cddd6acc5e07fc4b98555cdf7304cfcc865c40414d6b3eca682"}
	for day, want := range map[string]bool{"2030-06-29T10:00:00Z": true, "2030-06-30T23:00:00Z": true, "2030-07-01T00:00:01Z": false} {
		now, err := time.Parse(time.RFC3339, day)
		if err != nil {
			t.Fatal(err)
		}
		if got := entries[0].Covers(f, now); got != want {
			t.Errorf("%s: %v", day, got)
		}
	}
	f.Path = "src/a.md"
	if entries[0].Covers(f, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Error("covers another path")
	}
}

func FuzzParseAllow(f *testing.F) {
	f.Add([]byte(goodEntry))
	f.Add([]byte("- rule: [\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		entries, _ := ParseAllow(text)
		for _, e := range entries {
			if e.fault() != "" {
				t.Errorf("%+v counts", e)
			}
		}
	})
}
