package hooksimpl

import (
	"slices"
	"strings"
)

// powerShell reads a text of PowerShell commands.
func (r *shellReader) powerShell(text shellWord) {
	if !r.mayRead(text) {
		r.unknown(text)
		return
	}
	if strings.HasPrefix(strings.TrimSpace(text.text), openPart) {
		r.unknown(text)
	}
	inner := *r
	inner.depth++
	p := psCommands{reader: &inner, frames: []psFrame{{}}}
	psTokens(text.text, func(t psToken) bool {
		p.take(t)
		return len(r.out.commands) < shellCommandLimit
	})
	for range p.frames {
		p.flush()
		p.pop()
	}
	r.exports = inner.exports
}

// psCommands puts the tokens of a PowerShell text together to commands. A bracket opens a frame with commands of its own.
type psCommands struct {
	reader *shellReader
	frames []psFrame
	deep   int // brackets beyond the limit, read as if they were not there
}

type psFrame struct {
	words  []shellWord
	first  string // the first word as written
	quoted bool   // the first word is a string
	called bool   // behind the call operator: a string is a command too
	assign string
	fed    *shellWord // what the pipe in front feeds the command
}

func (p *psCommands) top() *psFrame { return &p.frames[len(p.frames)-1] }

func (p *psCommands) pop() {
	if len(p.frames) > 1 {
		p.frames = p.frames[:len(p.frames)-1]
	}
}

func (p *psCommands) take(t psToken) {
	switch t.kind {
	case psWord:
		p.word(t)
	case psPipe:
		fed := p.output()
		p.flush()
		p.top().fed = &fed
	case psEnd:
		p.flush()
	case psCall:
		p.flush()
		p.top().called = true
	case psOpen:
		if len(p.frames) >= psDepthLimit {
			p.deep++
			return
		}
		p.frames = append(p.frames, psFrame{})
	case psClose:
		if p.deep > 0 {
			p.deep--
			return
		}
		p.closeFrame()
	}
}

func (p *psCommands) word(t psToken) {
	f := p.top()
	w := p.value(t)
	switch {
	case !t.quoted && t.text == "=":
		f.assigns(f.first)
		return
	case len(f.words) == 0 && !t.quoted && isPSAssignment(t.text):
		name, value, _ := strings.Cut(t.text, "=")
		f.assigns(name)
		if value != "" {
			p.word(psToken{text: value})
		}
		return
	case t.glued && len(f.words) > 0 && !f.adds(t):
		f.words[len(f.words)-1].glue(w)
		return
	case len(f.words) == 0:
		f.quoted, f.first = t.quoted, t.text
		if lower := strings.ToLower(t.text); !t.quoted && (lower == "return" || lower == "else" || lower == ".") {
			f.called = f.called || lower == "."
			return
		}
	}
	f.words = append(f.words, w)
}

// glueLimit bounds a word that is put together from pieces; what is longer has an end nobody knows.
const glueLimit = 4 << 10

func (w *shellWord) glue(piece shellWord) {
	w.add(piece)
	if len(w.text) > glueLimit {
		w.open = true
		return
	}
	w.text += piece.text
}

// adds reports whether t is the plus between two strings, or what stands behind it.
func (f *psFrame) adds(t psToken) bool {
	return f.quoted && (!t.quoted && t.text == "+" || f.words[len(f.words)-1].text == "+")
}

// assigns begins an assignment to the variable of that name.
func (f *psFrame) assigns(name string) {
	f.assign = ""
	if len(f.words) <= 1 && strings.HasPrefix(name, "$") {
		f.assign = strings.ToLower(strings.Trim(name, "${}"))
	}
	f.words, f.quoted, f.first = nil, false, ""
}

// isPSAssignment reports whether a word is `$name=value` or begins so.
func isPSAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	if !ok || len(name) < 2 || name[0] != '$' {
		return false
	}
	for i := 1; i < len(name); i++ {
		if !wordByte(name[i]) && name[i] != ':' {
			return false
		}
	}
	return true
}

// value is the text a token stands for.
func (p *psCommands) value(t psToken) shellWord {
	raw := t.raw
	switch {
	case !t.quoted:
		return p.expanded(t.text)
	case strings.HasPrefix(raw, "@"):
		inner := strings.TrimSuffix(strings.TrimSuffix(raw[2:], raw[1:2]+"@"), "\n")
		_, inner, _ = strings.Cut(inner, "\n")
		if raw[1] == '\'' {
			return plainWord(inner)
		}
		return p.expanded(inner)
	case strings.HasPrefix(raw, "'"):
		return plainWord(strings.TrimSuffix(raw[1:], "'"))
	}
	return p.expanded(psUnescape(strings.TrimSuffix(strings.TrimPrefix(raw, `"`), `"`)))
}

