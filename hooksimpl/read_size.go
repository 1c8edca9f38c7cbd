package hooksimpl

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"viber/schema"
)

// The stable codes of read-size's refusals.
const (
	codeReadSize  = "VG-101" // the Read tool
	codeShellSize = "VG-102" // a shell command
)

const (
	readObserve = "observe"
	readEnforce = "enforce"
)

// readSize speaks when a large file is about to be read whole, by the Read tool or by a shell command that prints it.
func readSize() check {
	return check{
		name:    "read-size",
		events:  []string{EventPreToolUse},
		tools:   []string{ToolRead, ToolBash, ToolPowerShell},
		run:     runReadSize,
		fault:   silence,
		because: explainReadSize,
	}
}

func runReadSize(w *World, p *Payload) Verdict {
	if p.Tool != ToolRead && len(p.input) < longCommand && !printsFiles(p.Tool, p.shell(w)) {
		return Verdict{} // most calls need no look at the configuration
	}
	c, value := w.guard(p, "read-size")
	if value == switchOff {
		return Verdict{}
	}
	big, ok := findBigRead(w, p, readLimits(c))
	if !ok {
		return Verdict{}
	}
	if w.mayWrite() {
		logBigRead(w, c.Root, p, big, value)
	}
	if value != readEnforce {
		return Verdict{}
	}
	return Verdict{Decision: Deny, Reason: big.reason(p.Tool)}
}

// sizeLimits are the largest file that may be read whole.
type sizeLimits struct{ bytes, lines int64 }

func readLimits(c *schema.Config) sizeLimits {
	number := func(key string, otherwise int64) int64 {
		n, err := strconv.ParseInt(c.Value(key), 10, 64)
		if err != nil || n <= 0 {
			return otherwise
		}
		return n
	}
	return sizeLimits{number("guards.read-size-limit", 256<<10), number("guards.read-size-lines", 4000)}
}

// bigRead is a file over a limit that is about to be read whole.
type bigRead struct {
	path  string // absolute
	name  string // for people
	bytes int64
	lines int64 // 0 = not counted
	limit string
}

func findBigRead(w *World, p *Payload, limits sizeLimits) (bigRead, bool) {
	if p.Tool == ToolRead {
		return bigReadCall(w, p, limits)
	}
	for _, print := range wholePrints(p, p.shell(w)) {
		if big, ok := limits.exceeded(w, print.path, print.lines); ok {
			big.name = shortPath(p.Cwd, print.path)
			return big, true
		}
	}
	return bigRead{}, false
}

// bigReadCall judges a call of the Read tool: one with a limit reads a part, and pictures and documents have no lines.
func bigReadCall(w *World, p *Payload, limits sizeLimits) (bigRead, bool) {
	var limit any
	fields := fieldsOf(p.input)
	if raw, ok := fields["limit"]; ok && string(raw) != "null" {
		limit = raw
	}
	name, _ := p.Input("file_path")
	if name == "" || limit != nil || notText(name) {
		return bigRead{}, false
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(p.Cwd, name)
	}
	big, ok := limits.exceeded(w, name, 0)
	big.name = shortPath(p.Cwd, name)
	return big, ok
}

func notText(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".pdf", ".ipynb":
		return true
	}
	return false
}

// exceeded reports whether the file at path is over a limit; with upTo above 0 only that many lines of it are read.
func (l sizeLimits) exceeded(w *World, path string, upTo int64) (bigRead, bool) {
	info, err := w.Stat(path)
	if err != nil || !info.Mode().IsRegular() || upTo > 0 && upTo <= l.lines {
		return bigRead{}, false
	}
	big := bigRead{path: path, bytes: info.Size()}
	if big.bytes > l.bytes {
		big.limit = fmt.Sprintf("%d bytes", l.bytes)
		return big, true
	}
	text, err := w.Read(path, l.bytes)
	if err != nil {
		return bigRead{}, false
	}
	big.lines = int64(bytes.Count(text, []byte("\n")))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		big.lines++
	}
	big.limit = fmt.Sprintf("%d lines", l.lines)
	return big, big.lines > l.lines
}

func (b bigRead) size() string {
	if b.lines > 0 {
		return fmt.Sprintf("%d bytes, %d lines", b.bytes, b.lines)
	}
	return fmt.Sprintf("%d bytes", b.bytes)
}

func (b bigRead) reason(tool string) string {
	head := fmt.Sprintf("%s has %s, more than the %s that are read whole here.", b.name, b.size(), b.limit)
	switch tool {
	case ToolRead:
		return codeReadSize + ": " + head + " Read a part: Read with offset and limit. To find the part, search the file first (grep -n)."
	case ToolPowerShell:
		return codeShellSize + ": " + head + " Print a part: Get-Content -TotalCount 200, or Select-String to find it; or Read with offset and limit."
	}
	return codeShellSize + ": " + head + " Print a part: grep -n to find it, sed -n '1,200p' to show it; or Read with offset and limit."
}

func explainReadSize(w *World, p *Payload) []string {
	c, value := w.guard(p, "read-size")
	if value == switchOff {
		return []string{"guards.read-size is off here"}
	}
	limits := readLimits(c)
	lines := []string{fmt.Sprintf("guards.read-size is %s, over %d bytes or %d lines", value, limits.bytes, limits.lines)}
	if big, ok := findBigRead(w, p, limits); ok {
		return append(lines, fmt.Sprintf("%s has %s", big.name, big.size()))
	}
	return append(lines, "nothing over a limit is read whole")
}
