package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// Field is one member of an object that viber writes; the order of fields is the order in the file.
// Value is a string, bool, int, []string, []Field, []any or json.RawMessage.
type Field struct {
	Key   string
	Value any
}

// style is how the file around an edit is written.
type style struct {
	newline string // "\n" or "\r\n"; empty: the whole file stands on one line
	unit    string // one level of indent
	colon   string // ":" or ": "
	comma   string // between members on one line: "," or ", "
}

func (f *File) style() style {
	s := style{newline: "\n", unit: "  ", colon: ": ", comma: ", "}
	if i := bytes.IndexByte(f.text, '\n'); i > 0 && f.text[i-1] == '\r' {
		s.newline = "\r\n"
	}
	root, ok := f.root.Value.(*hujson.Object)
	if !ok || len(root.Members) == 0 {
		return s
	}
	first := root.Members[0]
	if len(first.Name.AfterExtra)+len(first.Value.BeforeExtra) == 0 {
		s.colon, s.comma = ":", ","
	}
	for _, m := range root.Members {
		if indent, ok := lastLine(m.Name.BeforeExtra); ok {
			s.unit = indent
			return s
		}
	}
	if len(root.Members) > 1 {
		s.comma = "," + string(root.Members[1].Name.BeforeExtra)
	}
	s.newline = ""
	return s
}

// lastLine returns what follows the last line end in the white space ws, and whether there is a line end.
func lastLine(ws []byte) (string, bool) {
	i := bytes.LastIndexByte(ws, '\n')
	if i < 0 {
		return "", false
	}
	return string(ws[i+1:]), true
}

// render writes v as it stands at the given indent.
func (s style) render(v any, indent string) string {
	switch t := v.(type) {
	case []Field:
		return s.list("{", "}", indent, len(t), func(i int, in string) string {
			return quote(t[i].Key) + s.colon + s.render(t[i].Value, in)
		})
	case []any:
		return s.list("[", "]", indent, len(t), func(i int, in string) string { return s.render(t[i], in) })
	case []string:
		return s.list("[", "]", indent, len(t), func(i int, _ string) string { return quote(t[i]) })
	case json.RawMessage:
		return string(t)
	}
	return encode(v)
}

func (s style) list(open, end, indent string, n int, one func(i int, in string) string) string {
	if n == 0 {
		return open + end
	}
	in := indent + s.unit
	items := make([]item, n)
	for i := range items {
		items[i] = func(_ style, in string) string { return one(i, in) }
	}
	if s.newline == "" {
		return open + s.join(items, "") + end
	}
	return open + s.newline + in + s.join(items, in) + s.newline + indent + end
}

// join writes children one after the other, as they follow the first one's indent.
func (s style) join(items []item, indent string) string {
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = item(s, indent)
	}
	if s.newline == "" {
		return strings.Join(parts, s.comma)
	}
	return strings.Join(parts, ","+s.newline+indent)
}

func quote(s string) string { return encode(s) }

// encode is json.Marshal without the escaping of <, > and &.
func encode(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprintf("%q", fmt.Sprint(v))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)-(to-from)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}
