package hooksimpl

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// The transcript is read as text, one line at a time: its records are compact JSON, so a key and its value stand in a line
// exactly as `"key":"value"`, and text quoted inside a value (where quotes are escaped) never looks like one. A half
// written last record still counts. Every sign the plan hooks look for holds a colon: one search for colons finds them all.

// Sizes of the window a transcript is read through; memory does not grow with the file or its lines. A sign longer than
// lookAround on either side of its colon is not seen.
const (
	blockSize  = 512 << 10
	lookAround = 32 << 10
)

// lineFacts is what one line of a transcript says to the plan hooks.
type lineFacts struct {
	start, end int64 // bytes of the line in the file

	modeRecord bool // a permission-mode record
	planMode   bool // permissionMode is plan
	skillTool  bool // a call of the Skill tool ...
	planner    bool // ... naming the planner
	handoff    bool // ... naming intent or fixer
	enter      bool // a call of EnterPlanMode
	prompt     bool // a user message that is plain text
	typed      bool // ... opening with the command tag of intent or fixer
	writeTool  bool // a call of Write or Edit
	planPath   string
	agents     agentSet
	callID     string // first tool call id
	launched   bool   // the echo of a background launch
	verdict    string // PASS, FAIL, DENIED
	timestamp  string
}

// agentSet says which agents a line dispatches.
type agentSet struct{ plannerReview, plainReview, other bool }

// isPlanWrite reports whether the line writes a plan file.
func (f *lineFacts) isPlanWrite() bool { return f.planPath != "" && f.writeTool }

// readTranscript calls line for every line of the file r of size bytes, with its number from 1.
func readTranscript(r io.ReaderAt, size int64, line func(n int, f *lineFacts)) error {
	w := window{in: r, size: size, buf: make([]byte, 0, min(size+1, blockSize+2*lookAround))}
	facts, n := lineFacts{}, 1
	for {
		stop, err := w.fill()
		if err != nil {
			return err
		}
		for w.pos < stop {
			end, whole := stop, false
			if i := bytes.IndexByte(w.buf[w.pos:stop], '\n'); i >= 0 {
				end, whole = w.pos+i, true
			}
			w.collect(w.pos, end, &facts)
			w.pos = end
			if whole {
				facts.end = w.base + int64(end)
				line(n, &facts)
				n++
				w.pos++
				facts = lineFacts{start: w.base + int64(w.pos)}
			}
		}
		if w.atEnd() {
			break
		}
	}
	if facts.end = size; facts.end > facts.start {
		line(n, &facts)
	}
	return nil
}

// window is a part of the file: buf holds the bytes from base on, those before pos are done.
type window struct {
	in   io.ReaderAt
	size int64
	base int64
	buf  []byte
	pos  int
}

func (w *window) atEnd() bool { return w.base+int64(w.pos) >= w.size }

// fill moves the window on, keeping lookAround bytes behind pos, and returns the index up to which the signs can be
// judged: lookAround before the end of the window, or its end when that is the file's.
func (w *window) fill() (stop int, err error) {
	if drop := w.pos - lookAround; drop > 0 {
		w.buf = append(w.buf[:0], w.buf[drop:]...)
		w.base += int64(drop)
		w.pos -= drop
	}
	have := len(w.buf)
	room := min(int64(cap(w.buf)-have), w.size-w.base-int64(have))
	n, err := w.in.ReadAt(w.buf[have:have+int(room)], w.base+int64(have))
	w.buf = w.buf[:have+n]
	if err == io.EOF {
		w.size, err = w.base+int64(len(w.buf)), nil
	}
	if w.base+int64(len(w.buf)) >= w.size {
		return len(w.buf), err
	}
	return len(w.buf) - lookAround, err
}

// collect adds what the colons of buf[from:to] say to f.
func (w *window) collect(from, to int, f *lineFacts) {
	for i := from; i < to; i++ {
		next := bytes.IndexByte(w.buf[i:to], ':')
		if next < 0 {
			return
		}
		i += next
		before := byte(0)
		if i > 0 {
			before = w.buf[i-1]
		}
		switch before {
		case '"':
			w.keyAt(i, f)
		case 'T', '*', '_', '`':
			if f.verdict == "" {
				f.verdict = verdictAt(w.buf, i)
			}
		}
	}
}

