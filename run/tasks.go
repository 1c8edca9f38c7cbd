package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"viber/gate"
	"viber/internal/fsx"
	"viber/internal/secrets"
)

// TasksName is the file of a run's state directory that mirrors the client's own task list.
const TasksName = "tasks.json"

// Mirror is the client's task list as the session that owns the run sees it.
type Mirror struct {
	Session string       `json:"session_id"`
	Tasks   []MirrorTask `json:"tasks"`
}

// MirrorTask is one task of the client's list; State is the client's word (pending, in_progress, completed, deleted).
type MirrorTask struct {
	ID      string     `json:"id"`
	Subject string     `json:"subject,omitempty"`
	State   string     `json:"state"`
	At      gate.Stamp `json:"at"`
}

// Bounds of a mirror. With the list full, a new task takes the place of the one that was finished first.
const (
	mirrorTasks   = 1000
	mirrorID      = 64  // bytes; a task with a longer id is left out
	mirrorSubject = 200 // characters; of a state too
	mirrorWait    = 3 * time.Second
)

// MirrorTaskChange writes what changed in one task of session's list into the run key; an empty Subject or State stays as it was.
// The list of an earlier session gives way. Calls may run at the same time: none loses another's entry.
func MirrorTaskChange(files fsx.Door, root, key, session string, change MirrorTask) error {
	path := filepath.Join(StateDir(root, key), TasksName)
	unlock, err := fsx.Lock(path+".lock", mirrorWait)
	if err != nil {
		return err
	}
	defer unlock()
	m, err := readMirror(path)
	if err != nil {
		return err
	}
	if m.Session != session {
		m = Mirror{Session: session}
	}
	if !m.change(change.clean()) {
		return nil
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return files.WriteOwn(path, append(text, '\n'), nil)
}

// ReadMirror returns the mirrored list of the run; an empty one when there is none.
func ReadMirror(root, key string) (Mirror, error) {
	return readMirror(filepath.Join(StateDir(root, key), TasksName))
}

func readMirror(path string) (m Mirror, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return Mirror{}, nil
	}
	if err != nil {
		return Mirror{}, fmt.Errorf("%s: %w", path, cause(err))
	}
	if json.Unmarshal(text, &m) != nil {
		return Mirror{}, nil // a copy of what the client knows: it begins anew
	}
	return m, nil
}

// clean keeps the entry on one line, short, and free of credentials.
func (t MirrorTask) clean() MirrorTask {
	t.Subject, t.State = short(t.Subject), short(t.State)
	if len(secrets.Find([]byte(t.Subject))) > 0 {
		t.Subject = "(a subject with a credential in it)"
	}
	return t
}

func short(text string) string {
	text = oneLine(text)
	if utf8.RuneCountInString(text) > mirrorSubject {
		text = string([]rune(text)[:mirrorSubject])
	}
	return text
}

// change brings one task up to date and reports whether anything is different.
func (m *Mirror) change(t MirrorTask) bool {
	for i, old := range m.Tasks {
		if old.ID != t.ID {
			continue
		}
		next := old
		next.Subject, next.State = first(t.Subject, old.Subject), first(t.State, old.State)
		if next == old {
			return false
		}
		next.At = t.At
		m.Tasks[i] = next
		return true
	}
	if t.ID == "" || len(t.ID) > mirrorID || strings.ContainsAny(t.ID, "\r\n") || !m.makeRoom() {
		return false
	}
	t.State = first(t.State, "pending")
	m.Tasks = append(m.Tasks, t)
	return true
}

// makeRoom drops the task that was finished first when the list is full; false when none is finished.
func (m *Mirror) makeRoom() bool {
	if len(m.Tasks) < mirrorTasks {
		return true
	}
	oldest := -1
	for i, t := range m.Tasks {
		if (t.State == "completed" || t.State == "deleted") && (oldest < 0 || t.At < m.Tasks[oldest].At) {
			oldest = i
		}
	}
	if oldest < 0 {
		return false
	}
	m.Tasks = slices.Delete(m.Tasks, oldest, oldest+1)
	return true
}
