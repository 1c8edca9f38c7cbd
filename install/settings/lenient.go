package settings

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// span is a stretch of text that strict JSON does not allow.
type span struct {
	from, to int
	what     string
}

// lenient lists comments and trailing commas in the order of the text.
func (f *File) lenient() []span {
	var found []span
	var walk func(v hujson.Value)
	extra := func(text hujson.Extra, at int) {
		found = append(found, comments(text, at)...)
	}
	walk = func(v hujson.Value) {
		extra(v.BeforeExtra, v.StartOffset-len(v.BeforeExtra))
		switch t := v.Value.(type) {
		case *hujson.Object:
			for _, m := range t.Members {
				walk(m.Name)
				walk(m.Value)
			}
			found = append(found, f.closing(v, t.AfterExtra, len(t.Members) > 0)...)
		case *hujson.Array:
			for _, e := range t.Elements {
				walk(e)
			}
			found = append(found, f.closing(v, t.AfterExtra, len(t.Elements) > 0)...)
		}
		extra(v.AfterExtra, v.EndOffset)
	}
	walk(f.root)
	return found
}

// closing finds a trailing comma and the comments before the closing bracket of v.
func (f *File) closing(v hujson.Value, after hujson.Extra, filled bool) []span {
	at := v.EndOffset - 1 - len(after)
	var found []span
	if filled && at > 0 && f.text[at-1] == ',' {
		found = append(found, span{at - 1, at, "trailing comma"})
	}
	return append(found, comments(after, at)...)
}

// comments lists the comments in extra, which starts at offset at.
func comments(extra []byte, at int) []span {
	var found []span
	for i := 0; i < len(extra); {
		if extra[i] != '/' {
			i++
			continue
		}
		end := len(extra)
		if bytes.HasPrefix(extra[i:], []byte("/*")) {
			if n := bytes.Index(extra[i+2:], []byte("*/")); n >= 0 {
				end = i + 2 + n + 2
			}
		} else if n := bytes.IndexByte(extra[i:], '\n'); n >= 0 {
			end = i + n
			if end > i && extra[end-1] == '\r' {
				end--
			}
		}
		found = append(found, span{at + i, at + end, "comment"})
		i = end
	}
	return found
}

// Repair returns the text without comments and trailing commas, which is what the client can read. A comment that fills
// its line goes with the line. What remains wrong is refused as Parse does.
func Repair(path string, text []byte) ([]byte, error) {
	f, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	if f.blank {
		return text, nil
	}
	spans := f.lenient()
	out := f.text
	for i := len(spans) - 1; i >= 0; i-- {
		from, to := spans[i].from, spans[i].to
		if spans[i].what == "comment" {
			from, to = wholeLine(out, from, to)
		}
		out = splice(out, from, to, "")
	}
	fixed := &File{text: out, bom: f.bom}
	if _, err := Parse(path, fixed.Text()); err != nil {
		return nil, err
	}
	return fixed.Text(), nil
}

// wholeLine widens a comment to its whole line when nothing else stands there, else to the blanks before it.
func wholeLine(text []byte, from, to int) (int, int) {
	start := from
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t') {
		start--
	}
	end := to
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
	if start > 0 && text[start-1] != '\n' {
		return start, to
	}
	if end < len(text) && text[end] == '\n' {
		return start, end + 1
	}
	return from, to
}
