package hooksimpl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSessionStartNamesAPluginOfAnotherVersionOnceADay(t *testing.T) {
	state := t.TempDir()
	now := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	w := &World{Getenv: func(string) string { return "" }, Now: func() time.Time { return now }, State: func() string { return state }}
	record := func(version string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(state, "record.json"), []byte(`{"schema":1,"plugin":{"version":"`+version+`"}}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	say := func() string { return handshakeNote(w) }
	if got := say(); got != "" {
		t.Errorf("no record: %q", got)
	}
	record(w.version())
	if got := say(); got != "" {
		t.Errorf("the same version: %q", got)
	}
	record("0.9.0")
	if got := say(); !strings.Contains(got, "of viber 0.9.0, this is "+w.version()+": run viber upgrade") {
		t.Errorf("another version: %q", got)
	}
	if got := say(); got != "" {
		t.Errorf("a second time on the same day: %q", got)
	}
	now = now.Add(24 * time.Hour)
	if got := say(); got == "" {
		t.Error("nothing on the next day")
	}
	if err := os.WriteFile(filepath.Join(state, "record.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := say(); got != "" {
		t.Errorf("a broken record: %q", got)
	}
}
