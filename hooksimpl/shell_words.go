package hooksimpl

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// openPart stands in the text of a shellWord for a part that is only known when the command runs.
const openPart = "\x00"

// shellWord is a word as its command gets it: quotes and escapes are gone.
type shellWord struct {
	text string
	// open: a part is only known at run time (a variable, a substitution); it stands in text as openPart.
	open bool
	// assigned: the word holds variables whose values stand earlier in the same text; text has these values.
	assigned bool
	// glob: the shell may replace the word by names of files.
	glob bool
	// files: the open parts are the contents of these files (`$(cat FILE)`).
	files []string
}

// sure reports whether the text of w is what the command gets, and nothing else.
func (w shellWord) sure() bool { return !w.open && !w.assigned && !w.glob }

func plainWord(text string) shellWord { return shellWord{text: text} }

// joinWords puts words together with sep between them, as eval and echo do.
func joinWords(words []shellWord, sep string) shellWord {
	var all shellWord
	var texts []string
	for _, w := range words {
		texts = append(texts, w.text)
		all.add(w)
	}
	all.text = strings.Join(texts, sep)
	return all
}

// add notes what is uncertain in part; the text is the caller's.
func (w *shellWord) add(part shellWord) {
	w.open = w.open || part.open
	w.assigned = w.assigned || part.assigned
	w.glob = w.glob || part.glob
	w.files = append(w.files, part.files...)
}

// wordsOf returns the words that the written words become: one each, or several through braces.
func (r *shellReader) wordsOf(written []*syntax.Word) []shellWord {
	words := r.out.room(len(written))
	for _, word := range written {
		if several, ok := r.several(word); ok {
			words = append(words, several...)
			continue
		}
		if !hasBrace(word) {
			words = append(words, r.word(word))
			continue
		}
		split := &syntax.Word{Parts: word.Parts} // the tree keeps the word as it was
		syntax.SplitBraces(split)
		for _, parts := range expandBraces(split.Parts) {
			words = append(words, r.parts(parts, false))
		}
	}
	return words
}

// room returns an empty list with memory for n words: most commands have few, and memory for many at once is had cheaper.
func (s *shellReading) room(n int) []shellWord {
	if len(s.spare) < n {
		s.spare = make([]shellWord, max(n, min(4+len(s.whole)/10, 64)))
	}
	words := s.spare[:0:n]
	s.spare = s.spare[n:]
	return words
}

// several returns the words that a variable with known words becomes.
func (r *shellReader) several(word *syntax.Word) (words []shellWord, ok bool) {
	if len(r.vars) > 0 {
		if words, ok = r.fields(word); ok {
			return words, true
		}
	}
	return r.array(word)
}

func hasBrace(word *syntax.Word) bool {
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.IndexByte(lit.Value, '{') >= 0 {
			return true
		}
	}
	return false
}

// braceLimit bounds the words that the braces of one word may become.
const braceLimit = 200

// expandBraces returns the parts of each word that braces make of parts; a sequence ({1..9}) stays one open part.
func expandBraces(parts []syntax.WordPart) [][]syntax.WordPart {
	all := [][]syntax.WordPart{nil}
	for _, part := range parts {
		brace, ok := part.(*syntax.BraceExp)
		if !ok || brace.Sequence {
			for i := range all {
				all[i] = append(all[i], part)
			}
			continue
		}
		var next [][]syntax.WordPart
		for _, head := range all {
			for _, elem := range brace.Elems {
				for _, tail := range expandBraces(elem.Parts) {
					next = append(next, append(append([]syntax.WordPart{}, head...), tail...))
				}
			}
		}
		all = next[:min(len(next), braceLimit)]
	}
	return all
}

func (r *shellReader) word(word *syntax.Word) shellWord {
	if word == nil {
		return shellWord{}
	}
	if len(word.Parts) == 1 {
		if lit, ok := word.Parts[0].(*syntax.Lit); ok && !special(lit.Value) {
			return plainWord(lit.Value)
		}
	}
	return r.parts(word.Parts, false)
}

// special reports whether unquoted text means more than itself.
func special(text string) bool {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\', '*', '?', '[', '~':
			return true
		}
	}
	return false
}

