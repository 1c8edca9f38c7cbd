package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"
)

// MaxInput is the largest file a gate reads, in bytes. A larger one is refused before it is read.
const MaxInput = 8 << 20

// tweak switches off one part of a gate. Only the mutation tests use it.
type tweak struct {
	without string      // name of a rule
	schema  *shapeCheck // in place of the shape's own
}

// readBounded returns the bytes of the file at path, or of stdin when path is "-".
func readBounded(path string, stdin io.Reader) ([]byte, error) {
	if path == "-" {
		return readAtMost(stdin, "standard input")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, plainPathError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, plainPathError(path, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	if info.Size() > MaxInput {
		return nil, fmt.Errorf("%s: %d bytes, more than the limit of %d", path, info.Size(), MaxInput)
	}
	return readAtMost(f, path)
}

func readAtMost(from io.Reader, name string) ([]byte, error) {
	if from == nil {
		return nil, fmt.Errorf("%s: nothing to read", name)
	}
	data, err := io.ReadAll(io.LimitReader(from, MaxInput+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(data) > MaxInput {
		return nil, fmt.Errorf("%s: more than the limit of %d bytes", name, MaxInput)
	}
	return data, nil
}

func plainPathError(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// load reads the file at path as the shape s: every structural error goes into r, and v is filled as far as the file allows.
// ok is false when the text is no JSON object and no rule can say anything about it.
func load(data []byte, s *shapeCheck, v any, r *report) (ok bool) {
	r.rule = "json"
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	tree, err := parse(data)
	if err != nil {
		r.wrong("", err.Error(), "one JSON object and nothing else: no code fence, no text around it")
		return false
	}
	if _, is := tree.(map[string]any); !is {
		r.wrong("", "the file holds "+kindOf(tree), "one JSON object")
		return false
	}
	s.check(tree, r)
	// a field of the wrong type was reported by the shape; the others are still read
	if err := json.Unmarshal(data, v); err != nil {
		var wrongType *json.UnmarshalTypeError
		return errors.As(err, &wrongType)
	}
	return true
}

// parse reads one JSON value strictly: UTF-8, nothing after it, no field twice. Numbers stay as they are written.
func parse(data []byte) (any, error) {
	text := bytes.TrimSpace(data)
	switch {
	case len(text) == 0:
		return nil, errors.New("the file is empty")
	case !utf8.Valid(text):
		return nil, errors.New("the file is not UTF-8")
	case bytes.HasPrefix(text, []byte("```")):
		return nil, errors.New("the JSON stands in a code fence")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		return nil, syntaxError(text, err)
	}
	if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
		return nil, fmt.Errorf("line %d: text after the JSON value", lineOf(text, d.InputOffset()))
	}
	return tree, repeatedField(text)
}

func syntaxError(text []byte, err error) error {
	var se *json.SyntaxError
	if errors.As(err, &se) {
		return fmt.Errorf("line %d: %s", lineOf(text, se.Offset), strings.TrimPrefix(se.Error(), "json: "))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: the JSON is cut off", lineOf(text, int64(len(text))))
	}
	return err
}

func lineOf(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(int64(len(text)), offset)], []byte("\n"))
}

// repeatedField finds a field that stands twice in one object: the second would silently win.
func repeatedField(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	var open []map[string]bool // nil for a list
	key := false               // the next string is a field's name
	for {
		tok, err := d.Token()
		if err != nil {
			return nil
		}
		switch t := tok.(type) {
		case json.Delim:
			open, key = nest(open, t)
			continue
		case string:
			if key {
				fields := open[len(open)-1]
				if fields[t] {
					return fmt.Errorf("line %d: the field %s stands twice", lineOf(text, d.InputOffset()), short(t))
				}
				fields[t] = true
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}

func nest(open []map[string]bool, d json.Delim) ([]map[string]bool, bool) {
	switch d {
	case '{':
		return append(open, map[string]bool{}), true
	case '[':
		return append(open, nil), false
	}
	open = open[:len(open)-1]
	return open, len(open) > 0 && open[len(open)-1] != nil
}
