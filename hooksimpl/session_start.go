package hooksimpl

import (
	"bytes"
	"path/filepath"
	"strings"

	"viber/internal/gitx"
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
			v.System += schemaNote(w, p.Cwd)
			return v
		},
		fault: func(w *World, _ *Payload) Verdict { return greeting(w) },
	}
}

func greeting(w *World) Verdict {
	text, _ := w.pluginFile(ContentDir+"/"+ManifestFile, true)
	return Verdict{System: "viber loaded " + w.version(), Context: string(bytes.TrimRight(text, "\n"))}
}

func schemaNote(w *World, cwd string) string {
	if cwd == "" || !w.IsDir(cwd) {
		return ""
	}
	template, err := w.pluginFile(TemplateFile, true)
	if err != nil {
		return ""
	}
	project, err := w.Read(projectConfig(w, cwd), textLimit)
	if err != nil {
		return ""
	}
	have, want := schemaNumber(project), schemaNumber(template)
	switch compareDigits(have, want) {
	case -1:
		return " - .claude/viber.yml is at schema " + have + ", this version expects " + want + ": run /viber:setup"
	case 1:
		return " - .claude/viber.yml is at schema " + have + ", newer than this version's " + want + ": update the viber plugin"
	}
	return ""
}

// projectConfig is the viber.yml of cwd: the one at the top of its repository when there is one, else the one in cwd.
func projectConfig(w *World, cwd string) string {
	if repo, ok := gitx.Find(cwd); ok {
		if path := filepath.Join(repo.Top, ".claude", "viber.yml"); w.IsFile(path) {
			return path
		}
	}
	return filepath.Join(cwd, ".claude", "viber.yml")
}

// schemaNumber returns the number of the first `schema:` line, without leading zeros; "0" when there is none or when it is
// no number.
func schemaNumber(file []byte) string {
	for line := range bytes.SplitSeq(file, []byte{'\n'}) {
		value, ok := bytes.CutPrefix(line, []byte("schema:"))
		if !ok {
			continue
		}
		value, _, _ = bytes.Cut(value, []byte{'#'})
		return digits(strings.Join(strings.Fields(string(value)), ""))
	}
	return "0"
}

func digits(s string) string {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return "0"
		}
	}
	if s = strings.TrimLeft(s, "0"); s == "" {
		return "0"
	}
	return s
}

// compareDigits compares two numbers of any length, written without leading zeros.
func compareDigits(a, b string) int {
	if len(a) != len(b) {
		if len(a) < len(b) {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}
