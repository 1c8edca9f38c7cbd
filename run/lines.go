package run

import "strings"

// The grammar works on lines cut at LF, with ASCII blanks only; a CR stays on its line and counts as a blank.

func isBlank(b byte) bool {
	switch b {
	case ' ', '\t', '\r', '\n', '\v', '\f':
		return true
	}
	return false
}

func trimLeft(s string) string {
	for len(s) > 0 && isBlank(s[0]) {
		s = s[1:]
	}
	return s
}

func trimRight(s string) string {
	for len(s) > 0 && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func trim(s string) string { return trimLeft(trimRight(s)) }

func hasBlank(s string) bool {
	for i := range len(s) {
		if isBlank(s[i]) {
			return true
		}
	}
	return false
}

// upToBlank returns s up to its first blank.
func upToBlank(s string) string {
	for i := range len(s) {
		if isBlank(s[i]) {
			return s[:i]
		}
	}
	return s
}

// words cuts s at blanks.
func words(s string) []string { return cutAt(s, isBlank) }

// listed cuts s at blanks and commas.
func listed(s string) []string {
	return cutAt(s, func(b byte) bool { return b == ',' || isBlank(b) })
}

func cutAt(s string, sep func(byte) bool) []string {
	var out []string
	start := -1
	for i := 0; i <= len(s); i++ {
		at := i == len(s) || sep(s[i])
		switch {
		case at && start >= 0:
			out = append(out, s[start:i])
			start = -1
		case !at && start < 0:
			start = i
		}
	}
	return out
}

func isTokenByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
}

// isToken reports whether s is a non-empty run of letters, digits, _ and - (ASCII).
func isToken(s string) bool {
	for i := range len(s) {
		if !isTokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// leadingDigits returns how many ASCII digits s starts with.
func leadingDigits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// splitLines cuts text at LF; a final LF ends the last line and starts none. A byte order mark is dropped.
func splitLines(text string) []string {
	text = strings.TrimPrefix(text, "\ufeff")
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// joinLines ends every line with LF.
func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// heading returns the trimmed text of a heading of exactly level "#"s followed by a blank.
func heading(line string, level int) (string, bool) {
	if len(line) <= level || line[0] != '#' || !isBlank(line[level]) {
		return "", false
	}
	for i := range level {
		if line[i] != '#' {
			return "", false
		}
	}
	return trim(line[level:]), true
}

// isSection reports whether line is the heading name of level "#"s; blanks before and after name are free.
func isSection(line string, level int, name string) bool {
	if len(line) < level+len(name) || line[0] != '#' {
		return false
	}
	rest, ok := strings.CutPrefix(line, strings.Repeat("#", level))
	return ok && trim(rest) == name
}

// isTasksHeading reports whether line opens the task half: "##", blanks, and text that starts with "Tasks".
func isTasksHeading(line string) bool {
	rest, ok := strings.CutPrefix(line, "##")
	return ok && strings.HasPrefix(trimLeft(rest), "Tasks")
}

type marker int

const (
	noMarker marker = iota
	taskOpen
	taskClose
)

// taskMarker recognises a line that is only <!-- TASK --> or <!-- /TASK -->.
func taskMarker(line string) marker {
	if !strings.Contains(line, "TASK") {
		return noMarker
	}
	inner, ok := strings.CutPrefix(trim(line), "<!--")
	if !ok {
		return noMarker
	}
	inner, ok = strings.CutSuffix(inner, "-->")
	if !ok {
		return noMarker
	}
	switch trim(inner) {
	case "TASK":
		return taskOpen
	case "/TASK":
		return taskClose
	}
	return noMarker
}

// fence follows code fences: three or more backticks or tildes open one, a line of only that character closes it.
type fence struct{ char byte }

// step takes the next line and reports whether it belongs to a fence, its opening and closing lines included.
func (f *fence) step(line string) bool {
	t := trim(line)
	if f.char == 0 {
		if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
			f.char = t[0]
			return true
		}
		return false
	}
	if len(t) >= 3 && strings.Count(t, string(f.char)) == len(t) {
		f.char = 0
	}
	return true
}
