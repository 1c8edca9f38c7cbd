package settings

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tailscale/hujson"

	"viber/internal/exit"
)

// Refusal says why a settings file is not edited, where, and what to do about it. Its exit code is exit.Refused.
type Refusal struct {
	Path         string
	Line, Column int
	Cause        string
	WayOut       string
	Lenient      bool // only comments or a trailing comma: Repair can help
}

// Error returns path:line:column: cause; way out.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s; %s", r.Path, r.Line, r.Column, r.Cause, r.WayOut)
}

// Unwrap gives the refusal its exit code.
func (r *Refusal) Unwrap() error { return exit.Status(exit.Refused) }

func (f *File) refusal(offset int, cause, wayOut string) *Refusal {
	line, column := f.position(offset)
	return &Refusal{Path: f.Path, Line: line, Column: column, Cause: cause, WayOut: wayOut}
}

const wayOutSyntax = "correct it by hand and run the command again"

// syntaxRefusal turns the parser's error, which carries line and column in bytes, into ours.
func (f *File) syntaxRefusal(err error) *Refusal {
	var line, column int
	_, _ = fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column)
	cause := err
	if inner := errors.Unwrap(err); inner != nil {
		cause = inner
	}
	return f.refusal(f.offsetOf(line, column), "not JSON: "+firstLine(cause.Error()), wayOutSyntax)
}

func firstLine(s string) string {
	line, _, _ := bytes.Cut([]byte(s), []byte("\n"))
	if len(line) > 120 {
		line = append(line[:120:120], "..."...)
	}
	return string(line)
}

func (f *File) offsetOf(line, column int) int {
	offset := 0
	for ; line > 1; line-- {
		offset += bytes.IndexByte(f.text[offset:], '\n') + 1
	}
	return offset + max(column-1, 0)
}

const wayOutLenient = "remove it, or let 'viber doctor --fix' show the repair"

// refuseLenient refuses what the client's strict JSON reader does not take: comments and trailing commas.
func (f *File) refuseLenient() error {
	for _, l := range f.lenient() {
		r := f.refusal(l.from, l.what+"; the client would ignore this whole file", wayOutLenient)
		r.Lenient = true
		return r
	}
	return nil
}

// refuseShape refuses a root, hooks, event, permissions or list of rules of the wrong type.
func (f *File) refuseShape() error {
	root, ok := f.root.Value.(*hujson.Object)
	if !ok {
		return f.wrongType("the settings", f.root, "an object")
	}
	for _, m := range root.Members {
		switch name(m) {
		case "hooks":
			if err := f.refuseHooks(m.Value); err != nil {
				return err
			}
		case "permissions":
			if err := f.refusePermissions(m.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *File) refuseHooks(v hujson.Value) error {
	events, ok := v.Value.(*hujson.Object)
	if !ok {
		return f.wrongType(`"hooks"`, v, "an object of events")
	}
	for _, event := range events.Members {
		if _, ok := event.Value.Value.(*hujson.Array); !ok {
			return f.wrongType(fmt.Sprintf("%q in \"hooks\"", name(event)), event.Value, "a list of groups")
		}
	}
	return nil
}

func (f *File) refusePermissions(v hujson.Value) error {
	perms, ok := v.Value.(*hujson.Object)
	if !ok {
		return f.wrongType(`"permissions"`, v, "an object")
	}
	for _, list := range perms.Members {
		switch n := name(list); n {
		case Allow, Ask, Deny:
			if _, ok := list.Value.Value.(*hujson.Array); !ok {
				return f.wrongType(fmt.Sprintf("%q in \"permissions\"", n), list.Value, "a list of rules")
			}
		}
	}
	return nil
}

func (f *File) wrongType(what string, v hujson.Value, want string) *Refusal {
	return f.refusal(v.StartOffset, fmt.Sprintf("%s must be %s, not %s", what, want, kind(v)), wayOutSyntax)
}

// kind names the JSON type of v for a message.
func kind(v hujson.Value) string {
	switch v.Value.Kind() {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}
