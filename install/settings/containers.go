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
		for _, m := range t.Members {
			list = append(list, child{name(m), m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value})
		}
	case *hujson.Array:
		for _, e := range t.Elements {
			list = append(list, child{"", e.StartOffset, e.EndOffset, e.BeforeExtra, e})
		}
	}
	return list
}

func name(m hujson.ObjectMember) string {
	lit, _ := m.Name.Value.(hujson.Literal)
	return lit.String()
}

// member returns the index of the key that counts for the client: of doubled keys the last.
func member(v hujson.Value, key string) int {
	list := children(v)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].name == key {
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
		v = children(v)[i].value
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

// insert puts one more child at the end of the container v and returns the new text. item writes the child for an indent.
func (f *File) insert(v hujson.Value, item func(s style, indent string) string) []byte {
	s := f.style()
	list := children(v)
	if len(list) == 0 {
		return f.fill(v, s, item)
	}
	last := list[len(list)-1]
	if s.newline == "" {
		return splice(f.text, last.end, last.end, s.comma+item(s, ""))
	}
	indent, ownLine := lastLine(last.before)
	if !ownLine {
		indent = f.indentAt(v.StartOffset) + s.unit
	}
	return splice(f.text, last.end, last.end, ","+s.newline+indent+item(s, indent))
}

// fill writes the first child of an empty container; the white space inside gives way.
func (f *File) fill(v hujson.Value, s style, item func(s style, indent string) string) []byte {
	from, to := v.StartOffset+1, v.EndOffset-1
	if s.newline == "" {
		return splice(f.text, from, to, item(s, ""))
	}
	outer := f.indentAt(v.StartOffset)
	in := outer + s.unit
	return splice(f.text, from, to, s.newline+in+item(s, in)+s.newline+outer)
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

// cut takes the i-th child out of the container v, with the comma that belongs to it. blank is what an emptied container
// keeps between its brackets.
func (f *File) cut(v hujson.Value, i int, blank string) []byte {
	list := children(v)
	switch {
	case len(list) == 1:
		return splice(f.text, v.StartOffset+1, v.EndOffset-1, blank)
	case i > 0:
		return splice(f.text, list[i-1].end, list[i].end, "")
	}
	return splice(f.text, list[0].start, list[1].start, "")
}
