package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPrices: the longest name decides, a row of the user's own wins, and whatever is shown says that it is an estimate.
func TestPrices(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	table, err := ReadPrices(dir)
	if err != nil {
		t.Fatal(err)
	}
	million := Usage{In: 1e6, Out: 1e6, Cached: 1e6}
	for model, want := range map[string]float64{
		"claude-opus-5-5": 24.2, "claude-opus-5": 30.5, "claude-opus-4-8": 30.5, "claude-opus-4-20250514": 91.5, "claude-sonnet-4-5": 18.3,
		"claude-sonnet-5-5": 12.1, "claude-haiku-4-5-20251001": 6.1, "claude-fable-5-1": 60.25, "us.anthropic.claude-sonnet-5-v1:0": 12.2,
	} {
		if got, known := table.of(model, million); !known || got != want {
			t.Errorf("%s: %v %v, want %v", model, got, known, want)
		}
	}
	if _, known := table.of("gpt-x", million); known {
		t.Error("a foreign model has a price")
	}
	s := RunState{Cost: map[string]Usage{"claude-opus-5": million, "mine-1": million}}
	var shown strings.Builder
	if err := s.RenderCost(&shown, table); err != nil || !strings.Contains(shown.String(), "ESTIMATE") || !strings.Contains(shown.String(), "unknown") {
		t.Errorf("%v\n%s", err, shown.String())
	}
	if _, known := s.price(table); known {
		t.Error("a sum without a price counts as known")
	}

	own := filepath.Join(dir, PricesFile)
	if err := os.WriteFile(own, []byte(`{"date":"2030-01-01","models":[{"name":"opus-5","in":1,"out":1,"cached":1},{"name":"mine","in":2,"out":0,"cached":0}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if table, err = ReadPrices(dir); err != nil {
		t.Fatal(err)
	}
	if usd, known := s.price(table); !known || usd != 5 {
		t.Errorf("with own prices: %v %v", usd, known)
	}
	if r := s.CostReport(table); !r.Estimate || r.PricesOf != "2030-01-01" {
		t.Errorf("%+v", r)
	}
	if err := os.WriteFile(own, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPrices(dir); err == nil || !strings.Contains(err.Error(), own) {
		t.Errorf("a broken table: %v", err)
	}
}
