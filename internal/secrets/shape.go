package secrets

import "bytes"

// mixed says that a value has both letters and digits.
func mixed(value []byte) bool {
	var letter, digit bool
	for _, c := range value {
		switch {
		case '0' <= c && c <= '9':
			digit = true
		case 'a' <= lower(c) && lower(c) <= 'z':
			letter = true
		}
	}
	return letter && digit
}

// classes counts the kinds of characters in value: lower, upper, digit, other.
func classes(value []byte) int {
	var seen [4]bool
	for _, c := range value {
		switch {
		case 'a' <= c && c <= 'z':
			seen[0] = true
		case 'A' <= c && c <= 'Z':
			seen[1] = true
		case '0' <= c && c <= '9':
			seen[2] = true
		default:
			seen[3] = true
		}
	}
	n := 0
	for _, s := range seen {
		if s {
			n++
		}
	}
	return n
}

func isHex(value []byte) bool {
	for _, c := range value {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
		default:
			return false
		}
	}
	return true
}

func isUUID(value []byte) bool {
	if len(value) != 36 {
		return false
	}
	for i, c := range value {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !isHex([]byte{c}) {
			return false
		}
	}
	return true
}

// isPath says that a value names a file, a package or an address.
func isPath(value []byte) bool {
	if bytes.Contains(value, []byte("://")) || bytes.HasPrefix(value, []byte("/")) && bytes.Count(value, []byte("/")) > 1 ||
		bytes.HasPrefix(value, []byte("./")) || bytes.HasPrefix(value, []byte("~/")) || bytes.HasPrefix(value, []byte("arn:")) {
		return true
	}
	// base64 has a slash now and then, a path has words between its slashes
	parts := bytes.Split(value, []byte("/"))
	if len(parts) < 3 {
		return false
	}
	random := 0
	for _, p := range parts {
		if entropy(p) > 4 || mixed(p) && len(p) > 12 {
			return false
		}
		if mixed(p) && classes(p) > 2 && len(p) > 4 {
			random++
		}
	}
	return random < 2
}

// strong says that a value can only be made by chance: digits in at least three places between letters of both cases, or
// long enough hexadecimal ones.
func strong(value []byte) bool {
	groups := 0
	for i, c := range value {
		if '0' <= c && c <= '9' && (i == 0 || value[i-1] < '0' || value[i-1] > '9') {
			groups++
		}
	}
	return groups > 2 && len(value) >= 24 && (classes(value) > 2 && entropy(value) >= 3.8 || isHex(value) && len(value) >= 32 && entropy(value) >= 3)
}

// looksLikeCode says that a value is an identifier or expression rather than a random text: words joined by dots,
// dashes or humps, without digits among them.
func looksLikeCode(value []byte, quoted bool) bool {
	if !quoted && bytes.IndexByte(value, '.') > 0 && dotted(value) {
		return true
	}
	words := bytes.FieldsFunc(value, func(r rune) bool { return r == '.' || r == '-' || r == '_' || r == '/' || r == ':' })
	plain := 0
	for _, w := range words {
		if wordLike(w) {
			plain += len(w)
		}
	}
	return len(words) > 1 && plain*10 >= len(value)*7
}

func dotted(value []byte) bool {
	for _, p := range bytes.Split(value, []byte(".")) {
		if len(p) == 0 || '0' <= p[0] && p[0] <= '9' || len(p) > 24 {
			return false
		}
	}
	return true
}

// wordLike says that w is letters only, with vowels where words have them.
func wordLike(w []byte) bool {
	vowels := 0
	for _, c := range w {
		l := lower(c)
		if l < 'a' || l > 'z' {
			return false
		}
		if bytes.IndexByte([]byte("aeiouy"), l) >= 0 {
			vowels++
		}
	}
	return vowels > 0 && vowels*6 >= len(w)
}
