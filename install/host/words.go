package host

import "strings"

// words splits one plain command as a shell would; variables stay as they stand. It gives up (ok is false) on anything
// that is more: operators, redirections, substitutions, assignments, several lines.
func words(line string) (list []string, ok bool) {
	line = strings.TrimSpace(line)
	line = strings.TrimSpace(strings.TrimPrefix(line, "& ")) // PowerShell's call of a quoted path
	l := lexer{rest: line, windows: isDrive(strings.TrimLeft(line, `"'`))}
	for l.rest != "" && !l.odd {
		list = append(list, l.word())
		l.rest = strings.TrimLeft(l.rest, " \t")
	}
	if l.odd || len(list) == 0 || isAssignment(list[0]) {
		return nil, false
	}
	return list, true
}

// isDrive reports whether s starts like C:\.
func isDrive(s string) bool {
	return len(s) > 2 && s[1] == ':' && s[2] == '\\'
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && !strings.ContainsAny(name, `/\.~$`)
}

type lexer struct {
	rest    string
	windows bool // backslashes part folders
	odd     bool // met something that is not a plain word
}

// word takes the next word off the line.
func (l *lexer) word() string {
	var b strings.Builder
	for l.rest != "" && !l.odd {
		c := l.rest[0]
		if c == ' ' || c == '\t' {
			break
		}
		l.rest = l.rest[1:]
		switch {
		case c == '\'':
			b.WriteString(l.until('\''))
		case c == '"':
			l.double(&b)
		case c == '\\' && !l.windows:
			l.escaped(&b)
		case strings.IndexByte(";&|<>()`\r\n#*?[]{}!", c) >= 0 && !l.braced(&b, c):
			l.odd = true
		default:
			b.WriteByte(c)
			l.odd = l.odd || c == '$' && strings.HasPrefix(l.rest, "(")
		}
	}
	return b.String()
}

// braced copies the braces of ${NAME}.
func (l *lexer) braced(b *strings.Builder, c byte) bool {
	text := b.String()
	if c == '{' && strings.HasSuffix(text, "$") || c == '}' && strings.Contains(text, "${") {
		b.WriteByte(c)
		return true
	}
	return false
}

func (l *lexer) until(quote byte) string {
	text, rest, ok := strings.Cut(l.rest, string(quote))
	if !ok {
		l.odd = true
	}
	l.rest = rest
	return text
}

func (l *lexer) escaped(b *strings.Builder) {
	if l.rest == "" {
		l.odd = true
		return
	}
	b.WriteByte(l.rest[0])
	l.rest = l.rest[1:]
}

// double reads the rest of a double-quoted string.
func (l *lexer) double(b *strings.Builder) {
	for l.rest != "" {
		c := l.rest[0]
		l.rest = l.rest[1:]
		switch {
		case c == '"':
			return
		case c == '`', c == '$' && strings.HasPrefix(l.rest, "("):
			l.odd = true
			return
		case c == '\\' && l.rest != "" && strings.IndexByte("$`\"\\", l.rest[0]) >= 0 && !l.windows:
			l.escaped(b)
		default:
			b.WriteByte(c)
		}
	}
	l.odd = true
}
