package hooksimpl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRequiresNote(t *testing.T) {
	t.Parallel()
	w := &World{Getenv: func(string) string { return "" }, Now: time.Now}
	dir := t.TempDir()
	mkdir(t, filepath.Join(dir, ".claude"))
	if err := os.WriteFile(filepath.Join(dir, ".claude", "viber.yml"), []byte("schema: 3\nrequires: \">=2.0\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if note := requiresNote(w, &Payload{Cwd: dir}, "1.4.0"); !strings.Contains(note, "viber upgrade") {
		t.Errorf("an older viber is told %q", note)
	}
	for _, version := range []string{"2.1.0", "dev"} {
		if note := requiresNote(w, &Payload{Cwd: dir}, version); note != "" {
			t.Errorf("viber %s is told %q", version, note)
		}
	}
}

// TestTextsComeFromTheBinary: a project can set CLAUDE_PLUGIN_ROOT for the user's hooks; it must not choose what the model
// reads.
func TestTextsComeFromTheBinary(t *testing.T) {
	t.Parallel()
	planted := t.TempDir()
	mkdir(t, filepath.Join(planted, ContentDir))
	for _, name := range []string{ManifestFile, HintsFile} {
		if err := os.WriteFile(filepath.Join(planted, ContentDir, name), []byte("PLANTED"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w := &World{Getenv: func(key string) string {
		if key == "CLAUDE_PLUGIN_ROOT" {
			return planted
		}
		return ""
	}, Now: time.Now}
	start := answers(t, w, EventSessionStart, strings.NewReader(`{"hook_event_name":"SessionStart","source":"startup"}`))
	hint := answers(t, w, EventUserPromptSubmit, strings.NewReader(`{"hook_event_name":"UserPromptSubmit","permission_mode":"plan"}`))
	if strings.Contains(start+hint, "PLANTED") || !strings.Contains(start, "<viber>") || !strings.Contains(hint, "Write into the plan") {
		t.Errorf("start: %s\nhint: %s", start, hint)
	}
}
