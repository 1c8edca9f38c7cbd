package run

import (
	"fmt"
	"strings"
)

// AddToStatus adds value to the words of key in the text of a status.md (commit contract, 1.9) and brings the progress line
// up to date: done words of total. Lines it does not touch stay byte for byte; a touched one loses its CR. Empty text gives
// a fresh file.
func AddToStatus(text, key, value string, total int) string {
	lines := statusLines(text, total)
	at := keyLine(lines, key)
	if at < 0 {
		lines = append(lines, key+": "+value)
	} else {
		lines[at] = key + ": " + withWord(statusValue(lines[at], key), value)
	}
	count := 0
	if at := keyLine(lines, "done"); at >= 0 {
		count = len(words(statusValue(lines[at], "done")))
	}
	progress := fmt.Sprintf("progress: %d/%d", count, total)
	if at := keyLine(lines, "progress"); at >= 0 {
		lines[at] = progress
	} else {
		lines = append(lines, progress)
	}
	return strings.Join(lines, "\n") + "\n"
}

// AddDecision adds a decision for a task to the text of a status.md, once; the progress line is not touched.
func AddDecision(text, id, decision string, total int) string {
	return addLine(strings.Join(statusLines(text, total), "\n")+"\n", "decision: "+id+": "+decision)
}

// AddRuling adds a ruling to the text of a rulings.md, once.
func AddRuling(text, subject, ruling, why, cost string) string {
	if text == "" {
		text = "# Rulings\n\n"
	}
	return addLine(text, fmt.Sprintf("- %s: %s | why: %s | cost if wrong: %s", subject, ruling, why, cost))
}

// StatusWords are the words of key's first line in the text of a status.md.
func StatusWords(text, key string) []string {
	lines := splitLines(text)
	if at := keyLine(lines, key); at >= 0 {
		return words(statusValue(lines[at], key))
	}
	return nil
}

func statusLines(text string, total int) []string {
	if text == "" {
		text = NewStatus(total)
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// addLine appends line unless the text has it, after a missing final newline.
func addLine(text, line string) string {
	for _, l := range splitLines(text) {
		if strings.TrimSuffix(l, "\r") == line {
			return text
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + line + "\n"
}

func keyLine(lines []string, key string) int {
	for i, l := range lines {
		if strings.HasPrefix(l, key+":") {
			return i
		}
	}
	return -1
}

// statusValue is the value of a key's line; none and - are empty.
func statusValue(line, key string) string {
	value := trim(strings.TrimPrefix(line, key+":"))
	if value == "none" || value == "-" {
		return ""
	}
	return value
}

func withWord(value, word string) string {
	for _, w := range words(value) {
		if w == word {
			return value
		}
	}
	if value == "" {
		return word
	}
	return value + " " + word
}
