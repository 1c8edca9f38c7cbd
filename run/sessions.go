package run

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"viber/gate"
	"viber/internal/fsx"
)

// Counts says how often names occurred.
type Counts map[string]int

// Bounds of a session's note.
const (
	shapeNames    = 40 // distinct names of one kind
	shapeNameSize = 80
)

// Add counts one more of name. Names that are no plain word, or one too many, count as "other".
func (c Counts) Add(name string) {
	if _, known := c[name]; !known && (!isFileName(name) || len(name) > shapeNameSize || len(c) >= shapeNames) {
		name = "other"
	}
	c[name]++
}

// Shape is the mechanical shape of a session: how often which tool was used, which commands failed, which calls the user
// refused. It never holds an argument or any output.
type Shape struct {
	Tools   Counts `json:"tools"`
	Failed  Counts `json:"failed,omitempty"`
	Refused Counts `json:"refused,omitempty"`
}

// NewShape returns a shape that can be counted into.
func NewShape() Shape { return Shape{Tools: Counts{}, Failed: Counts{}, Refused: Counts{}} }

// SessionNote is the line that is kept of a session that had no run.
type SessionNote struct {
	Session string     `json:"session"`
	At      gate.Stamp `json:"at"`
	Shape
}

const (
	sessionNotes = 200 // kept, the newest
	sessionsFile = "sessions.jsonl"
	notesWait    = 500 * time.Millisecond
	sessionAge   = 30 * 24 * time.Hour // after which a session's folder goes
)

// NoteSession keeps the note; an earlier one of the same session gives way, and the same one twice is written once.
func NoteSession(files fsx.Door, root string, n SessionNote) error {
	path := filepath.Join(stateHome(root), sessionsFile)
	unlock, err := fsx.Lock(path+".lock", notesWait)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := ReadSessionNotes(root)
	if err != nil {
		return err
	}
	kept := all[:0]
	for _, old := range all {
		if old.Session != n.Session {
			kept = append(kept, old)
		} else if old.sameShape(n) {
			return nil
		}
	}
	kept = append(kept, n)
	return files.WriteOwn(path, encodeNotes(kept[max(0, len(kept)-sessionNotes):]), nil)
}

func (n SessionNote) sameShape(o SessionNote) bool {
	a, _ := json.Marshal(n.Shape)
	b, _ := json.Marshal(o.Shape)
	return bytes.Equal(a, b)
}

func encodeNotes(all []SessionNote) []byte {
	var text bytes.Buffer
	for _, n := range all {
		line, _ := json.Marshal(n)
		text.Write(append(line, '\n'))
	}
	return text.Bytes()
}

// ReadSessionNotes returns what is kept of sessions without a run, oldest first.
func ReadSessionNotes(root string) ([]SessionNote, error) {
	data, err := fsx.ReadLines(filepath.Join(stateHome(root), sessionsFile))
	if err != nil {
		return nil, err
	}
	all := []SessionNote{}
	for line := range bytes.Lines(data) {
		var n SessionNote
		if json.Unmarshal(line, &n) == nil && n.Session != "" {
			all = append(all, n)
		}
	}
	return all, nil
}

// SweepSessions removes what sessions left between their calls long ago.
func SweepSessions(files fsx.Door, root string, now time.Time) {
	dir := SessionsDir(root)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && now.Sub(info.ModTime()) > sessionAge {
			_ = files.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}