// psUnescape reads the backtick escapes of a string; a `$ stays apart from a variable's.
func psUnescape(text string) string {
	if !strings.Contains(text, "`") {
		return text
	}
	var plain []byte
	for i := 0; i < len(text); i++ {
		if text[i] == '`' && i+1 < len(text) {
			i++
			switch text[i] {
			case 'n':
				plain = append(plain, '\n')
			case 't':
				plain = append(plain, '\t')
			case 'r':
				plain = append(plain, '\r')
			default:
				plain = append(plain, text[i])
			}
			continue
		}
		plain = append(plain, text[i])
	}
	return string(plain)
}

// expanded puts openPart in place of variables, and reads the commands of $(...).
func (p *psCommands) expanded(text string) shellWord {
	if !strings.ContainsAny(text, "$"+openPart) && !strings.HasPrefix(text, "@") {
		return plainWord(text)
	}
	if strings.HasPrefix(text, "@") && !strings.ContainsAny(text, "{}/~") && len(text) > 1 { // splatting
		return shellWord{text: openPart, open: true}
	}
	w := shellWord{open: strings.Contains(text, openPart)}
	var plain strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '$' || i+1 == len(text) {
			plain.WriteByte(text[i])
			continue
		}
		name := text[i+1:]
		switch {
		case strings.HasPrefix(name, "("):
			length := bracketLength(name)
			p.reader.powerShell(plainWord(strings.TrimSuffix(name[1:length], ")")))
			i += length
		case len(name) >= len("home") && strings.EqualFold(name[:len("home")], "home") && p.reader.home != "" && (len(name) == len("home") || !wordByte(name[len("home")])):
			plain.WriteString(p.reader.home)
			i += len("home")
			continue
		default:
			from := i
			for i+1 < len(text) && (wordByte(text[i+1]) || text[i+1] == ':' || text[i+1] == '{' || text[i+1] == '}' && i > from) {
				i++
			}
			if from == 0 && i == len(text)-1 && strings.HasPrefix(strings.ToLower(text), "$env:") {
				return shellWord{text: openPart + text[len("$env:"):], open: true}
			}
			if value, ok := p.reader.vars[strings.ToLower(strings.Trim(text[from+1:i+1], "{}"))]; ok && plain.Len() < variableLimit {
				plain.WriteString(value.text)
				w.add(value)
				w.assigned = true
				continue
			}
		}
		plain.WriteString(openPart)
		w.open = true
	}
	w.text = plain.String()
	return w
}

// bracketLength is the length of the text up to the bracket that closes the one it starts with.
func bracketLength(text string) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}

// output is what the command that was read feeds into a pipe, where that is known.
func (p *psCommands) output() shellWord {
	f := p.top()
	if len(f.words) == 1 && f.quoted && !f.called {
		return f.words[0]
	}
	if len(f.words) > 1 && slices.Contains([]string{"echo", "write-output", "write"}, programName(f.words[0].text)) {
		return joinWords(f.words[1:], "\n")
	}
	return shellWord{text: openPart, open: true}
}

// flush hands the command at hand to the reader.
func (p *psCommands) flush() {
	f := p.top()
	words, assign := f.words, f.assign
	isCommand := len(words) > 0 && (f.called || !f.quoted && !words[0].assigned && !strings.HasPrefix(words[0].text, openPart))
	fed, quoted := f.fed, f.quoted
	if text, ok := f.expression(); ok && assign != "" {
		p.assign(assign, text)
	}
	*f = psFrame{}
	if !isCommand {
		if quoted && assign == "" {
			p.written(words)
		}
		return
	}
	var source []string
	for _, w := range words {
		source = append(source, strings.ReplaceAll(w.text, openPart, "..."))
	}
	c := shellCommand{dir: p.reader.dir(), source: strings.Join(source, " "), input: fed}
	c.env = append(c.env, p.reader.exports...)
	words = p.reader.withoutRedirects(&c, words)
	if len(words) == 0 {
		p.reader.emit(c)
		return
	}
	if name := programName(words[0].text); name == "start-process" || name == "saps" || name == "start" {
		c.name, c.args = name, words[1:]
		p.reader.emit(wrapped(c))
		words = startedWords(words[1:])
	}
	p.reader.command(c, words)
}
