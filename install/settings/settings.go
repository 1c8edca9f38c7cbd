// Package settings edits the JSON settings files of coding agents as text.
//
// It owns single entries, never a file: an edit is a list of splices, and every byte outside them stays - order, indent,
// line ends, byte order mark, duplicate keys, spelling of numbers and escapes, final newline or none. All functions are
// pure: text in, text out. docs/settings.md tells users the rules.
package settings

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

// Limits of what is taken for a settings file; more is refused before it is parsed.
const (
	maxBytes = 16 << 20
	maxDepth = 500
)

const byteOrderMark = "\xef\xbb\xbf"

// File is one parsed settings file. It never changes; Apply makes new text.
type File struct {
	Path string // as the user knows it, for messages

	text  []byte // without the byte order mark
	bom   bool
	blank bool // nothing but white space: counts as {}
	root  hujson.Value
}

// Parse reads the text of the settings file at path, which stands for {} when it is blank. What the client would not read
// as an object, or cannot hold our entries, is refused: the error is a *Refusal (exit code 3) with line and column.
func Parse(path string, text []byte) (*File, error) {
	f, err := parse(path, text)
	if err != nil {
		return nil, err
	}
	if f.blank {
		return f, nil
	}
	if err := f.refuseLenient(); err != nil {
		return nil, err
	}
	if err := f.refuseShape(); err != nil {
		return nil, err
	}
	return f, nil
}

// parse accepts comments and trailing commas; every other fault of syntax is refused.
func parse(path string, text []byte) (*File, error) {
	f := &File{Path: path, text: text}
	if rest, ok := bytes.CutPrefix(text, []byte(byteOrderMark)); ok {
		f.bom, f.text = true, rest
	}
	if bytes.IndexByte(f.text, 0) >= 0 {
		return nil, &Refusal{Path: path, Line: 1, Column: 1, Cause: "it holds NUL bytes, perhaps it is UTF-16", WayOut: "save it as UTF-8"}
	}
	if len(f.text) > maxBytes {
		return nil, &Refusal{Path: path, Line: 1, Column: 1, Cause: fmt.Sprintf("%d bytes are too many for a settings file", len(f.text)), WayOut: "check that this is the right file"}
	}
	if len(bytes.Trim(f.text, " \t\r\n")) == 0 {
		f.blank = true
		f.root = emptyObject()
		return f, nil
	}
	if at := tooDeep(f.text); at >= 0 {
		return nil, f.refusal(at, fmt.Sprintf("nested deeper than %d levels", maxDepth), "check that this is the right file")
	}
	root, err := hujson.Parse(f.text)
	if err != nil {
		return nil, f.syntaxRefusal(err)
	}
	f.root = root
	return f, nil
}

func emptyObject() hujson.Value {
	return hujson.Value{Value: &hujson.Object{}, EndOffset: 2}
}

// Text returns the file's bytes.
func (f *File) Text() []byte {
	if !f.bom {
		return f.text
	}
	return append([]byte(byteOrderMark), f.text...)
}

// position returns the line and the column (in characters, from 1) of the byte at offset.
func (f *File) position(offset int) (line, column int) {
	offset = min(offset, len(f.text))
	before := f.text[:offset]
	start := bytes.LastIndexByte(before, '\n') + 1
	return 1 + bytes.Count(before, []byte("\n")), 1 + utf8.RuneCount(before[start:])
}

// tooDeep returns the offset of the first bracket nested deeper than maxDepth, or -1.
func tooDeep(text []byte) int {
	depth, inString := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return i
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return -1
}
