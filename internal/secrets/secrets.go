// Package secrets finds credentials in text. The rules are data; a rule's pattern is compiled when its keyword is first
// met, so a program that links this package and scans nothing pays nothing.
package secrets

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"sync"
)

// Finding is one credential in one line: the rule that knows it and the bytes [Start, End) that hold the value.
type Finding struct {
	Rule       string
	Start, End int
}

// AllowMark is the text on a line that asks to let its findings through; the caller decides whether to honour it.
const AllowMark = "viber:allow-secret"

// maxLine bounds the part of one line that is looked at (bytes).
const maxLine = 1 << 20

// Find returns the credentials in one line of text, in the order of their place. A value two rules know is reported once,
// by the more specific rule. Placeholders, public examples, hashes and code expressions are no findings.
func Find(line []byte) []Finding {
	if len(line) > maxLine {
		line = line[:maxLine]
	}
	var found []Finding
	scan := scanner()
	scan.each(line, func(at int, hit keyword) {
		if f, ok := scan.rules[hit.rule].at(line, at); ok {
			found = add(found, f)
		}
	})
	return found
}

// Masked returns a value for people: its first and last two characters, never more than a third of it.
func Masked(value []byte) string {
	if len(value) < 12 {
		return "****"
	}
	return string(value[:2]) + "****" + string(value[len(value)-2:])
}

// Hash returns the sha256 of a value in hex, the name an allow entry knows it by.
func Hash(value []byte) string {
	sum := sha256.Sum256(value)
	return hex.EncodeToString(sum[:])
}

// Rule is what people may know of a rule: its stable id and the kind of credential it finds.
type Rule struct {
	ID   string
	What string
}

// Rules lists the rules in the order of their ids.
func Rules() []Rule {
	var all []Rule
	for _, r := range scanner().rules {
		all = append(all, Rule{ID: r.id, What: r.what})
	}
	slices.SortFunc(all, func(a, b Rule) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return all
}

// matcher is a rule ready to be tried at a place of a line.
type matcher struct {
	rule
	match func(line []byte, at int) (start, end int, ok bool)
}

func (m matcher) at(line []byte, at int) (Finding, bool) {
	if !m.inside && at > 0 && isWord(line[at-1]) {
		return Finding{}, false
	}
	start, end, ok := m.match(line, at)
	if !ok {
		return Finding{}, false
	}
	return Finding{Rule: m.id, Start: start, End: end}, true
}

// byPattern makes the matcher of a rule that has a pattern.
func byPattern(r rule) matcher {
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A(?:` + r.pattern + `)`) })
	return matcher{rule: r, match: func(line []byte, at int) (int, int, bool) {
		loc := compiled().FindSubmatchIndex(line[at:window(line, at)])
		if loc == nil {
			return 0, 0, false
		}
		start, end := at+loc[0], at+loc[1]
		if len(loc) > 2 && loc[2] >= 0 {
			start, end = at+loc[2], at+loc[3]
		} else if end < len(line) && isWord(line[end]) && isWord(line[end-1]) {
			return 0, 0, false
		}
		return start, end, r.holds(line[start:end])
	}}
}

// holds says that a value with the rule's shape is a credential.
func (r rule) holds(value []byte) bool {
	switch {
	case entropy(value) < r.entropy, publicExample(value):
		return false
	case r.human:
		return passwordLike(value) && !everydayPassword(value) && !standsForAnother(value)
	case r.pair:
		text, err := base64.StdEncoding.DecodeString(string(value))
		_, password, ok := bytes.Cut(text, []byte(":"))
		password = bytes.TrimSpace(password)
		return err == nil && ok && len(password) > 3 && !everydayPassword(password) && !standsForAnother(password)
	}
	return true
}

// window is where the text that a pattern may look at ends: long enough for every token, short enough for minified files.
func window(line []byte, at int) int { return min(len(line), at+1024) }

func add(found []Finding, f Finding) []Finding {
	for i, old := range found {
		if f.Start < old.End && old.Start < f.End {
			if isGeneric(old.Rule) && !isGeneric(f.Rule) {
				found[i] = f
			}
			return found
		}
	}
	return append(found, f)
}

func isGeneric(id string) bool {
	return id == genericSecret || id == genericPassword || id == "jwt" || id == "npm-auth" || id == loginOption || id == "api-key-header"
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
