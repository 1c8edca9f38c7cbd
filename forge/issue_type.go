package forge

import (
	"context"
	"strings"
)

// IssueType returns the type the organisation gave an issue, "" when it has none. gh itself does not show it; the issue is
// looked up first, so that a link gh cannot read is an error and not an issue without a type.
func (g *GitHub) IssueType(ctx context.Context, issue Link) (string, error) {
	seen, err := g.run(ctx, "issue", "view", issue.URL, "--json", "number")
	if err != nil || seen.Code != 0 {
		return "", &Failure{Call: "gh issue view", Text: Flatten(seen.Stderr)}
	}
	args := []string{"api", "repos/" + issue.Owner + "/" + issue.Repo + "/issues/" + issue.Number, "--jq", ".type.name // empty"}
	if issue.Host != "github.com" {
		args = append(args, "--hostname", issue.Host)
	}
	res, err := g.run(ctx, args...)
	if err != nil || res.Code != 0 {
		return "", &Failure{Call: "gh api", Text: Flatten(res.Stderr)}
	}
	first, _, _ := strings.Cut(string(res.Stdout), "\n")
	return Line(first), nil
}
