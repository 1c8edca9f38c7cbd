package settings

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// editor holds the text between the splices of one Apply. Each splice is parsed before the next one.
type editor struct {
	*File
	change Change
	fp     *Footprint
	done   []Done
}

func (e *editor) say(op, what string) { e.done = append(e.done, Done{op, what}) }

// to replaces the text (without byte order mark) by the next version.
func (e *editor) to(text []byte) error {
	next, err := parse(e.Path, text)
	if err != nil {
		return err
	}
	next.bom = e.bom
	e.File = next
	return nil
}

// level is one step on the way down from the root: a container, its pointer, and the child the way goes on in (at the last
// level: the children that are meant).
type level struct {
	in  hujson.Value
	ptr string
	at  []int
}

// prune takes the last level's children out, and each container that this empties and viber made.
func (e *editor) prune(levels []level) error {
	i := len(levels) - 1
	for ; i > 0; i-- {
		l := levels[i]
		ours := e.change.Unrecorded || slices.Contains(e.fp.Made, l.ptr)
		if len(children(l.in)) > len(l.at) || !ours {
			break
		}
		e.fp.dropMade(l.ptr)
	}
	l := levels[i]
	blank := ""
	if len(children(l.in)) == len(l.at) {
		blank = e.fp.Blank[l.ptr]
		delete(e.fp.Blank, l.ptr)
	}
	return e.to(e.cut(l.in, blank, l.at...))
}

// put inserts children into the container at ptr and remembers what an empty one held.
func (e *editor) put(in hujson.Value, ptr string, items ...item) error {
	if len(children(in)) == 0 && !slices.Contains(e.fp.Made, ptr) {
		if _, known := e.fp.Blank[ptr]; !known {
			e.fp.Blank[ptr] = e.inside(in)
		}
	}
	return e.to(e.insert(in, items...))
}

func memberItem(key string, value any) item {
	return func(s style, indent string) string { return quote(key) + s.colon + s.render(value, indent) }
}

// ensure returns the container at path, and makes it, and those above it, when they are not there. empty is {} or [].
func (e *editor) ensure(path []string, empty string) (hujson.Value, error) {
	if err := e.begin(); err != nil {
		return hujson.Value{}, err
	}
	for depth := 1; depth <= len(path); depth++ {
		if _, ok := get(e.root, path[:depth]...); ok {
			continue
		}
		parent, _ := get(e.root, path[:depth-1]...)
		value := "{}"
		if depth == len(path) {
			value = empty
		}
		made := memberItem(path[depth-1], json.RawMessage(value))
		if err := e.put(parent, pointer(path[:depth-1]), made); err != nil {
			return hujson.Value{}, err
		}
		e.fp.addMade(pointer(path[:depth]))
	}
	v, _ := get(e.root, path...)
	return v, nil
}

// begin gives a blank file an object to write into.
func (e *editor) begin() error {
	if !e.blank {
		return nil
	}
	was := string(e.text)
	e.fp.WasBlank = &was
	newline := "\n"
	if strings.Contains(was, "\r\n") {
		newline = "\r\n"
	}
	return e.to([]byte("{}" + newline))
}

// unblank gives a file that was blank before viber its blanks back when nothing is left in it.
func (e *editor) unblank() error {
	if e.fp.WasBlank == nil || e.blank || len(children(e.root)) > 0 {
		return nil
	}
	was := *e.fp.WasBlank
	e.fp.WasBlank = nil
	return e.to([]byte(was))
}

// same reports whether the raw JSON text and the value that viber would write mean the same.
func same(raw []byte, want any) bool {
	var a, b any
	if json.Unmarshal(raw, &a) != nil {
		return false
	}
	if json.Unmarshal([]byte(style{colon: ":", comma: ","}.render(want, "")), &b) != nil {
		return false
	}
	return reflect.DeepEqual(a, b)
}