// keyAt judges the key that ends before the colon at i, with its value.
func (w *window) keyAt(i int, f *lineFacts) {
	quote := bytes.LastIndexByte(w.buf[max(0, i-18):i-1], '"')
	if quote < 0 {
		return
	}
	key := w.buf[max(0, i-18)+quote+1 : i-1]
	rest := w.buf[i+1:]
	switch string(key) {
	case "type":
		f.modeRecord = f.modeRecord || is(rest, "permission-mode")
	case "permissionMode":
		f.planMode = f.planMode || is(rest, "plan")
	case "name":
		w.toolAt(i, rest, f)
	case "tool_name":
		f.writeTool = f.writeTool || is(rest, "Write") || is(rest, "Edit")
	case "skill":
		f.planner = f.planner || isNamed(rest, SkillPlanner)
		f.handoff = f.handoff || isNamed(rest, SkillIntent) || isNamed(rest, SkillFixer)
	case "message":
		f.messageAt(rest)
	case "file_path":
		if path := planPathOf(rest); path != "" {
			f.planPath = path
		}
	case "subagent_type":
		f.agents.add(rest)
	case "id":
		if f.callID == "" {
			f.callID = callIDOf(rest)
		}
	case "status":
		f.launched = f.launched || is(rest, "async_launched")
	case "timestamp":
		if f.timestamp == "" {
			f.timestamp = valueOf(rest)
		}
	}
}

func (w *window) toolAt(i int, rest []byte, f *lineFacts) {
	switch {
	case is(rest, "Write"), is(rest, "Edit"):
		f.writeTool = true
	case is(rest, "Skill"):
		f.skillTool = true
	case is(rest, "EnterPlanMode"):
		f.enter = f.enter || opensToolUse(w.buf[:i-len(`"name"`)])
	}
}

// opensToolUse reports whether before ends with `"type":"tool_use",` and, behind it, at most an id.
func opensToolUse(before []byte) bool {
	const open = `"type":"tool_use",`
	if bytes.HasSuffix(before, []byte(open)) {
		return true
	}
	at := bytes.LastIndex(before[max(0, len(before)-512):], []byte(open+`"id":"`))
	if at < 0 {
		return false
	}
	id := before[max(0, len(before)-512)+at+len(open+`"id":"`):]
	return bytes.IndexByte(id, '"') == len(id)-len(`",`) && bytes.HasSuffix(id, []byte(`",`))
}

// messageAt looks at what follows `"message":`.
func (f *lineFacts) messageAt(rest []byte) {
	rest, ok := bytes.CutPrefix(rest, []byte(`{`))
	if !ok {
		return
	}
	rest = bytes.TrimPrefix(rest, []byte(`"role":"user",`))
	text, ok := bytes.CutPrefix(rest, []byte(`"content":"`))
	if !ok {
		return
	}
	f.prompt = true
	for _, skill := range []string{SkillIntent, SkillFixer} {
		if bytes.HasPrefix(text, []byte("<command-message>"+PluginName+":"+skill+"</command-message>")) {
			f.typed = true
		}
	}
}

// add notes the agent that rest, a quoted value, names.
func (a *agentSet) add(rest []byte) {
	name := valueOf(rest)
	if prefix, bare, ok := strings.Cut(name, ":"); ok && isPluginPrefix(prefix) {
		name = bare
	}
	switch name {
	case AgentPlannerReview:
		a.plannerReview = true
	case AgentPlainPlanReview:
		a.plainReview = true
	default:
		a.other = true
	}
}

func isPluginPrefix(s string) bool {
	for _, c := range []byte(s) {
		if !wordByte(c) && c != '.' && c != '-' {
			return false
		}
	}
	return s != ""
}

// is reports whether rest begins with the quoted value.
func is(rest []byte, value string) bool {
	return len(rest) > len(value)+1 && rest[0] == '"' && rest[len(value)+1] == '"' && string(rest[1:len(value)+1]) == value
}

func isNamed(rest []byte, skill string) bool {
	return is(rest, skill) || is(rest, PluginName+":"+skill)
}

// valueOf returns the text of the quoted value rest begins with, as written; empty when rest begins with something else.
func valueOf(rest []byte) string {
	if len(rest) == 0 || rest[0] != '"' {
		return ""
	}
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return string(rest[1:i])
		case '\n':
			return ""
		}
	}
	return ""
}

// callIDOf returns the tool call id rest begins with.
func callIDOf(rest []byte) string {
	if !bytes.HasPrefix(rest, []byte(`"toolu_`)) {
		return ""
	}
	end := 1
	for end < len(rest) && idByte(rest[end]) {
		end++
	}
	if end == len(`"toolu_`) {
		return ""
	}
	return string(rest[1:end])
}

func idByte(c byte) bool { return wordByte(c) || c == '-' }

// planPathOf returns the path in the quoted value rest begins with, when it is that of a plan: a Markdown file below a
// directory called plans.
func planPathOf(rest []byte) string {
	raw := valueOf(rest)
	if !strings.HasSuffix(raw, ".md") || !strings.Contains(raw, PlansDir) {
		return ""
	}
	path := raw
	if json.Unmarshal([]byte(`"`+raw+`"`), &path) != nil {
		path = strings.ReplaceAll(raw, `\\`, `\`)
	}
	for at := 0; ; {
		i := strings.Index(path[at:], PlansDir)
		if i < 0 {
			return ""
		}
		at += i + len(PlansDir)
		opens := at == len(PlansDir) || isSlash(path[at-len(PlansDir)-1])
		if opens && at < len(path) && isSlash(path[at]) {
			return path
		}
	}
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }
