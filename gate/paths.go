package gate

import (
	"path"
	"strings"
)

// pathProblem says what is wrong with a project path, and the right form; empty when nothing is.
func pathProblem(p Path) (cause, want string) {
	text := string(p)
	switch {
	case text == "":
		return "", "" // the shape has said it
	case strings.Contains(text, `\`):
		return short(text) + " has backslashes", short(strings.ReplaceAll(text, `\`, "/"))
	case strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") || len(text) > 1 && text[1] == ':':
		return short(text) + " is not relative", "a path relative to the project's root"
	case hasDotDot(text):
		return short(text) + " leaves its directory with '..'", "a path without '..'"
	case strings.HasSuffix(text, "/"):
		return short(text) + " is a directory", "a file"
	case strings.ContainsAny(text, "\x00\n\r\t"):
		return short(text) + " holds a control character", "a plain path"
	}
	return "", ""
}

func hasDotDot(p string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// clean is the one spelling of a path: no leading ./, no doubled slash.
func clean(p Path) string { return path.Clean(string(p)) }

// checkPath reports a bad path at where.
func checkPath(p Path, where string, r *report) {
	if cause, want := pathProblem(p); cause != "" {
		r.wrong(where, cause, want)
	}
}
