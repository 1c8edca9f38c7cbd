package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/fsx"
)

const (
	seenName     = "seen"
	identityName = "identity"
	seenWait     = time.Second
)

// Seen reports whether FirstTime was called for what in this session.
func Seen(root, session, what string) bool {
	return seenIn(filepath.Join(SessionDir(root, session), seenName), seenWord(what))
}

// FirstTime reports whether the session meets what for the first time, and remembers that it did. Of calls at the same time
// one is the first.
func FirstTime(files fsx.Door, root, session, what string) (bool, error) {
	if session == "" {
		return false, errors.New("no session")
	}
	path := filepath.Join(SessionDir(root, session), seenName)
	unlock, err := fsx.Lock(path+".lock", seenWait)
	if err != nil {
		return false, err
	}
	defer unlock()
	if seenIn(path, seenWord(what)) {
		return false, nil
	}
	return true, files.AppendLines(path, []byte(seenWord(what)+"\n"))
}

// seenWord stands for what in the file, which so holds no path.
func seenWord(what string) string {
	sum := sha256.Sum256([]byte(what))
	return hex.EncodeToString(sum[:12])
}

func seenIn(path, word string) bool {
	text, err := fsx.ReadLines(path)
	return err == nil && bytes.Contains(text, []byte(word+"\n"))
}

// SessionIdentity is the repository's identity as the session asked git for it first, empty when it did not yet.
func SessionIdentity(root, session string) string {
	text, err := os.ReadFile(filepath.Join(SessionDir(root, session), identityName))
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(text), "\n")
}

// KeepIdentity keeps the repository's identity for the other calls of the session.
func KeepIdentity(files fsx.Door, root, session, identity string) {
	if session != "" {
		_ = files.WriteOwn(filepath.Join(SessionDir(root, session), identityName), []byte(identity+"\n"), nil)
	}
}
