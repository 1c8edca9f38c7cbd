package hooksimpl

import "unicode/utf8"

// jsonWriter writes objects of texts as encoding/json does without HTML escapes.
type jsonWriter struct{ text []byte }

func (w *jsonWriter) open()  { w.text = append(w.text, '{') }
func (w *jsonWriter) close() { w.text = append(w.text, '}') }

// key begins a field; name needs no escapes.
func (w *jsonWriter) key(name string) {
	if w.text[len(w.text)-1] != '{' {
		w.text = append(w.text, ',')
	}
	w.text = append(w.text, '"')
	w.text = append(w.text, name...)
	w.text = append(w.text, `":`...)
}

// field writes a field, and nothing when value is empty.
func (w *jsonWriter) field(name, value string) {
	if value != "" {
		w.key(name)
		w.string(value)
	}
}

func (w *jsonWriter) string(s string) {
	w.text = append(w.text, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			w.text = append(w.text, `\ufffd`...)
		case r < ' ', r == '"', r == '\\', r == 0x2028, r == 0x2029:
			w.escape(r)
		default:
			w.text = append(w.text, s[i:i+size]...)
		}
		i += size
	}
	w.text = append(w.text, '"')
}

func (w *jsonWriter) escape(r rune) {
	const digits = "0123456789abcdef"
	short := byte('u')
	switch r {
	case '"', '\\':
		short = byte(r)
	case '\b':
		short = 'b'
	case '\f':
		short = 'f'
	case '\n':
		short = 'n'
	case '\r':
		short = 'r'
	case '\t':
		short = 't'
	}
	w.text = append(w.text, '\\', short)
	if short == 'u' {
		w.text = append(w.text, digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
	}
}
