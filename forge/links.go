package forge

import "strings"

// IssueRef reads an issue as a person names it: a number, `#` and a number, or the https link of an issue on any host with
// exactly three segments before /issues/. It returns the number as typed, or the link without query and fragment.
func IssueRef(text string) (ref string, ok bool) {
	text = strings.TrimPrefix(text, "#")
	if digits(text) {
		return text, true
	}
	link, ok := ParseLink(text, "issues")
	return link.URL, ok
}

// PullLink reads the https link of a pull request; query and fragment are cut off.
func PullLink(text string) (Link, bool) { return ParseLink(text, "pull") }

// ParseLink reads https://<host>/<owner>/<repo>/<segment>/<digits>. A query or fragment is cut off first.
func ParseLink(text, segment string) (Link, bool) {
	if i := strings.IndexAny(text, "#?"); i >= 0 {
		text = text[:i]
	}
	rest, ok := strings.CutPrefix(text, "https://")
	if !ok {
		return Link{}, false
	}
	parts := strings.Split(rest, "/")
	if len(parts) != 5 || parts[3] != segment || !digits(parts[4]) {
		return Link{}, false
	}
	for _, p := range parts[:3] {
		if p == "" || strings.ContainsAny(p, " \t\r\n") {
			return Link{}, false
		}
	}
	return Link{URL: text, Host: parts[0], Owner: parts[1], Repo: parts[2], Number: parts[4]}, true
}

// lastLink finds the last line of said that is, whole, a link of that kind.
func lastLink(said, segment string) (Link, bool) {
	var last Link
	found := false
	for line := range lines(said) {
		if strings.ContainsAny(line, "#?") {
			continue
		}
		if l, ok := ParseLink(line, segment); ok {
			last, found = l, true
		}
	}
	return last, found
}

// lastCommentLink finds the last line of said that is, whole, the link of a comment on that kind of thread.
func lastCommentLink(said string, kind ThreadKind) (string, bool) {
	segment := "issues"
	if kind == OnPull {
		segment = "pull"
	}
	last, found := "", false
	for line := range lines(said) {
		thread, id, ok := strings.Cut(line, "#issuecomment-")
		if _, isLink := ParseLink(thread, segment); ok && isLink && digits(id) && !strings.Contains(thread, "?") {
			last, found = line, true
		}
	}
	return last, found
}

func lines(said string) func(func(string) bool) {
	return strings.SplitSeq(strings.ReplaceAll(said, "\r", ""), "\n")
}

func digits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
