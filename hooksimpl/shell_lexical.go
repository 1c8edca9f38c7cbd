package hooksimpl

import "strings"

// lexical reads the text at hand word by word, where it cannot be parsed: it knows separators, blanks and closed quotes. It
// takes some text for commands that is only data.
func (r *shellReader) lexical() {
	s := lexicalScanner{text: r.written}
	for s.at < len(s.text) {
		words, source := s.command()
		for len(words) > 0 && introducesCommand(words[0].text) {
			words = words[1:]
		}
		c := shellCommand{dir: r.dir(), source: source}
		c.env = append(c.env, r.exports...)
		for len(words) > 0 && isAssignment(words[0].text) {
			c.env, words = append(c.env, words[0]), words[1:]
		}
		if len(words) > 0 {
			r.command(c, r.withoutRedirects(&c, words))
		}
	}
}

// withoutRedirects takes `> FILE` out of words and notes the file in c.
func (r *shellReader) withoutRedirects(c *shellCommand, words []shellWord) []shellWord {
	var kept []shellWord
	for i := 0; i < len(words); i++ {
		text := strings.TrimLeft(words[i].text, "0123456789&*")
		switch {
		case !strings.HasPrefix(text, ">"):
			kept = append(kept, words[i])
		case strings.Trim(text, ">|&") != "":
			w := words[i]
			w.text = strings.TrimLeft(text, ">|")
			c.written = append(c.written, w)
		case i+1 < len(words):
			i++
			c.written = append(c.written, words[i])
		}
	}
	return kept
}

// lexicalWords splits text at blanks; quotes keep words together and are taken off.
func lexicalWords(text string) []string {
	s := lexicalScanner{text: text}
	var words []string
	for s.at < len(text) {
		found, _ := s.command()
		for _, w := range found {
			words = append(words, w.text)
		}
	}
	return words
}

type lexicalScanner struct {
	text     string
	at       int
	noSingle bool // no closing ' stands behind at
	noDouble bool

	words  []shellWord
	word   []byte
	open   bool // the word at hand has a part that is only known at run time
	inWord bool
}

// command returns the words up to the next separator, and the text they were read from.
func (s *lexicalScanner) command() (words []shellWord, source string) {
	from := s.at
	s.words = nil
	for ; s.at < len(s.text); s.at++ {
		c := s.text[s.at]
		switch {
		case isSeparator(c), c == ')':
			s.endWord()
			source = s.text[from:s.at]
			s.at++
			return s.words, strings.TrimSpace(source)
		case isBlank(c):
			s.endWord()
		default:
			s.char(c)
		}
	}
	s.endWord()
	return s.words, strings.TrimSpace(s.text[from:])
}

func (s *lexicalScanner) endWord() {
	if s.inWord {
		s.words = append(s.words, shellWord{text: string(s.word), open: s.open})
	}
	s.word, s.open, s.inWord = nil, false, false
}

// char takes the character c at hand, with what belongs to it, into the word.
func (s *lexicalScanner) char(c byte) {
	s.inWord = true
	switch {
	case c == '\\' && s.at+1 < len(s.text):
		s.at++
		if s.text[s.at] == '\n' {
			s.inWord = len(s.word) > 0
			return
		}
		s.word = append(s.word, s.text[s.at])
	case (c == '\'' || c == '"') && s.quoted(c):
	case c == '$':
		s.open = true
		s.word = append(s.word, openPart...)
		s.skipName()
	default:
		s.word = append(s.word, c)
	}
}

// quoted takes the text of a closed quote into the word and moves to its end; it is false when nothing closes it.
func (s *lexicalScanner) quoted(q byte) bool {
	none := &s.noDouble
	if q == '\'' {
		none = &s.noSingle
	}
	if *none {
		return false
	}
	length := strings.IndexByte(s.text[s.at+1:], q)
	if length < 0 {
		*none = true
		return false
	}
	text := s.text[s.at+1 : s.at+1+length]
	s.open = s.open || q == '"' && strings.ContainsAny(text, "$`")
	s.word = append(s.word, text...)
	s.at += length + 1
	return true
}

// skipName moves to the end of a variable's name.
func (s *lexicalScanner) skipName() {
	if s.at+1 < len(s.text) && s.text[s.at+1] == '{' {
		if end := strings.IndexByte(s.text[s.at:min(len(s.text), s.at+200)], '}'); end > 0 {
			s.at += end
		}
		return
	}
	for s.at+1 < len(s.text) && wordByte(s.text[s.at+1]) {
		s.at++
	}
}
