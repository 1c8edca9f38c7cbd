package forge

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxText bounds one text of a host, in bytes: GitHub's own limit of a body is 65,536 characters.
const maxText = 256 << 10

// Clean makes a host's text safe to print: line ends become LF, terminal escapes, other control characters and marks that
// reorder text are dropped, and what is over the bound is cut with a line that says so.
func Clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD") // a dropped byte must not join its neighbours to a character
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "")
	cut := ""
	if len(text) > maxText {
		keep := maxText
		for keep > 0 && !utf8.RuneStart(text[keep]) {
			keep--
		}
		cut = fmt.Sprintf("\n[cut here: %d more bytes]", len(text)-keep)
		text = text[:keep]
	}
	return strip(text) + cut
}

// Line is Clean for a value of one line: line ends and tabs become blanks.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, Clean(text))
}

// Flatten makes one line of what a tool said: every CR and LF is one blank, and the ends are trimmed.
func Flatten(said ...[]byte) string {
	var b strings.Builder
	for _, s := range said {
		b.Write(s)
		b.WriteByte(' ')
	}
	text := strings.NewReplacer("\r", " ", "\n", " ").Replace(b.String())
	return strings.TrimSpace(Line(text))
}

func strip(text string) string {
	if !strings.ContainsFunc(text, unsafe) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for len(text) > 0 {
		if n := escapeLen(text); n > 0 {
			text = text[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if !unsafe(r) {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

func unsafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069:
		return true // right-to-left overrides show another text than the one that is there
	}
	return false
}

// escapeLen is the length of the terminal escape sequence text starts with, 0 when it starts with none.
func escapeLen(text string) int {
	if len(text) < 2 || text[0] != 0x1b {
		return 0
	}
	switch text[1] {
	case '[':
		return sequenceLen(text, func(c byte) bool { return c >= 0x40 && c <= 0x7e })
	case ']', 'P', '^', '_', 'X':
		return stringLen(text)
	}
	if text[1] >= utf8.RuneSelf {
		return 1
	}
	return 2
}

func sequenceLen(text string, last func(byte) bool) int {
	for i := 2; i < len(text); i++ {
		if last(text[i]) {
			return i + 1
		}
		if text[i] < 0x20 || text[i] > 0x7e {
			return i
		}
	}
	return len(text)
}

// stringLen measures a sequence that runs up to BEL or ESC \; one that never ends is only its introducer, so that a single
// byte cannot hide the rest of a text.
func stringLen(text string) int {
	for i := 2; i < len(text); i++ {
		switch {
		case text[i] == 0x07:
			return i + 1
		case text[i] == 0x1b && i+1 < len(text) && text[i+1] == '\\':
			return i + 2
		case text[i] == '\n':
			return 2
		}
	}
	return 2
}
