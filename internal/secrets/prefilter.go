package secrets

import "sync"

// keyword is a lower-case text whose presence makes a rule worth trying.
type keyword struct {
	text string
	rule int
}

// engine holds the rules and the table that finds their keywords in one pass: a bit for every pair of first bytes, and
// the keywords behind each pair.
type engine struct {
	rules  []matcher
	pairs  [1 << 10]uint64
	behind map[uint16][]keyword
}

var scanner = sync.OnceValue(newEngine)

func newEngine() *engine {
	e := &engine{behind: map[uint16][]keyword{}}
	for _, r := range tokenRules() {
		e.add(byPattern(r))
	}
	for _, m := range handMatchers() {
		e.add(m)
	}
	return e
}

func (e *engine) add(m matcher) {
	e.rules = append(e.rules, m)
	for _, k := range m.keys {
		p := pair(k[0], k[1])
		e.pairs[p>>6] |= 1 << (p & 63)
		e.behind[p] = append(e.behind[p], keyword{text: k, rule: len(e.rules) - 1})
	}
}

// each calls try for every keyword in line, from left to right.
func (e *engine) each(line []byte, try func(at int, k keyword)) {
	if len(line) < 2 {
		return
	}
	prev := lower(line[0])
	for i := 1; i < len(line); i++ {
		c := lower(line[i])
		p := pair(prev, c)
		prev = c
		if e.pairs[p>>6]&(1<<(p&63)) == 0 {
			continue
		}
		for _, k := range e.behind[p] {
			if hasPrefixFold(line[i-1:], k.text) {
				try(i-1, k)
			}
		}
	}
}

func pair(a, b byte) uint16 { return uint16(a)<<8 | uint16(b) }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func hasPrefixFold(text []byte, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := 2; i < len(prefix); i++ {
		if lower(text[i]) != prefix[i] {
			return false
		}
	}
	return true
}
