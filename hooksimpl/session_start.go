package hooksimpl

import (
	"bytes"

	"viber/schema"
)

// sessionStart greets: a banner for the user, with a note when the project's viber.yml is of another schema, and the
// plugin's manifest for the model.
func sessionStart() check {
	return check{
		name:    "session-start",
		events:  []string{EventSessionStart},
		sources: []string{"startup", "clear", "compact"},
		run: func(w *World, p *Payload) Verdict {
			v := greeting(w)
			v.System += schemaNote(w, p) + requiresNote(w, p, w.version()) + handshakeNote(w)
			return v
		},
		because: explainStart,
		fault:   func(w *World, _ *Payload) Verdict { return greeting(w) },
	}
}

func greeting(w *World) Verdict {
	text, _ := w.pluginFile(ContentDir+"/"+ManifestFile, true)
	return Verdict{System: "viber loaded " + w.version(), Context: string(bytes.TrimRight(text, "\n"))}
}

// schemaNote compares the project's viber.yml with the schema this version writes: the binary's, or that of the template in
// the plugin folder under --root.
func schemaNote(w *World, p *Payload) string {
	c := w.project(p)
	if c == nil {
		return ""
	}
	expected := schema.Newest
	if w.Root != "" {
		template, err := w.pluginFile(TemplateFile, true)
		if err != nil {
			return ""
		}
		expected = schema.NumberIn(string(template))
	}
	return c.Note(p.Cwd, expected)
}

// requiresNote names the way out when the project asks for another version of viber than this one.
func requiresNote(w *World, p *Payload, version string) string {
	c := w.project(p)
	if w.Root != "" || c == nil {
		return ""
	}
	if note := c.CheckRequires(version); note != "" {
		return " - " + note
	}
	return ""
}
