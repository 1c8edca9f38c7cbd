package hooksimpl

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// Payload is what the client sent to a hook. Only top-level keys count; a key that is missing or of another type is empty.
type Payload struct {
	Event      string // hook_event_name
	Tool       string // tool_name
	AgentType  string // agent_type, set inside a subagent
	AgentID    string // agent_id
	Session    string // session_id
	Cwd        string // cwd
	Transcript string // transcript_path
	Mode       string // permission_mode
	Source     string // source of a SessionStart

	input  json.RawMessage
	fields map[string]json.RawMessage
	call   shellCall
	around projectCall
}

// Bytes of a payload that are read at most; more is a fault.
const payloadLimit = 128 << 20

var (
	errNoPayload = errors.New("no JSON object on stdin")
	errNoJSON    = errors.New("not valid JSON")
	errTooLarge  = errors.New("the payload is larger than 128 MiB")
)

// ParsePayload reads the JSON object text, as the client sends it to hooks.
func ParsePayload(text []byte) (*Payload, error) {
	p := &Payload{}
	if !json.Valid(text) {
		return nil, errNoJSON
	}
	if p.fields = fieldsOf(text); p.fields == nil {
		return nil, errNoPayload
	}
	p.Event = p.text("hook_event_name")
	p.Tool = p.text("tool_name")
	p.AgentType = p.text("agent_type")
	p.AgentID = p.text("agent_id")
	p.Session = p.text("session_id")
	p.Cwd = p.text("cwd")
	p.Transcript = p.text("transcript_path")
	p.Mode = p.text("permission_mode")
	p.Source = p.text("source")
	p.input = p.fields["tool_input"]
	return p, nil
}

func (p *Payload) text(key string) string {
	s, _ := stringOf(p.fields[key])
	return s
}

// Input returns the field key of tool_input when it is a string.
func (p *Payload) Input(key string) (string, bool) {
	return stringOf(fieldsOf(p.input)[key])
}

// Decode reads the top-level field key into v.
func (p *Payload) Decode(key string, v any) error {
	raw, ok := p.fields[key]
	if !ok {
		return errors.New(key + " is not in the payload")
	}
	return json.Unmarshal(raw, v)
}

// scanObject returns the first JSON object of r, and does not wait for the end of r, which some clients never send.
// A byte order mark and blanks before the object are skipped. A reader that panics has no object.
func scanObject(r io.Reader) (text []byte, err error) {
	defer func() {
		if recover() != nil {
			text, err = nil, errNoPayload
		}
	}()
	buf := make([]byte, 0, 32<<10)
	var scan objectScanner
	for {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, 2*cap(buf)), buf...)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if end := scan.feed(buf); end > 0 {
			return buf[scan.start:end], nil
		}
		switch {
		case scan.broken, err != nil:
			return nil, errNoPayload
		case len(buf) > payloadLimit:
			return nil, errTooLarge
		}
	}
}

// objectScanner finds the end of the first JSON object in a growing buffer, looking at each byte once.
type objectScanner struct {
	start, pos        int
	depth             int
	inString, escaped bool
	broken            bool // the text does not open with an object
}

// feed looks at what is new in buf and returns the index after the object, 0 while it is not complete.
func (s *objectScanner) feed(buf []byte) int {
	for ; s.pos < len(buf); s.pos++ {
		if s.inString {
			s.skipText(buf)
			continue
		}
		switch c := buf[s.pos]; {
		case s.depth == 0:
			if c == '{' {
				s.start, s.depth = s.pos, 1
			} else if !leading(c) {
				s.broken = true
				return 0
			}
		case c == '"':
			s.inString = true
		case c == '{' || c == '[':
			s.depth++
		case c == '}' || c == ']':
			if s.depth--; s.depth == 0 {
				return s.pos + 1
			}
		}
	}
	return 0
}

// skipText moves to the next byte inside the string that matters: its end, a backslash, or the last byte there is.
func (s *objectScanner) skipText(buf []byte) {
	if s.escaped {
		s.escaped = false
		return
	}
	text := buf[s.pos:]
	if quote := bytes.IndexByte(text, '"'); quote >= 0 {
		text = text[:quote+1]
	}
	if escape := bytes.IndexByte(text, '\\'); escape >= 0 {
		s.pos += escape
		s.escaped = true
		return
	}
	s.pos += len(text) - 1
	s.inString = text[len(text)-1] != '"'
}

// leading reports whether c may stand before the object: a blank, or a byte of the UTF-8 byte order mark.
func leading(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', 0xEF, 0xBB, 0xBF:
		return true
	}
	return false
}

// ReadSoon returns the first JSON object of r when r sends its first byte within wait, else nil. Once it has begun, the
// object may take as long as a hook's payload may.
func ReadSoon(r io.Reader, wait time.Duration) []byte {
	begun, object := make(chan bool, 1), make(chan []byte, 1)
	go func() {
		buf := make([]byte, 16<<10)
		n, _ := r.Read(buf)
		begun <- n > 0
		text, _ := scanObject(io.MultiReader(bytes.NewReader(buf[:n]), r))
		object <- text
	}()
	select {
	case began := <-begun:
		if !began {
			return nil
		}
	case <-time.After(wait):
		return nil
	}
	select {
	case text := <-object:
		return text
	case <-time.After(readBudget):
		return nil
	}
}
