package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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
func StateDir(root, key string) string { return filepath.Join(stateHome(root), "runs", key) }

// SessionDir is where hooks keep what one session of the client leaves between their calls.
func SessionDir(root, session string) string {
	return filepath.Join(SessionsDir(root), sessionName(session))
}

// SessionsDir holds the SessionDir of every session in the project.
func SessionsDir(root string) string { return filepath.Join(stateHome(root), "sessions") }

func stateHome(root string) string {
	if l, ok := gitx.Find(root); ok && l.CommonDir != "" {
		return filepath.Join(l.CommonDir, "viber")
	}
	return filepath.Join(root, ".temp", "viber")
}

// sessionName is a session's id as the name of a folder. The client's own ids stay as they are.
func sessionName(id string) string {
	if len(id) <= 64 && isFileName(id) && !strings.HasPrefix(id, ".") {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// Owner returns the session that owns the run key; ok is false when none is known.
func Owner(root, key string) (s Session, ok bool) {
	text, err := os.ReadFile(filepath.Join(StateDir(root, key), "session.json"))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return Session{}, false
	}
	return s, s.ID != ""
}

// ownedName is the file in a SessionDir that holds the key of the run the session claimed last.
const ownedName = "run"

// Owned returns the key of the run that session owns: the one it claimed last, as long as no newer session took it over.
func Owned(root, session string) (key string, ok bool) {
	if session == "" {
		return "", false
	}
	text, err := os.ReadFile(filepath.Join(SessionDir(root, session), ownedName))
	key = strings.TrimSpace(string(text))
	if err != nil || !isFileName(key) {
		return "", false
	}
	owner, ok := Owner(root, key)
	return key, ok && owner.ID == session
}

// Claim makes session id the owner of the run key from now on. It is no work of the caller's own and writes only when the
// owner changes.
func Claim(files fsx.Door, root, key, id string, now time.Time) error {
	if id == "" || !isFileName(key) {
		return nil
	}
	if owned, ok := Owned(root, id); ok && owned == key {
		return nil
	}
	text, err := json.Marshal(Session{ID: id, Since: now.UTC().Truncate(time.Second)})
	if err != nil {
		return err
	}
	if err := files.WriteOwn(filepath.Join(StateDir(root, key), "session.json"), append(text, '\n'), nil); err != nil {
		return err
	}
	return files.WriteOwn(filepath.Join(SessionDir(root, id), ownedName), []byte(key+"\n"), nil)
}
