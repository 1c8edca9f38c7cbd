package schema

import "strings"

// The line grammar: blanks are space, tab, CR, VT and FF; keys and values are byte strings.

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f' }

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// indent counts the blanks that lead line; a tab counts one.
func indent(line string) int {
	n := 0
	for n < len(line) && isBlank(line[n]) {
		n++
	}
	return n
}

func trimLeft(s string) string { return s[indent(s):] }

func trimRight(s string) string {
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

// keyOf splits text (no leading blanks) at its key: one or more of A-Za-z0-9_-, blanks, a colon.
func keyOf(text string) (key, rest string, ok bool) {
	n := 0
	for n < len(text) && isWordByte(text[n]) {
		n++
	}
	tail := trimLeft(text[n:])
	if n == 0 || tail == "" || tail[0] != ':' {
		return "", "", false
	}
	return text[:n], tail[1:], true
}

// valueText is what stands after a key's colon: leading blanks and one trailing CR dropped.
func valueText(rest string) string { return trimLeft(strings.TrimSuffix(rest, "\r")) }

// word cuts a value at its first blank or #.
func word(value string) string {
	for i := range len(value) {
		if isBlank(value[i]) || value[i] == '#' {
			return value[:i]
		}
	}
	return value
}

// title reads a title: the text between quotes when it starts with one that closes, else all up to a comment.
func title(value string) string {
	if value == "" || value[0] == '#' {
		return ""
	}
	if q := value[0]; q == '\'' || q == '"' {
		if end := strings.IndexByte(value[1:], q); end >= 0 {
			return value[1 : 1+end]
		}
	}
	for i := 1; i < len(value); i++ {
		if value[i] == '#' && isBlank(value[i-1]) {
			value = value[:i]
			break
		}
	}
	return trimRight(value)
}

// lower folds ASCII letters only; other bytes stay.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// splitLines splits text at LF; the last line needs none.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// ignorable reports a blank line or a comment.
func ignorable(line string) bool {
	text := trimLeft(line)
	return text == "" || text[0] == '#'
}
