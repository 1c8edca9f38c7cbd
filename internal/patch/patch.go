// Package patch reads the added lines of unified diffs as git prints them, combined diffs included.
package patch

import (
	"bytes"
	"strconv"
	"strings"
)

// Line is an added line: the file as the patch names it (without b/), its number there from 1, its text without the mark
// and without the line's end.
type Line struct {
	Path   string
	Number int
	Text   []byte
}

// Added calls visit for every added line, in order; of a combined diff these are the lines that every parent lacks. It
// returns the files that the patch shows as binary.
func Added(text []byte, visit func(Line)) (binary []string) {
	r := reader{visit: visit}
	for line := range bytes.Lines(text) {
		r.read(bytes.TrimRight(line, "\r\n"))
	}
	return r.binary
}

// reader walks a patch line by line. Hunk headers say how many lines follow, so an added line that looks like a header is
// not taken for one.
type reader struct {
	path             string
	next             int // number of the next line of the new file
	oldLeft, newLeft int // lines the hunk still has
	parents          int // 1 in a plain diff
	visit            func(Line)
	binary           []string
}

func (r *reader) read(line []byte) {
	if r.newLeft > 0 || r.oldLeft > 0 {
		r.inHunk(line)
		return
	}
	switch {
	case bytes.HasPrefix(line, []byte("@@")):
		r.hunk(line)
	case bytes.HasPrefix(line, []byte("+++ ")):
		r.path = headerPath(string(line[4:]))
	case bytes.HasPrefix(line, []byte("Binary files ")):
		r.binary = append(r.binary, binaryPath(string(line)))
	}
}

func (r *reader) hunk(line []byte) {
	at := 0
	for at < len(line) && line[at] == '@' {
		at++
	}
	fields := strings.Fields(string(line[at:]))
	r.parents = at - 1
	if len(fields) < r.parents+1 {
		return
	}
	r.oldLeft = 0
	if r.parents == 1 {
		_, r.oldLeft = span(fields[0])
	}
	r.next, r.newLeft = span(fields[r.parents])
}

// span reads "-12,3" or "+7": a start and a count of lines.
func span(text string) (start, count int) {
	from, n, has := strings.Cut(text[1:], ",")
	start, _ = strconv.Atoi(from)
	count = 1
	if has {
		count, _ = strconv.Atoi(n)
	}
	return start, count
}

func (r *reader) inHunk(line []byte) {
	switch {
	case len(line) == 0: // an empty context line whose blank was stripped
		r.oldLeft, r.newLeft, r.next = r.oldLeft-1, r.newLeft-1, r.next+1
		return
	case line[0] == '\\' || len(line) < r.parents:
		return
	}
	marks := line[:r.parents]
	if bytes.IndexByte(marks, '-') >= 0 {
		r.oldLeft--
		return
	}
	if bytes.IndexByte(marks, ' ') >= 0 {
		r.oldLeft--
	} else {
		r.visit(Line{Path: r.path, Number: r.next, Text: line[r.parents:]})
	}
	r.next, r.newLeft = r.next+1, r.newLeft-1
}

// headerPath reads the path of a "+++ " line. git's octal escapes are those of Go.
func headerPath(text string) string {
	text = strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(text, `"`) {
		if plain, err := strconv.Unquote(text); err == nil {
			text = plain
		}
	}
	return strings.TrimPrefix(text, "b/")
}

func binaryPath(line string) string {
	text := strings.TrimSuffix(strings.TrimPrefix(line, "Binary files "), " differ")
	i := strings.LastIndex(text, " and ")
	if i < 0 {
		return text
	}
	before, after := text[:i], text[i+len(" and "):]
	if after == "/dev/null" {
		after = before
	}
	return strings.TrimPrefix(headerPath(after), "a/")
}
