package run

import "strings"

// strip drops HTML comments outside code fences and collapses blank runs: one empty line between kept lines, none at the
// start or end (spec plan 4.4). keep says which lines that start with "<!--" stay; it sees the trimmed line.
func strip(lines []string, keep func(trimmed string) bool) []string {
	var out []string
	var f fence
	comment, blank := false, false
	for _, line := range lines {
		if comment {
			comment = !strings.Contains(line, "-->")
			continue
		}
		t := trim(line)
		if !f.step(line) {
			if t == "" {
				blank = true
				continue
			}
			if strings.HasPrefix(t, "<!--") && !keep(t) {
				comment = !strings.Contains(t, "-->")
				continue
			}
		}
		if blank && len(out) > 0 {
			out = append(out, "")
		}
		blank = false
		out = append(out, line)
	}
	return out
}

// keepInPlan keeps task markers and an older plan's source comment.
func keepInPlan(trimmed string) bool {
	return taskMarker(trimmed) != noMarker || strings.HasPrefix(trimLeft(trimmed[len("<!--"):]), "source:")
}

func keepNone(string) bool { return false }

// stripPlan returns the text of a landed plan: comments dropped, blank runs collapsed.
func stripPlan(text string) []string { return strip(splitLines(text), keepInPlan) }

// withSource rewrites the source lines of the frontmatter to name path; lines without one get none.
func withSource(lines []string, path string) []string {
	if len(lines) == 0 || !isRule(lines[0]) {
		return lines
	}
	for i := 1; i < len(lines) && !isRule(lines[i]); i++ {
		if strings.HasPrefix(lines[i], "source:") {
			lines[i] = "source: " + path
		}
	}
	return lines
}
