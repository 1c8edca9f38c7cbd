package run

import (
	"path"
	"path/filepath"
	"strings"
)

const maxSlug = 60

// Slug names a plan: its first H1, else its file name without .md; "" when both leave nothing (spec plan 4.5).
func Slug(lines []string, file string) string {
	if s := slugOf(firstH1(lines)); s != "" {
		return s
	}
	return slugOf(strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".md"))
}

// firstH1 is the text of the first H1, which decides even when it is blank.
func firstH1(lines []string) string {
	for _, l := range lines {
		if len(l) > 1 && l[0] == '#' && isBlank(l[1]) {
			return trim(l[1:])
		}
	}
	return ""
}

func slugOf(text string) string {
	var b strings.Builder
	dash := false
	for i := range len(text) {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			dash = true
			continue
		}
		if dash && b.Len() > 0 {
			b.WriteByte('-')
		}
		dash = false
		b.WriteByte(c)
	}
	s := b.String()
	if len(s) > maxSlug {
		s = s[:maxSlug]
	}
	return strings.TrimRight(s, "-")
}
