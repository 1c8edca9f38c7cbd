package term

import "strings"

// Diff returns a unified diff in git's colours where Out may carry colour, and as it is elsewhere.
func (s Streams) Diff(text string) string {
	if !s.Color() {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\r\n")
		if code := diffColor(body); code != "" {
			body = "\x1b[" + code + "m" + body + "\x1b[m"
		}
		b.WriteString(body + line[len(strings.TrimRight(line, "\r\n")):])
	}
	return b.String()
}

func diffColor(line string) string {
	switch {
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return "1"
	case strings.HasPrefix(line, "@@"):
		return "36"
	case strings.HasPrefix(line, "+"):
		return "32"
	case strings.HasPrefix(line, "-"):
		return "31"
	}
	return ""
}
