package secrets

import (
	_ "embed" // the rules are data
	"strconv"
	"strings"
)

// rule describes one kind of credential. Its pattern is matched where one of its keys stands, so a key is always the
// beginning of what the pattern describes.
type rule struct {
	id      string
	what    string
	keys    []string // lower case
	pattern string   // anchored by the scanner; group 1, when present, is the value
	entropy float64  // smallest Shannon entropy of the value, bits a character
	inside  bool     // may begin in the middle of a word
	human   bool     // a person may have made the value up: words of manuals and values that stand for another are none
	pair    bool     // the value is base64 of user:password
}

//go:embed rules.txt
var rulesText string

// tokenRules are the credentials that a pattern can tell; rules.txt says what its columns are.
func tokenRules() []rule {
	text := strings.NewReplacer(
		"{assigned}", `[^"'=:\n]{0,40}["']?\s{0,8}(?::=|=>|[=:])\s{0,8}["']?`,
		"{uuid}", `[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`,
	).Replace(rulesText)
	all := make([]rule, 0, 160)
	for line := range strings.Lines(text) {
		columns := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		if len(columns) != 6 || columns[0][0] == '#' {
			continue
		}
		entropy, _ := strconv.ParseFloat(columns[3], 64)
		all = append(all, rule{
			id: columns[0], what: columns[1], keys: strings.Split(columns[2], ","), entropy: entropy, pattern: columns[5],
			inside: strings.Contains(columns[4], "i"), human: strings.Contains(columns[4], "h"), pair: strings.Contains(columns[4], "p"),
		})
	}
	return all
}