func (r *shellReader) parts(parts []syntax.WordPart, quoted bool) shellWord {
	var w shellWord
	var text strings.Builder
	for i, part := range parts {
		p := r.part(part, quoted)
		if lit, ok := part.(*syntax.Lit); ok && i == 0 && !quoted {
			p.text = r.tilde(lit.Value, p.text)
		}
		text.WriteString(p.text)
		w.add(p)
	}
	w.text = text.String()
	return w
}

// tilde puts the user's home in place of a leading `~`.
func (r *shellReader) tilde(written, text string) string {
	if r.home != "" && (written == "~" || strings.HasPrefix(written, "~/")) {
		return r.home + text[1:]
	}
	return text
}

func (r *shellReader) part(part syntax.WordPart, quoted bool) shellWord {
	switch p := part.(type) {
	case *syntax.Lit:
		if quoted {
			return plainWord(unescapeQuoted(p.Value))
		}
		return unescapeBare(p.Value)
	case *syntax.SglQuoted:
		if p.Dollar {
			return plainWord(ansiText(p.Value))
		}
		return plainWord(p.Value)
	case *syntax.DblQuoted:
		return r.parts(p.Parts, true)
	case *syntax.ParamExp:
		return r.parameter(p)
	case *syntax.CmdSubst:
		return r.substitution(p)
	case *syntax.ProcSubst:
		return r.process(p)
	}
	return shellWord{text: openPart, open: true}
}

// parameter knows HOME and PWD, and variables that were assigned a known text before.
func (r *shellReader) parameter(p *syntax.ParamExp) shellWord {
	open := shellWord{text: openPart, open: true}
	if p.Param == nil || p.Excl || p.Length || p.Width || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Exp != nil {
		return open
	}
	name := p.Param.Value
	if value, ok := r.vars[name]; ok {
		value.assigned = true
		return value
	}
	switch {
	case name == "HOME" && r.home != "":
		return plainWord(r.home)
	case name == "PWD" && !r.dir().open:
		return r.dir()
	}
	return open
}

// unescapeBare reads unquoted text: a backslash takes the next byte as it is.
func unescapeBare(text string) shellWord {
	if !strings.ContainsAny(text, `\*?[`) {
		return plainWord(text)
	}
	var w shellWord
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) {
			i++
			if text[i] != '\n' {
				plain = append(plain, text[i])
			}
			continue
		}
		w.glob = w.glob || c == '*' || c == '?' || c == '['
		plain = append(plain, c)
	}
	w.text = string(plain)
	return w
}

// unescapeQuoted reads text inside double quotes or an unquoted here-document.
func unescapeQuoted(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	plain := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\\n", text[i+1]) >= 0 {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		plain = append(plain, text[i])
	}
	return string(plain)
}

// ansiText reads the escapes of $'...'.
func ansiText(text string) string {
	var plain []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			plain = append(plain, text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'x':
			i = appendCode(&plain, text, i+1, 2, 16, false)
		case 'u':
			i = appendCode(&plain, text, i+1, 4, 16, true)
		case 'U':
			i = appendCode(&plain, text, i+1, 8, 16, true)
		case '0', '1', '2', '3', '4', '5', '6', '7':
			i = appendCode(&plain, text, i, 3, 8, false)
		case 'c':
			i++
		default:
			plain = append(plain, controlCode(c))
		}
	}
	return string(plain)
}

func controlCode(c byte) byte {
	const names, codes = "abeEfnrtv", "\a\b\x1b\x1b\f\n\r\t\v"
	if i := strings.IndexByte(names, c); i >= 0 {
		return codes[i]
	}
	return c
}

// appendCode appends the character whose number stands in at most digits places from i, and returns the last of them.
func appendCode(plain *[]byte, text string, i, digits, base int, unicode bool) int {
	end := i
	for end < len(text) && end-i < digits {
		if _, err := strconv.ParseUint(text[end:end+1], base, 8); err != nil {
			break
		}
		end++
	}
	code, err := strconv.ParseUint(text[i:end], base, 32)
	switch {
	case err != nil:
	case unicode:
		*plain = append(*plain, string(rune(code))...)
	default:
		*plain = append(*plain, byte(code))
	}
	return end - 1
}
