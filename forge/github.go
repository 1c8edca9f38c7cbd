package forge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"viber/internal/gitx"
	"viber/internal/program"
)

// GitHub speaks with github.com and Enterprise hosts through the user's own gh, which keeps the login; viber holds no token.
type GitHub struct {
	Path string   // absolute path of gh
	Dir  string   // gh finds the repository from here
	Env  []string // KEY=value
}

// FindGitHub looks for gh on the PATH of environ, outside the project around dir.
func FindGitHub(dir string, environ []string) (*GitHub, bool) {
	path, ok := program.FindOutside(gitx.Git{Dir: dir, Env: environ}.Project(), "gh", environ)
	if !ok {
		return nil, false
	}
	return &GitHub{Path: path, Dir: dir, Env: ghEnv(environ)}, true
}

// ghEnv keeps gh quiet: no prompt, no pager, no colour, no word about updates.
func ghEnv(environ []string) []string {
	env := gitx.UserEnv(environ)
	return append(env, "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_SPINNER_DISABLED=1",
		"GH_PAGER=cat", "PAGER=cat", "NO_COLOR=1", "CLICOLOR_FORCE=0", "GH_FORCE_TTY=")
}

// Issue reads an issue with `gh issue view`.
func (g *GitHub) Issue(ctx context.Context, ref string) (Issue, error) {
	const call = "gh issue view"
	var answer struct {
		Number     int
		URL, Title string
		State      string
		Author     struct{ Login string }
		Labels     []struct{ Name string }
		Body       string
		Comments   []struct {
			Author    struct{ Login string }
			CreatedAt string
			Body      string
		}
	}
	err := g.read(ctx, call, &answer, "issue", "view", ref, "--json", "number,url,title,state,author,labels,body,comments")
	if err != nil {
		return Issue{}, err
	}
	if answer.Number <= 0 {
		return Issue{}, &Failure{Call: call, Text: "the answer names no issue number"}
	}
	issue := Issue{
		Number: answer.Number, URL: Line(answer.URL), Title: Line(answer.Title), State: Line(answer.State),
		Author: Line(answer.Author.Login), Body: Clean(answer.Body),
	}
	for _, l := range answer.Labels {
		issue.Labels = append(issue.Labels, Line(l.Name))
	}
	for _, c := range answer.Comments {
		issue.Comments = append(issue.Comments, Comment{Author: Line(c.Author.Login), At: Line(c.CreatedAt), Body: Clean(c.Body)})
	}
	return issue, nil
}

// Comments reads the comments of an issue or pull request.
func (g *GitHub) Comments(ctx context.Context, on Thread) ([]string, error) {
	var answer struct{ Comments []struct{ Body string } }
	kind := string(on.Kind)
	if err := g.read(ctx, "gh "+kind+" view", &answer, kind, "view", on.Ref, "--json", "comments"); err != nil {
		return nil, err
	}
	var bodies []string
	for _, c := range answer.Comments {
		bodies = append(bodies, c.Body)
	}
	return bodies, nil
}

// Comment posts with `gh issue comment` or `gh pr comment`.
func (g *GitHub) Comment(ctx context.Context, on Thread, body string) (string, error) {
	kind := string(on.Kind)
	call := "gh " + kind + " comment"
	said, err := g.write(ctx, call, kind, "comment", on.Ref, "--body-file", body)
	if err != nil {
		return "", err
	}
	link, ok := lastCommentLink(said, on.Kind)
	if !ok {
		return "", &Failure{Call: call, Text: Flatten([]byte(said)), Hint: noLink(on.Ref)}
	}
	return link, nil
}

// CreateIssue opens an issue with `gh issue create`.
func (g *GitHub) CreateIssue(ctx context.Context, n NewIssue) (Link, error) {
	const call = "gh issue create"
	args := append([]string{"issue", "create", "--title", n.Title, "--body-file", n.BodyFile}, n.Extras...)
	said, err := g.write(ctx, call, args...)
	if err != nil {
		return Link{}, err
	}
	link, ok := lastLink(said, "issues")
	if !ok {
		return Link{}, &Failure{Call: call, Text: Flatten([]byte(said))}
	}
	return link, nil
}

// SetIssueType sets the type of an issue through `gh api`: gh itself has no flag for it.
func (g *GitHub) SetIssueType(ctx context.Context, issue Link, kind string) error {
	res, err := g.run(ctx, "api", "--hostname", issue.Host, "-X", "PATCH",
		"repos/"+issue.Owner+"/"+issue.Repo+"/issues/"+issue.Number, "-f", "type="+kind)
	if err == nil && res.Code == 0 {
		return nil
	}
	text := Flatten(res.Stderr)
	if err != nil {
		text = err.Error()
	}
	return &Failure{Call: "gh api", Text: text}
}

// CreatePull opens a pull request with `gh pr create`.
func (g *GitHub) CreatePull(ctx context.Context, n NewPull) (Link, error) {
	const call = "gh pr create"
	args := []string{"pr", "create", "--base", n.Base, "--head", n.Head, "--title", n.Title, "--body-file", n.BodyFile}
	if n.Draft {
		args = append(args, "--draft")
	}
	said, err := g.write(ctx, call, args...)
	if err != nil {
		return Link{}, err
	}
	link, ok := lastLink(said, "pull")
	if !ok {
		return Link{}, &Failure{Call: call, Text: Flatten([]byte(said))}
	}
	return link, nil
}

