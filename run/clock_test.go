package run

import (
	"encoding/json"
	"os"
	"testing"
)

// TestClockVectors plays testdata/vectors/run-clock.json; the two marks past 64 bits expect "unknown".
func TestClockVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/vectors/run-clock.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Name   string
			Now    *int64
			Args   []string
			Stdout string
		}
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Cases) == 0 {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		var now int64
		if c.Now != nil {
			now = *c.Now
		}
		if got := Clock(now, c.Now != nil, c.Args); got != c.Stdout {
			t.Errorf("%s: got %q, want %q", c.Name, got, c.Stdout)
		}
	}
}
