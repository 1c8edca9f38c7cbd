package run

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"viber/forge"
)

// block prints the facts, one KEY=value a line.
func (p *pullFacts) block() string {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "%s=%s\n", key, forge.Line(value)) }
	line("STATUS", "ready")
	line("REPO", p.repo.URL)
	line("BRANCH", p.branch)
	line("DEFAULT", p.repo.DefaultBranch)
	line("MODE", p.branching.Mode)
	line("ENTRY", p.entry)
	line("TARGET", p.target)
	for _, e := range p.candidates {
		line("CANDIDATE", e.Key+" | target: "+e.Target)
	}
	line("CLOSES", p.closes())
	line("TYPE", p.changeType())
	sort.Slice(p.issues, func(i, j int) bool { return byNumber(p.issues[i], p.issues[j]) < 0 })
	for _, n := range p.issues {
		line("ISSUE", n)
	}
	line("TEMPLATE", p.template())
	line("SPEC", p.spec)
	line("TITLE_PATTERN", p.config.Value("github.pr-title"))
	for _, c := range slices.Backward(p.commits) {
		line("COMMIT", c.short+" "+c.subject)
	}
	return b.String()
}

// closes tells whether merging the pull request closes its issues: only a merge into the default branch does.
func (p *pullFacts) closes() string {
	switch p.target {
	case "":
		return ""
	case p.repo.DefaultBranch:
		return "yes"
	}
	return "no"
}

func (p *pullFacts) changeType() string {
	isFix := p.kind == "fix" || strings.HasPrefix(p.branch, "fix/") || strings.HasPrefix(p.branch, "hotfix/")
	if p.run != nil {
		isFix = isFix || slices.ContainsFunc(p.run.Plan.Tasks, func(t *Task) bool { return t.Repro.Present() })
	}
	if isFix {
		return "fix"
	}
	return "feat"
}

func (p *pullFacts) template() string {
	if own := path.Join(".github/PULL_REQUEST_TEMPLATE", p.entry+".md"); p.entry != "" && p.has(own) {
		return own
	}
	if p.has(".github/pull_request_template.md") {
		return ".github/pull_request_template.md"
	}
	return ""
}

// byNumber sorts numbers of any length, leading zeros aside.
func byNumber(a, b string) int {
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), strings.Compare(a, b))
}

// fitsPattern matches a branch with a name pattern; ok is false for a pattern with a part of another kind in braces.
func fitsPattern(pattern, branch string) (kind, issue string, ok bool) {
	expr := regexp.QuoteMeta(pattern)
	for name, part := range map[string]string{"type": "(?P<type>fix|feature)", "issue-number": "(?P<issue>[0-9]+)", "slug": "[a-z0-9-]+"} {
		expr = strings.ReplaceAll(expr, `\{`+name+`\}`, part)
	}
	if strings.ContainsAny(strings.NewReplacer("{type}", "", "{issue-number}", "", "{slug}", "").Replace(pattern), "{}") {
		return "", "", false
	}
	re, err := regexp.Compile("^(?:" + expr + ")$")
	if err != nil {
		return "", "", false
	}
	m := re.FindStringSubmatch(branch)
	if m == nil {
		return "", "", false
	}
	for i, name := range re.SubexpNames() {
		switch name {
		case "type":
			kind = m[i]
		case "issue":
			issue = m[i]
		}
	}
	return kind, issue, true
}
