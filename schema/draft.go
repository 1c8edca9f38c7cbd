package schema

import (
	"errors"
	"fmt"
	"strings"
)

// draft is a file on its way to another schema. Steps change its lines; complete adds what the template has and it lacks.
type draft struct {
	lines []string // without LF; a CR stays
	crlf  bool     // inserted lines end in CR LF
	noEnd bool     // the last line has no line end
	mark  string   // the byte order mark, or nothing
	to    int      // target schema, never below the file's own
	asked int      // the target that was asked for: what the template has beyond it is not added
	from  int      // schema the file says it is at
	moved []movedSwitch

	answers   map[string]string
	used      []string // ids of the questions that were put
	wrong     []string // answers that no option takes
	questions []Question
	steps     []Step
	raised    bool // the schema line was added or raised
	completed []string
	converted string // what became of baseline-tests: "true -> full"
}

// movedSwitch is a flat switch taken out of column 0.
type movedSwitch struct {
	name  string // group.key
	value string
}

// errOdd says why a file is no text a migration may touch.
func errOdd(text string) error {
	switch {
	case strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff"):
		return fmt.Errorf("%s: the file is UTF-16; save it as UTF-8 and run the command again", shown)
	case strings.IndexByte(text, 0) >= 0:
		line := 1 + strings.Count(text[:strings.IndexByte(text, 0)], "\n")
		return fmt.Errorf("%s:%d: the file holds a NUL byte, so it is no text; remove it and run the command again", shown, line)
	case len(text) > maxSize:
		return errors.New(shown + ": larger than 1 MiB, so only its beginning is read; make it smaller and run the command again")
	}
	return nil
}

func newDraft(text string, o MigrationOptions) *draft {
	d := &draft{to: o.To, asked: o.To, answers: o.Answers}
	if rest, ok := strings.CutPrefix(text, bom); ok {
		d.mark, text = bom, rest
	}
	d.lines = splitLines(text)
	for _, line := range d.lines {
		d.crlf = d.crlf || strings.HasSuffix(line, "\r")
	}
	d.noEnd = text != "" && !strings.HasSuffix(text, "\n")
	d.from = d.number()
	d.to = max(d.to, min(d.from, Newest)) // a migration never goes down
	return d
}

// text returns the draft as a file that ends with a line end.
func (d *draft) text() string {
	if d.noEnd && d.crlf {
		return d.open() + "\r\n"
	}
	if len(d.lines) == 0 {
		return d.mark
	}
	return d.open() + "\n"
}

// open returns the draft without the end of its last line.
func (d *draft) open() string { return d.mark + strings.Join(d.lines, "\n") }

// document reads the draft as the reader would.
func (d *draft) document() document { return parse(strings.Join(d.lines, "\n")) }

// insert puts new lines before index at, in the file's own line ending.
func (d *draft) insert(at int, lines ...string) {
	fresh := make([]string, len(lines))
	for i, line := range lines {
		fresh[i] = line
		if d.crlf {
			fresh[i] += "\r"
		}
	}
	if at == len(d.lines) && d.noEnd {
		d.endLast()
	}
	d.lines = append(d.lines[:at:at], append(fresh, d.lines[at:]...)...)
}

// endLast gives a last line without a line end the file's own.
func (d *draft) endLast() {
	if d.crlf {
		d.lines[len(d.lines)-1] += "\r"
	}
	d.noEnd = false
}

// remove takes line i out.
func (d *draft) remove(i int) {
	if i == len(d.lines)-1 {
		d.noEnd = false
	}
	d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
}

// replace gives line i another text and keeps its CR.
func (d *draft) replace(i int, text string) {
	if strings.HasSuffix(d.lines[i], "\r") {
		text += "\r"
	}
	d.lines[i] = text
}

// setValue replaces the value of the line a was read from; a comment behind the old one stays.
func (d *draft) setValue(a assignment, value string) {
	i := a.line - 1
	line := strings.TrimSuffix(d.lines[i], "\r")
	text := strings.TrimSuffix(a.value, "\r")
	head := line[:len(line)-len(text)]
	if text == "" && !isBlank(head[len(head)-1]) {
		head += " "
	}
	d.replace(i, head+value+valueComment(text))
}

// valueComment is what follows a value on its line: blanks and a comment.
func valueComment(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && (i == 0 || isBlank(text[i-1])) {
			return text[len(trimRight(text[:i])):]
		}
	}
	return ""
}

// column0 calls visit for each key line at column 0.
func (d *draft) column0(visit func(i int, key, value string)) {
	for i, line := range d.lines {
		if line == "" || isBlank(line[0]) || line[0] == '#' {
			continue
		}
		if key, rest, ok := keyOf(line); ok {
			visit(i, key, trimRight(valueText(rest)))
		}
	}
}

// headers returns the indices of group's lines at column 0, and the first of them that may be extended: nothing but a
// comment stands behind its colon. Without one open is -1.
func (d *draft) headers(group string) (all []int, open int) {
	open = -1
	d.column0(func(i int, key, value string) {
		if key != group {
			return
		}
		all = append(all, i)
		if open < 0 && (value == "" || value[0] == '#') {
			open = i
		}
	})
	return all, open
}

// blockEnd returns the index after the last content line of the block whose header is line i: blank lines and comments
// at its end do not belong to it.
func (d *draft) blockEnd(i int) int {
	end := i + 1
	for j := i + 1; j < len(d.lines); j++ {
		if ignorable(d.lines[j]) {
			continue
		}
		if indent(d.lines[j]) == 0 {
			break
		}
		end = j + 1
	}
	return end
}

func (d *draft) step(number int, key, text, team string) {
	d.steps = append(d.steps, Step{Schema: number, Key: key, Text: text, Team: team})
}

// ask returns the answer to q: the one given, or the default. A question without a right answer is remembered.
func (d *draft) ask(q Question) string {
	d.used = append(d.used, q.ID)
	given, ok := d.answers[q.ID]
	switch {
	case ok && (q.takes(given) || q.Free && given != ""):
		return given
	case ok:
		d.wrong = append(d.wrong, q.ID+"="+given)
	}
	d.questions = append(d.questions, q)
	return q.Default
}