// OpenPulls lists pull requests with `gh pr list`.
func (g *GitHub) OpenPulls(ctx context.Context, branch string) ([]string, error) {
	var answer []struct{ URL string }
	err := g.read(ctx, "gh pr list", &answer, "pr", "list", "--head", branch, "--state", "open", "--json", "url")
	if err != nil {
		return nil, err
	}
	var urls []string
	for _, p := range answer {
		if p.URL != "" {
			urls = append(urls, Line(p.URL))
		}
	}
	return urls, nil
}

// RepositoryURL asks `gh repo view`.
func (g *GitHub) RepositoryURL(ctx context.Context) (string, error) {
	r, err := g.repository(ctx, "url")
	return r.URL, err
}

// Repository asks `gh repo view`, which knows forks, several remotes and renamed default branches.
func (g *GitHub) Repository(ctx context.Context) (Repository, error) {
	return g.repository(ctx, "url,defaultBranchRef")
}

func (g *GitHub) repository(ctx context.Context, fields string) (Repository, error) {
	var answer struct {
		URL              string
		DefaultBranchRef *struct{ Name string }
	}
	if err := g.read(ctx, "gh repo view", &answer, "repo", "view", "--json", fields); err != nil {
		return Repository{}, err
	}
	r := Repository{URL: Line(answer.URL)}
	if answer.DefaultBranchRef != nil {
		r.DefaultBranch = Line(answer.DefaultBranchRef.Name)
	}
	return r, nil
}

func (g *GitHub) read(ctx context.Context, call string, into any, args ...string) error {
	res, err := g.run(ctx, args...)
	if err != nil {
		return &Failure{Call: call, Text: err.Error(), Hint: hint(err.Error())}
	}
	if res.Code != 0 {
		text := said(res.Code, res.Stderr)
		return &Failure{Call: call, Text: text, Hint: hint(text)}
	}
	if err := json.Unmarshal(res.Stdout, into); err != nil {
		return &Failure{Call: call, Text: "the answer is not what gh documents: " + Line(err.Error())}
	}
	return nil
}

// write runs a call that changes something on the host and returns all it said.
func (g *GitHub) write(ctx context.Context, call string, args ...string) (string, error) {
	res, err := g.run(ctx, args...)
	if errors.Is(err, program.ErrTimeout) {
		return "", &Failure{Call: call, Text: err.Error(),
			Hint: "whether it was done is not known: look on the host before you try again"}
	}
	if err != nil {
		return "", &Failure{Call: call, Text: err.Error()}
	}
	if res.Code != 0 {
		text := said(res.Code, res.Stdout, res.Stderr)
		return "", &Failure{Call: call, Text: text, Hint: hint(text)}
	}
	return string(res.Stdout) + "\n" + string(res.Stderr), nil
}

func (g *GitHub) run(ctx context.Context, args ...string) (program.Result, error) {
	return program.Run(ctx, program.Call{Path: g.Path, Args: args, Dir: g.Dir, Env: g.Env, Limit: 2 * time.Minute})
}

// said is what a failed gh printed, in one line, or that it printed nothing.
func said(code int, streams ...[]byte) string {
	if text := Flatten(streams...); text != "" {
		return text
	}
	return fmt.Sprintf("gh ended with %d and said nothing", code)
}

func noLink(ref string) string {
	return "gh ended well but named no link: look at " + ref + " before you post again"
}

// hint names the way out of the failures everybody meets; the wording of gh decides which it is.
func hint(said string) string {
	said = strings.ToLower(said)
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(said, w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("one pending review"):
		return "a review of yours is there that was not submitted: submit or discard it on the page of the pull request"
	case has("rate limit", "http 429"):
		return "GitHub's rate limit is used up: try again later"
	case has("gh auth login", "not logged in", "http 401", "bad credentials", "authentication required"):
		return "log in with 'gh auth login' (an Enterprise host: 'gh auth login --hostname HOST')"
	case has("no such host", "error connecting", "dial tcp", "network is unreachable", "check your internet connection", "i/o timeout"):
		return "the host cannot be reached: check the network and try again"
	case has("set-default", "no default remote repository"):
		return "several remotes fit: choose one with 'gh repo set-default'"
	case has("no git remotes", "known github host", "not a git repository"):
		return "this directory has no remote on a host gh knows: add one, or name the issue by its https link"
	case has("resource not accessible", "http 403", "saml"):
		return "the login may not do this: see 'gh auth status'"
	case has("could not be resolved", "must be part of the diff", "http 409"):
		return "it changed meanwhile: fetch its diff again and start over"
	case has("http 422"):
		return "GitHub does not take this: look at the pull request, and at what --dry-run shows"
	case has("http 500", "http 502", "http 503", "http 504"):
		return "GitHub has a fault: try again later"
	case has("unexpected eof", "connection reset", "http2: "):
		return "the connection was cut off: try again"
	}
	return ""
}
