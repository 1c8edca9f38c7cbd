package hooksimpl

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// fieldsOf splits the JSON object text, which must be valid JSON, into its keys and their values as written. Of a key that
// stands there twice the last value counts. It is nil when text is no object.
func fieldsOf(text []byte) map[string]json.RawMessage {
	s := fieldScanner{text: text}
	if s.blank(); s.peek() != '{' {
		return nil
	}
	s.at++
	fields := map[string]json.RawMessage{}
	for {
		s.blank()
		if s.peek() != '"' {
			return fields
		}
		key, _ := stringOf(s.value())
		s.blank()
		s.at++ // the colon
		s.blank()
		fields[key] = s.value()
		s.blank()
		if s.peek() != ',' {
			return fields
		}
		s.at++
	}
}

// elementsOf splits the JSON list text, which must be valid JSON, into its values as written. It is nil when text is no list.
func elementsOf(text []byte) (all []json.RawMessage) {
	s := fieldScanner{text: text}
	if s.blank(); s.peek() != '[' {
		return nil
	}
	for s.at++; s.at < len(text); s.at++ {
		s.blank()
		if s.peek() == ']' {
			return all
		}
		all = append(all, s.value())
		if s.blank(); s.peek() != ',' {
			return all
		}
	}
	return all
}

// fieldScanner walks over valid JSON without looking into it more than needed to find where values end.
type fieldScanner struct {
	text []byte
	at   int
}

func (s *fieldScanner) peek() byte {
	if s.at >= len(s.text) {
		return 0
	}
	return s.text[s.at]
}

func (s *fieldScanner) blank() {
	for s.at < len(s.text) && isBlank(s.text[s.at]) {
		s.at++
	}
}

// value moves behind the value at hand and returns it.
func (s *fieldScanner) value() []byte {
	from, depth := s.at, 0
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case '"':
			s.skipString()
			if depth == 0 {
				return s.text[from:s.at]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return bytes.TrimRight(s.text[from:s.at], blanks)
			}
			if s.text[s.at] != ',' {
				depth--
			}
			if depth == 0 && s.text[s.at] != ',' {
				s.at++
				return s.text[from:s.at]
			}
		}
		s.at++
	}
	return s.text[from:]
}

func (s *fieldScanner) skipString() {
	for s.at++; s.at < len(s.text); s.at++ {
		quote := bytes.IndexByte(s.text[s.at:], '"')
		if quote < 0 {
			s.at = len(s.text)
			return
		}
		if escape := bytes.IndexByte(s.text[s.at:s.at+quote], '\\'); escape >= 0 {
			s.at += escape + 1 // the loop steps over the escaped byte
			continue
		}
		s.at += quote + 1
		return
	}
}

// stringOf returns the text of a JSON string; ok is false for any other value.
func stringOf(raw json.RawMessage) (s string, ok bool) {
	if len(raw) < 2 || raw[0] != '"' {
		return "", false
	}
	if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner), true
	}
	return s, json.Unmarshal(raw, &s) == nil
}
