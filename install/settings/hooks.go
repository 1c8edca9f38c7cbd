package settings

import (
	"bytes"
	"encoding/json"

	"github.com/tailscale/hujson"
)

// Hook is one hook entry viber wants in a file: the handler's fields, in order, under an event and a matcher.
type Hook struct {
	Event   string
	Matcher string // empty: the group carries none
	Fields  []Field
}

// Handler is one hook handler found in a file.
type Handler struct {
	Event      string
	Matcher    string
	HasMatcher bool
	Type       string
	Command    string
	Args       []string
	HasArgs    bool
	If         string
	Timeout    float64 // seconds; 0 when not set
	Raw        json.RawMessage
	Line       int
	Column     int
	Dead       bool // under a doubled key of which the client reads a later one

	event, group, handler int // indexes for the editor
	hooks                 int
}

// Handlers lists every hook handler of the file in the order of the text. Entries that are no handlers are left out.
func (f *File) Handlers() []Handler {
	var found []Handler
	lastHooks := member(f.root, "hooks")
	for hi, hooks := range children(f.root) {
		if hooks.name != "hooks" {
			continue
		}
		for ei, event := range children(hooks.value) {
			dead := hi != lastHooks || ei != member(hooks.value, event.name)
			for gi, group := range children(event.value) {
				at := Handler{Event: event.name, Dead: dead, hooks: hi, event: ei, group: gi}
				found = append(found, f.handlersOf(group.value, at)...)
			}
		}
	}
	return found
}

func (f *File) handlersOf(group hujson.Value, at Handler) []Handler {
	var found []Handler
	if m, ok := get(group, "matcher"); ok {
		at.Matcher, at.HasMatcher = text(m), true
	}
	list, ok := get(group, "hooks")
	if _, isList := list.Value.(*hujson.Array); !ok || !isList {
		return nil
	}
	for i, c := range children(list) {
		if _, isObject := c.value.Value.(*hujson.Object); !isObject {
			continue
		}
		h := at
		h.handler = i
		h.Raw = f.raw(c.value)
		h.Line, h.Column = f.position(c.start)
		h.read(c.value)
		found = append(found, h)
	}
	return found
}

func (h *Handler) read(v hujson.Value) {
	field := func(key string) hujson.Value {
		got, ok := get(v, key)
		if !ok {
			return hujson.Value{}
		}
		return got
	}
	h.Type, h.Command, h.If = text(field("type")), text(field("command")), text(field("if"))
	if lit, ok := field("timeout").Value.(hujson.Literal); ok && lit.Kind() == '0' {
		h.Timeout = lit.Float()
	}
	if args, ok := field("args").Value.(*hujson.Array); ok {
		h.HasArgs = true
		for _, a := range args.Elements {
			h.Args = append(h.Args, text(a))
		}
	}
}

func (f *File) raw(v hujson.Value) json.RawMessage {
	return bytes.Clone(f.text[v.StartOffset:v.EndOffset])
}

// chain walks down to the list of handlers that holds h.
func (f *File) chain(h Handler) (hooks, event, group, list hujson.Value) {
	hooks = children(f.root)[h.hooks].value
	event = children(hooks)[h.event].value
	group = children(event)[h.group].value
	list, _ = get(group, "hooks")
	return hooks, event, group, list
}
