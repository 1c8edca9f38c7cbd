package hooksimpl

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"viber/internal/fsx"
)

// readSizeLog is the log of read-size below the project's root: one line a call.
const readSizeLog = ".temp/viber/read-size.jsonl"

const (
	readLogLimit = 1 << 20 // bytes; the older half goes when the log grows over it
	readLogWait  = time.Second
)

// bigReadLine is one line of the log.
type bigReadLine struct {
	At      string `json:"at"`
	Session string `json:"session,omitempty"`
	Call    string `json:"call,omitempty"`
	Tool    string `json:"tool"`
	File    string `json:"file"`
	Bytes   int64  `json:"bytes"`
	Lines   int64  `json:"lines,omitempty"`
	Verdict string `json:"verdict"` // observed or denied
}

// logBigRead notes the call, once; what goes wrong is let go.
func logBigRead(w *World, root string, p *Payload, big bigRead, value string) {
	path := filepath.Join(root, filepath.FromSlash(readSizeLog))
	if leadsElsewhere(root, path) {
		return
	}
	line := bigReadLine{
		At: w.Now().UTC().Format(time.RFC3339), Session: p.Session, Call: p.text("tool_use_id"), Tool: p.Tool,
		File: shortPath(root, big.path), Bytes: big.bytes, Lines: big.lines, Verdict: "observed",
	}
	if value == readEnforce {
		line.Verdict = "denied"
	}
	text, err := json.Marshal(line)
	if err != nil {
		return
	}
	unlock, err := fsx.Lock(path+".lock", readLogWait)
	if err != nil {
		return
	}
	defer unlock()
	before, err := fsx.ReadLines(path)
	if err != nil || line.Call != "" && bytes.Contains(before, []byte(`"call":"`+line.Call+`"`)) {
		return
	}
	text = append(text, '\n')
	if len(before)+len(text) <= readLogLimit {
		_ = w.Files.AppendLines(path, text)
		return
	}
	half := before[len(before)/2:]
	half = half[bytes.IndexByte(half, '\n')+1:]
	_ = w.Files.WriteOwn(path, append(bytes.Clone(half), text...), nil)
}

// leadsElsewhere reports whether the log's file or a folder above it in the project is a link: a project must not choose
// where viber writes.
func leadsElsewhere(root, path string) bool {
	for at := path; at != root && len(at) > len(root); at = filepath.Dir(at) {
		if info, err := os.Lstat(at); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}
