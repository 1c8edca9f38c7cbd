package hooksimpl

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"viber/internal/fsx"
)

const (
	recordLimit     = 4 << 20 // bytes of viber's record
	handshakeFile   = "handshake.json"
	handshakeFormat = time.DateOnly
)

// handshakeNote says, once a day, that the installed plugin is of another version than this binary: somebody replaced one
// of them alone. The record that setup keeps names the plugin's version.
func handshakeNote(w *World) string {
	if w.Root != "" || w.State == nil || !w.mayWrite() {
		return ""
	}
	state := w.State()
	if state == "" {
		return ""
	}
	var record struct {
		Plugin *struct {
			Version string `json:"version"`
		} `json:"plugin"`
	}
	text, err := w.Read(filepath.Join(state, "record.json"), recordLimit)
	if err != nil || json.Unmarshal(text, &record) != nil || record.Plugin == nil || record.Plugin.Version == w.version() {
		return ""
	}
	if !w.firstToday(state) {
		return ""
	}
	return fmt.Sprintf(" - the installed plugin is of viber %s, this is %s: run viber upgrade", record.Plugin.Version, w.version())
}

// firstToday reports whether nobody was told yet today, and notes that somebody is now.
func (w *World) firstToday(state string) bool {
	path := filepath.Join(state, handshakeFile)
	today := w.Now().UTC().Format(handshakeFormat)
	line, _ := json.Marshal(map[string]string{"told": today})
	if told, err := w.Read(path, 1<<10); err == nil && string(told) == string(line)+"\n" {
		return false
	}
	return fsx.Door{}.WriteOwn(path, append(line, '\n'), nil) == nil
}
