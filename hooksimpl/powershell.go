package hooksimpl

import "strings"

// psToken is a piece of PowerShell text.
type psToken struct {
	kind   psKind
	text   string
	quoted bool   // text comes from a string
	glued  bool   // nothing stands between this token and the one before
	raw    string // a string as written, quotes included
}

type psKind int

const (
	psWord  psKind = iota
	psPipe         // |
	psEnd          // ; line end && ||
	psCall         // the call operator &
	psOpen         // ( $( @( and, as text says, { @{
	psClose        // ) }
)

// psTokens calls yield for the tokens of text until it returns false. Comments are left out, a string is one word whose
// text is data, and the line end after a backtick or inside brackets that continue a line counts as a blank.
func psTokens(text string, yield func(psToken) bool) {
	s := psScanner{text: text}
	for s.at < len(text) {
		from := s.at
		t, ok := s.next()
		if !ok {
			continue
		}
		t.glued = from > 0 && s.last == from
		s.last = s.at
		if !yield(t) {
			return
		}
	}
}

type psScanner struct {
	text string
	at   int
	last int // end of the last token
}

func (s *psScanner) next() (psToken, bool) {
	switch c := s.text[s.at]; c {
	case ' ', '\t', '\r', '\v', '\f':
		s.at++
	case '\n', ';':
		return s.symbol(psEnd, 1)
	case '|', '&':
		return s.operator(c)
	case '(', '{':
		return s.symbol(psOpen, 1)
	case ')', '}':
		return s.symbol(psClose, 1)
	case '#':
		s.skipTo("\n", 0)
	case '<':
		if s.has("<#") {
			s.skipTo("#>", len("#>"))
			return psToken{}, false
		}
		return s.word(), true
	case '`':
		if s.has("`\n") || s.has("`\r\n") {
			s.skipTo("\n", 1)
			return psToken{}, false
		}
		return s.word(), true
	case '\'', '"':
		return s.quote(c), true
	case '$', '@':
		return s.sigil()
	default:
		return s.word(), true
	}
	return psToken{}, false
}

func (s *psScanner) has(prefix string) bool { return strings.HasPrefix(s.text[s.at:], prefix) }

func (s *psScanner) symbol(kind psKind, length int) (psToken, bool) {
	t := psToken{kind: kind, text: s.text[s.at : s.at+length]}
	s.at += length
	return t, true
}

func (s *psScanner) operator(c byte) (psToken, bool) {
	switch {
	case s.has("&&"), s.has("||"):
		return s.symbol(psEnd, 2)
	case c == '&':
		return s.symbol(psCall, 1)
	}
	return s.symbol(psPipe, 1)
}

func (s *psScanner) sigil() (psToken, bool) {
	switch {
	case s.has("$("), s.has("@("), s.has("@{"):
		return s.symbol(psOpen, 2)
	case s.has("@'"), s.has(`@"`):
		end := "\n" + s.text[s.at+1:s.at+2] + "@"
		from := s.at
		s.skipTo(end, len(end))
		return psToken{text: s.text[from:s.at], raw: s.text[from:s.at], quoted: true}, true
	}
	return s.word(), true
}

// skipTo moves behind the next end (keeping all but length bytes of it), or to the end of the text.
func (s *psScanner) skipTo(end string, length int) {
	if i := strings.Index(s.text[s.at:], end); i >= 0 {
		s.at += i + length
		return
	}
	s.at = len(s.text)
}

// quote reads a string. Substitutions inside double quotes are not looked into.
func (s *psScanner) quote(q byte) psToken {
	from := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '`' && q == '"':
			s.at++
		case c == q:
			s.at++
			return psToken{text: strings.Trim(s.text[from:s.at], string(q)), raw: s.text[from:s.at], quoted: true}
		}
	}
	s.at = len(s.text)
	return psToken{text: s.text[from:], raw: s.text[from:], quoted: true}
}

// word reads up to a blank or a symbol; a backtick takes the next byte as it is.
func (s *psScanner) word() psToken {
	var plain []byte
	for s.at < len(s.text) {
		c := s.text[s.at]
		if len(plain) > 0 && c == '`' || c == '`' && s.at+1 < len(s.text) {
			s.at++
			if s.at < len(s.text) {
				plain = append(plain, s.text[s.at])
				s.at++
			}
			continue
		}
		if isBlank(c) || strings.IndexByte(";|&(){}'\"", c) >= 0 && len(plain) > 0 {
			break
		}
		plain = append(plain, c)
		s.at++
	}
	return psToken{text: string(plain)}
}
