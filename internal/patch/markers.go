package patch

import (
	"bytes"
	"strings"
)

// Marker is a shortcut somebody took on purpose: the text behind "shortcut:" in a comment of an added line.
type Marker struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Markers returns the shortcut markers in the added lines of a patch.
func Markers(text []byte) []Marker {
	var all []Marker
	Added(text, func(l Line) {
		if note, ok := marker(l.Text); ok {
			all = append(all, Marker{File: l.Path, Line: l.Number, Text: note})
		}
	})
	return all
}

const word = "shortcut:"

// marker finds "shortcut:" behind the opening of a comment that does not itself stand in a text.
func marker(line []byte) (string, bool) {
	i := bytes.Index(bytes.ToLower(line), []byte(word))
	if i < 0 || !opensComment(line[:i]) {
		return "", false
	}
	note := strings.TrimSpace(string(line[i+len(word):]))
	for _, end := range []string{"*/", "-->", "--}}", "#}"} {
		note = strings.TrimSpace(strings.TrimSuffix(note, end))
	}
	return note, note != ""
}

func opensComment(before []byte) bool {
	text := strings.TrimRight(string(before), " \t!@")
	// a line of a comment block, or a comment up to the marker, perhaps with an owner between: "TODO(kim) shortcut:"
	for _, open := range []string{"//", "/*", "<!--", "{{!--", "{#", "--", "#", ";", "%", "*"} {
		i := strings.LastIndex(text, open)
		if i < 0 || !outsideText(text[:i]) {
			continue
		}
		between := strings.TrimSpace(text[i+len(open):])
		atStart := strings.TrimSpace(text[:i]) == ""
		if (open == "*" || open == ";" || open == "%") && !atStart {
			continue
		}
		if between == "" || !strings.ContainsAny(between, "\"'`=;{") && len(strings.Fields(between)) <= 3 {
			return true
		}
	}
	return false
}

// outsideText says that the quotes before a place are all closed.
func outsideText(before string) bool {
	for _, quote := range []string{`"`, "'", "`"} {
		if (strings.Count(before, quote)-strings.Count(before, `\`+quote))%2 != 0 {
			return false
		}
	}
	return true
}
