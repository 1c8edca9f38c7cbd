package settings

import (
	"bytes"
	"strings"

	"github.com/tailscale/hujson"
)

// child is one member of an object or element of a list.
type child struct {
	name       string // empty in a list
	start, end int    // of the whole member, name included
	before     []byte // white space since the bracket or comma before it
	value      hujson.Value
}

// children lists what the container v holds, in the order of the text.
func children(v hujson.Value) []child {
	var list []child
	switch t := v.Value.(type) {
	case *hujson.Object:
		list = make([]child, 0, len(t.Members))
		for _, m := range t.Members {
			list = append(list, child{name(m), m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value})
		}
	case *hujson.Array:
		list = make([]child, 0, len(t.Elements))
		for _, e := range t.Elements {
			list = append(list, child{"", e.StartOffset, e.EndOffset, e.BeforeExtra, e})
		}
	}
	return list
}

func name(m hujson.ObjectMember) string { return text(m.Name) }

// text returns the string v holds, empty when it holds none.
func text(v hujson.Value) string {
	lit, ok := v.Value.(hujson.Literal)
	if !ok || lit.Kind() != '"' {
		return ""
	}
	if bytes.IndexByte(lit, '\\') < 0 {
		return string(lit[1 : len(lit)-1])
	}
	return lit.String()
}

// member returns the index of the key that counts for the client: of doubled keys the last.
func member(v hujson.Value, key string) int {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return -1
	}
	for i := len(object.Members) - 1; i >= 0; i-- {
		if text(object.Members[i].Name) == key {
			return i
		}
	}
	return -1
}

// get returns the value at the path of keys below v.
func get(v hujson.Value, path ...string) (hujson.Value, bool) {
	for _, key := range path {
		i := member(v, key)
		if i < 0 {
			return v, false
		}
		v = v.Value.(*hujson.Object).Members[i].Value
	}
	return v, true
}

// pointer names a path of keys as a JSON pointer (RFC 6901).
func pointer(path []string) string {
	var b strings.Builder
	for _, key := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}

// item writes one child in the style s at an indent.
type item func(s style, indent string) string

// insert puts children at the end of the container v and returns the new text.
func (f *File) insert(v hujson.Value, items ...item) []byte {
	s := f.style()
	list := children(v)
	if len(list) == 0 {
		return f.fill(v, s, items)
	}
	last := list[len(list)-1]
	if s.newline == "" {
		return splice(f.text, last.end, last.end, s.comma+s.join(items, ""))
	}
	indent, ownLine := lastLine(last.before)
	if !ownLine {
		indent = f.indentAt(v.StartOffset) + s.unit
	}
	return splice(f.text, last.end, last.end, ","+s.newline+indent+s.join(items, indent))
}

// fill writes the first children of an empty container; the white space inside gives way.
func (f *File) fill(v hujson.Value, s style, items []item) []byte {
	from, to := v.StartOffset+1, v.EndOffset-1
	if s.newline == "" {
		return splice(f.text, from, to, s.join(items, ""))
	}
	outer := f.indentAt(v.StartOffset)
	in := outer + s.unit
	return splice(f.text, from, to, s.newline+in+s.join(items, in)+s.newline+outer)
}

// indentAt returns the white space at the start of the line that holds offset.
func (f *File) indentAt(offset int) string {
	start := bytes.LastIndexByte(f.text[:offset], '\n') + 1
	line := f.text[start:offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// inside returns the text between the brackets of v.
func (f *File) inside(v hujson.Value) string {
	return string(f.text[v.StartOffset+1 : v.EndOffset-1])
}

// cut takes children out of the container v, with the commas that belong to them. at lists their indexes in order; blank is
// what an emptied container keeps between its brackets.
func (f *File) cut(v hujson.Value, blank string, at ...int) []byte {
	list := children(v)
	if len(at) == len(list) {
		return splice(f.text, v.StartOffset+1, v.EndOffset-1, blank)
	}
	out := f.text
	for i := len(at) - 1; i >= 0; i-- {
		gone := at[i]
		if gone == i { // nothing before it stays: it goes with the comma behind it
			return splice(out, list[0].start, list[gone+1].start, "")
		}
		out = splice(out, list[gone-1].end, list[gone].end, "")
	}
	return out
}
