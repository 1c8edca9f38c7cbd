package run

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
)

// pricesJSON is the price table; a new one is a change of data alone.
//
//go:embed prices.json
var pricesJSON []byte

// PricesFile is the user's own price table, in the client's configuration folder; its rows win over those of viber.
const PricesFile = "viber-prices.json"

// Prices are what models cost, in dollars for a million tokens. What is reckoned with them is an estimate: prices change,
// and long prompts, batches and plans have prices of their own.
type Prices struct {
	Date   string  `json:"date"` // day the prices were looked up
	Models []Price `json:"models"`
}

// Price is what the models whose name holds Name cost.
type Price struct {
	Name   string  `json:"name"`
	In     float64 `json:"in"`
	Out    float64 `json:"out"`
	Cached float64 `json:"cached"`
}

// ReadPrices returns viber's table with the rows of the user's own in configDir, if there is one, in front.
func ReadPrices(configDir string) (Prices, error) {
	var table Prices
	if err := json.Unmarshal(pricesJSON, &table); err != nil || configDir == "" {
		return table, err
	}
	path := filepath.Join(configDir, PricesFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return table, nil
	}
	var own Prices
	if err == nil {
		err = json.Unmarshal(text, &own)
	}
	if err != nil {
		return table, fmt.Errorf(`%s: %w; it holds {"date": "2026-10-24", "models": [{"name": "opus-5", "in": 5, "out": 25, "cached": 0.5}]}`, path, err)
	}
	if own.Date != "" {
		table.Date = own.Date
	}
	table.Models = append(own.Models, table.Models...)
	return table, nil
}

// of finds the price by the longest name that the model's holds, the first of equal ones; in counts tokens that were not
// read from the cache.
func (t Prices) of(model string, u Usage) (float64, bool) {
	best := -1
	for i, m := range t.Models {
		if m.Name != "" && strings.Contains(model, m.Name) && (best < 0 || len(m.Name) > len(t.Models[best].Name)) {
			best = i
		}
	}
	if best < 0 {
		return 0, false
	}
	m := t.Models[best]
	return (float64(u.In)*m.In + float64(u.Out)*m.Out + float64(u.Cached)*m.Cached) / 1e6, true
}

// CostReport is tokens and estimated price by model.
type CostReport struct {
	Models   map[string]Usage   `json:"models"`
	USD      map[string]float64 `json:"usd"`
	Total    float64            `json:"total"`
	Estimate bool               `json:"estimate"` // always: see Prices
	PricesOf string             `json:"pricesOf"`
}

// CostReport prices the tokens of the run; a model without a known price is left out of usd.
func (s RunState) CostReport(t Prices) CostReport {
	r := CostReport{Models: s.Cost, USD: map[string]float64{}, Estimate: true, PricesOf: t.Date}
	for model, u := range s.Cost {
		if usd, known := t.of(model, u); known {
			r.USD[model] = usd
			r.Total += usd
		}
	}
	return r
}

// RenderCost writes tokens and estimated price by model, and the day the prices were looked up.
func (s RunState) RenderCost(out io.Writer, t Prices) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "MODEL\tIN\tOUT\tCACHED\tUSD, ESTIMATE\t")
	report := s.CostReport(t)
	for _, model := range sortedModels(s.Cost) {
		u, text := s.Cost[model], "unknown"
		if usd, known := report.USD[model]; known {
			text = fmt.Sprintf("%.2f", usd)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\t\n", model, u.In, u.Out, u.Cached, text)
	}
	fmt.Fprintf(w, "total\t\t\t\t%.2f\t\n", report.Total)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "list prices of %s; your own go into %s of the client's configuration folder\n", t.Date, PricesFile)
	return err
}

// price is the whole cost so far; known is false when a model has no price.
func (s RunState) price(t Prices) (usd float64, known bool) {
	for model, u := range s.Cost {
		one, ok := t.of(model, u)
		if !ok {
			return 0, false
		}
		usd += one
	}
	return usd, true
}
