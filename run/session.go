package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// Session is the client session that owns a run: the newest one in which a command of the run's life ran.
type Session struct {
	ID    string    `json:"session_id"`
	Since time.Time `json:"since"`
}

// StateDir is where a run keeps what is not part of its plan: state.json, session.json, tasks.json, events. It lies in the
// git directory all work trees share, or in .temp of the project outside git.
func StateDir(root, key string) string {
	if l, ok := gitx.Find(root); ok && l.CommonDir != "" {
		return filepath.Join(l.CommonDir, "viber", "runs", key)
	}
	return filepath.Join(root, ".temp", "viber", "runs", key)
}

// Owner returns the session that owns the run key; ok is false when none is known.
func Owner(root, key string) (s Session, ok bool) {
	text, err := os.ReadFile(filepath.Join(StateDir(root, key), "session.json"))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return Session{}, false
	}
	return s, s.ID != ""
}

// Claim makes session id the owner of the run key from now on. It is no work of the caller's own and writes only when the
// owner changes.
func Claim(files fsx.Door, root, key, id string, now time.Time) error {
	if id == "" || !isFileName(key) {
		return nil
	}
	if s, ok := Owner(root, key); ok && s.ID == id {
		return nil
	}
	text, err := json.Marshal(Session{ID: id, Since: now.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(StateDir(root, key), "session.json"), append(text, '\n'), fsx.Options{Mode: 0o600})
}
