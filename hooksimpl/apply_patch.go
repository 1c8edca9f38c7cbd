package hooksimpl

import (
	"encoding/json"
	"slices"
	"strings"
)

// patchText is the patch of a Codex call: its body is the command, as one text or as the words of a call.
func patchText(p *Payload) string {
	fields := fieldsOf(p.input)
	for _, key := range []string{"command", "input", "patch"} {
		if text, ok := stringOf(fields[key]); ok {
			return text
		}
		var words []string
		if json.Unmarshal(fields[key], &words) == nil && len(words) > 0 {
			return words[len(words)-1]
		}
	}
	return ""
}

// patchedFiles are the files that a patch adds, updates or moves to, as it names them; a deleted one and the old name of a
// moved one are not among them.
func patchedFiles(patch string) []string {
	var files []string
	add := func(name string) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	updated := false // the last file named was one to update, which a move may follow
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		head, name, ok := strings.Cut(line, ": ")
		if !ok || !strings.HasPrefix(head, "*** ") {
			continue
		}
		switch head {
		case "*** Add File":
			add(name)
			updated = false
		case "*** Update File":
			before := len(files)
			add(name)
			updated = len(files) > before
		case "*** Move to":
			if updated {
				files = files[:len(files)-1]
			}
			add(name)
			updated = false
		case "*** Delete File":
			updated = false
		}
	}
	return files
}
