package run

import _ "embed"

// pricesJSON is the price table; a new one is a change of data alone.
//
//go:embed prices.json
var pricesJSON []byte
