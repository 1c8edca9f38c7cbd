package run

import "strings"

// Front is the frontmatter of a plan. Into, Branch, Work, Prototype and Source hold the first line of their key and do
// not need the closing "---"; Issue does, and its last line wins.
type Front struct {
	Source, Into, Branch, Work, Prototype string
	Issue                                 Issue
	// IssueText is the value of issue: whatever it is, of a closed frontmatter.
	IssueText string
	// End is the line of the closing "---", 0 when there is no frontmatter or it is not closed.
	End int
}

// Issue is a reference to an issue: the URL up to its number, and the number as written.
type Issue struct{ URL, Number string }

// WantsBranch returns the branch the plan names; none and empty give "".
func (f Front) WantsBranch() string {
	if f.Branch == "none" {
		return ""
	}
	return f.Branch
}

func isRule(line string) bool { return trimRight(line) == "---" }

func readFront(lines []string) Front {
	var f Front
	if len(lines) == 0 || !isRule(lines[0]) {
		return f
	}
	first := make(map[string]bool, 5)
	var issue Issue
	var issueText string
	for i := 1; i < len(lines); i++ {
		if isRule(lines[i]) {
			f.End, f.Issue, f.IssueText = i+1, issue, issueText
			return f
		}
		key, value, ok := strings.Cut(lines[i], ":")
		if !ok {
			continue
		}
		if trimLeft(key) == "issue" {
			issue, issueText = ParseIssue(trim(value)), trim(value)
		}
		if !first[key] {
			first[key] = f.set(key, trim(value))
		}
	}
	return f
}

func (f *Front) set(key, value string) bool {
	switch key {
	case "source":
		f.Source = value
	case "into":
		f.Into = value
	case "prototype":
		f.Prototype = value
	case "branch":
		f.Branch = upToBlank(value)
	case "work":
		f.Work = upToBlank(value)
	default:
		return false
	}
	return true
}

// ParseIssue reads text holding "/issues/<digits>" that ends there or goes on with "/", "?" or "#". Anything else gives
// the zero Issue.
func ParseIssue(text string) Issue {
	for from := 0; ; {
		at := strings.Index(text[from:], "/issues/")
		if at < 0 {
			return Issue{}
		}
		start := from + at + len("/issues/")
		n := leadingDigits(text[start:])
		end := start + n
		if n > 0 && (end == len(text) || strings.IndexByte("/?#", text[end]) >= 0) {
			return Issue{URL: text[:end], Number: text[start:end]}
		}
		from = start
	}
}
