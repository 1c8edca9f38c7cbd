package run

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// badPath says what is wrong with one entry of Files, the first reason only, and how to write it; "" for a usable path.
func badPath(p string) (problem, remedy string) {
	switch {
	case p == "":
		return "is empty", "drop the comma"
	case isPattern(p):
		return "is a glob", "name each file"
	case p[0] == '/' || p[0] == '~' || hasDrive(p):
		return "is not relative", "write the path from the repository root"
	case strings.HasSuffix(p, "/"):
		return "is a directory", "name each file in it"
	case hasBlank(p):
		return "holds a blank; an annotation does not belong here", "name the bare path"
	case strings.ContainsAny(p, "`\""):
		return "holds quoting", "name the bare path"
	case strings.Contains(p, `\`):
		return "holds a backslash", "write / between directories"
	case hasSegment(p, ".."):
		return "is not relative to the repository: it holds ..", "write the path from the repository root"
	case hasSegment(strings.ToLower(p), ".git"):
		return "lies in git's own directory", "no task may write there"
	}
	return "", ""
}

func hasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z') && (len(p) == 2 || p[2] == '/' || p[2] == '\\')
}

func hasSegment(p, name string) bool {
	for rest := p; ; {
		seg, tail, more := strings.Cut(rest, "/")
		if seg == name {
			return true
		}
		if !more {
			return false
		}
		rest = tail
	}
}

// isPattern reports a glob: any * or ?, or a segment with [ or ] that is not a route parameter ([x], [...x], [[...x]]).
func isPattern(p string) bool {
	if strings.ContainsAny(p, "*?") {
		return true
	}
	if !strings.ContainsAny(p, "[]") {
		return false
	}
	for _, seg := range strings.Split(p, "/") {
		if strings.ContainsAny(seg, "[]") && !isRouteParameter(seg) {
			return true
		}
	}
	return false
}

func isRouteParameter(seg string) bool {
	inner, ok := between(seg, "[[...", "]]")
	if !ok {
		inner, ok = between(seg, "[...", "]")
	}
	if !ok {
		inner, ok = between(seg, "[", "]")
	}
	return ok && isToken(inner)
}

func between(s, open, end string) (string, bool) {
	s, ok := strings.CutPrefix(s, open)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(s, end)
}

// samePath is the form in which two spellings of one path are equal: é as one rune or as two.
func samePath(p string) string {
	for i := range len(p) {
		if p[i] >= 0x80 {
			return norm.NFC.String(p)
		}
	}
	return p
}
