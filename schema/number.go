package schema

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// NumberIn returns the schema number of a viber.yml with this text: that of its first line starting with exactly "schema:",
// 0 when there is none or it holds no number.
func NumberIn(text string) int { return numberOf(splitLines(text)) }

func numberOf(lines []string) int {
	for i, line := range lines {
		if i == 0 {
			line = strings.TrimPrefix(line, bom)
		}
		if rest, ok := strings.CutPrefix(line, "schema:"); ok {
			return digits(rest)
		}
	}
	return 0
}

// bom is the UTF-8 byte order mark.
const bom = "\xef\xbb\xbf"

// digits reads a value made of digits and blanks before a comment; 0 for anything else.
func digits(value string) int {
	value, _, _ = strings.Cut(value, "#")
	value = strings.Map(func(r rune) rune {
		if r < 0x80 && isBlank(byte(r)) {
			return -1
		}
		return r
	}, value)
	for i := range len(value) {
		if value[i] < '0' || value[i] > '9' {
			return 0
		}
	}
	n, err := strconv.Atoi(value)
	if err != nil && value != "" {
		return math.MaxInt
	}
	return n
}

// Note is what the session start says about the schema number of the project's viber.yml, or of that in the working
// directory dir where the project has none, against the expected one: empty when they are equal or there is no file
// (docs/viber-yml.md).
func (c *Config) Note(dir string, expected int) string {
	lines := c.shared.lines
	if !c.isShared {
		text, ok := readRegular(Path(dir))
		if !ok {
			return ""
		}
		lines = splitLines(string(text))
	}
	switch n := numberOf(lines); {
	case n < expected:
		return fmt.Sprintf(" - %s is at schema %d, this version expects %d: run /viber:setup", shown, n, expected)
	case n > expected:
		return fmt.Sprintf(" - %s is at schema %s, newer than this version's %d: update the viber plugin", shown, spelled(lines, n), expected)
	}
	return ""
}

// spelled returns the number n of a file's lines as it stands there, since one beyond an int reads as the largest.
func spelled(lines []string, n int) string {
	if n != math.MaxInt {
		return strconv.Itoa(n)
	}
	for i, line := range lines {
		if i == 0 {
			line = strings.TrimPrefix(line, bom)
		}
		if rest, ok := strings.CutPrefix(line, "schema:"); ok {
			rest, _, _ = strings.Cut(rest, "#")
			return strings.TrimLeft(strings.Join(strings.Fields(rest), ""), "0")
		}
	}
	return strconv.Itoa(n)
}

// shown is how texts name the shared file.
const shown = ".claude/viber.yml"
