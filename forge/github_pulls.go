package forge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"viber/internal/program"
)

// Name is what people know the service by.
func (g *GitHub) Name() string { return "GitHub" }

// List asks gh for the open pull requests of this repository, those the user is asked to review, and the user's own, all
// at once. Outside of a repository the first has nothing to say; that is no error.
func (g *GitHub) List(ctx context.Context) ([]Pull, error) {
	asks := []struct {
		why  string
		read func(context.Context) ([]Pull, error)
	}{
		{"here", g.here},
		{"review-requested", func(ctx context.Context) ([]Pull, error) { return g.searched(ctx, "--review-requested=@me") }},
		{"authored", func(ctx context.Context) ([]Pull, error) { return g.searched(ctx, "--author=@me") }},
	}
	lists, errs := make([][]Pull, len(asks)), make([]error, len(asks))
	var all sync.WaitGroup
	for i, a := range asks {
		all.Go(func() {
			lists[i], errs[i] = a.read(ctx)
			for j := range lists[i] {
				lists[i][j].Why = []string{a.why}
			}
		})
	}
	all.Wait()
	if errs[1] == nil && errs[2] == nil {
		errs[0] = nil
	}
	return slices.Concat(lists...), errors.Join(first(errs))
}

func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *GitHub) here(ctx context.Context) ([]Pull, error) {
	var answer []struct {
		Number     int
		Title, URL string
		HeadRef    string `json:"headRefName"`
		Author     struct{ Login string }
		UpdatedAt  time.Time
	}
	err := g.read(ctx, "gh pr list", &answer, "pr", "list", "--state", "open", "--limit", "100", "--json", "number,title,url,headRefName,author,updatedAt")
	var found []Pull
	for _, a := range answer {
		if ref, ok := parseAddress(a.URL); ok && ref.Kind == KindPull {
			found = append(found, Pull{Reference: ref, Title: Line(a.Title), Author: Line(a.Author.Login), Source: Line(a.HeadRef), Open: true, Updated: a.UpdatedAt})
		}
	}
	return found, err
}

func (g *GitHub) searched(ctx context.Context, whose string) ([]Pull, error) {
	var answer []struct {
		Title, URL string
		Author     struct{ Login string }
		UpdatedAt  time.Time
	}
	err := g.read(ctx, "gh search prs", &answer, "search", "prs", "--state", "open", whose, "--limit", "100", "--json", "number,title,url,repository,author,updatedAt")
	var found []Pull
	for _, a := range answer {
		if ref, ok := parseAddress(a.URL); ok && ref.Kind == KindPull {
			found = append(found, Pull{Reference: ref, Title: Line(a.Title), Author: Line(a.Author.Login), Open: true, Updated: a.UpdatedAt})
		}
	}
	return found, err
}

// Here returns the repository gh takes for the one of the working directory.
func (g *GitHub) Here(ctx context.Context) (Repo, error) {
	address, err := g.RepositoryURL(ctx)
	if err != nil {
		return Repo{}, err
	}
	parts := strings.Split(strings.TrimPrefix(address, "https://"), "/")
	if len(parts) != 3 || !isName(parts[1]) || !isName(parts[2]) {
		return Repo{}, &Failure{Call: "gh repo view", Text: "the answer names no repository"}
	}
	return Repo{Service: ServiceGitHub, Host: parts[0], Owner: parts[1], Repo: parts[2]}, nil
}

// Pull reads one pull request.
func (g *GitHub) Pull(ctx context.Context, ref Reference) (Pull, error) {
	var answer struct {
		Number  int
		Title   string
		State   string
		Updated time.Time `json:"updated_at"`
		User    struct{ Login string }
		Head    struct{ Ref, SHA string }
		Base    struct{ Ref, SHA string }
		Asked   []struct{ Login string } `json:"requested_reviewers"`
	}
	if err := g.api(ctx, ref, "", &answer, pullsPath(ref)); err != nil {
		var f *Failure
		if errors.As(err, &f) && f.Status == 404 && f.Hint == "" {
			f.Hint = "there is no pull request of that number in " + ref.Owner + "/" + ref.Repo + ", or your login may not see it"
		}
		return Pull{}, err
	}
	ref.Kind, ref.URL = KindPull, ""
	ref.URL = ref.address()
	pull := Pull{
		Reference: ref, Title: Line(answer.Title), Author: Line(answer.User.Login), Open: answer.State == "open",
		Source: Line(answer.Head.Ref), Target: Line(answer.Base.Ref), Head: commitOf(answer.Head.SHA), Base: commitOf(answer.Base.SHA),
		Updated: answer.Updated,
	}
	for _, r := range answer.Asked {
		pull.Reviewers = append(pull.Reviewers, Line(r.Login))
	}
	if answer.Number != ref.Number || pull.Head == "" {
		return Pull{}, &Failure{Call: "gh api", Text: "the answer names no such pull request with its head commit"}
	}
	return pull, nil
}

func pullsPath(ref Reference) string {
	return "repos/" + ref.Owner + "/" + ref.Repo + "/pulls/" + strconv.Itoa(ref.Number)
}

// api reads the JSON of one call, all its pages; accept may be empty.
func (g *GitHub) api(ctx context.Context, ref Reference, body string, into any, args ...string) error {
	text, err := g.apiText(ctx, ref, body, args...)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &Failure{Call: "gh api", Text: "the answer is not what GitHub documents: " + Line(err.Error())}
	}
	return nil
}

func (g *GitHub) apiText(ctx context.Context, ref Reference, body string, args ...string) ([]byte, error) {
	call := program.Call{Path: g.Path, Args: append([]string{"api", "--hostname", ref.Host}, args...), Dir: g.Dir, Env: g.Env, Limit: time.Minute}
	if body != "" {
		call.Stdin = strings.NewReader(body)
	}
	res, err := program.Run(ctx, call)
	if err != nil {
		return nil, &Failure{Call: "gh api", Text: err.Error(), Hint: hint(err.Error())}
	}
	if res.Code != 0 {
		text := said(res.Code, res.Stderr)
		return nil, &Failure{Call: "gh api", Text: text, Hint: hint(text), Status: statusIn(text)}
	}
	return res.Stdout, nil
}

// statusIn finds the status in what gh says: "gh: Not Found (HTTP 404)".
func statusIn(text string) int {
	_, rest, found := strings.Cut(text, "HTTP ")
	if !found || len(rest) < 3 {
		return 0
	}
	n, err := strconv.Atoi(rest[:3])
	if err != nil {
		return 0
	}
	return n
}

// list reads a call that gh pages through: one list after the other.
func list[T any](ctx context.Context, g *GitHub, ref Reference, path string) ([]T, error) {
	text, err := g.apiText(ctx, ref, "", "--paginate", path+"?per_page=100")
	if err != nil {
		return nil, err
	}
	var all []T
	d := json.NewDecoder(bytes.NewReader(text))
	for {
		var page []T
		err := d.Decode(&page)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, &Failure{Call: "gh api", Text: "the answer is not what GitHub documents: " + Line(err.Error())}
		}
		all = append(all, page...)
	}
}

// Patch runs `gh pr diff`.
func (g *GitHub) Patch(ctx context.Context, ref Reference, w io.Writer) error {
	res, err := program.Stream(ctx, program.Call{
		Path: g.Path, Dir: g.Dir, Env: g.Env, Limit: 5 * time.Minute, MaxOutput: maxPatch,
		Args: []string{"pr", "diff", strconv.Itoa(ref.Number), "--repo", ref.Host + "/" + ref.Owner + "/" + ref.Repo, "--color", "never"},
	}, w)
	if err != nil {
		return &Failure{Call: "gh pr diff", Text: err.Error(), Hint: hint(err.Error())}
	}
	if res.Code != 0 {
		text := said(res.Code, res.Stderr)
		f := &Failure{Call: "gh pr diff", Text: text, Hint: hint(text), Status: statusIn(text)}
		if f.Status == 406 || strings.Contains(text, "exceeded the maximum") {
			f.Hint = "GitHub shows no diff of that size: check the branch out and use 'viber review diff BRANCH'"
		}
		return f
	}
	return nil
}

// Guides lists a folder at a commit.
func (g *GitHub) Guides(ctx context.Context, ref Reference, commit, dir string, names []string) ([]string, error) {
	var answer []struct{ Name, Type string }
	err := g.api(ctx, ref, "", &answer, contentsPath(ref, commit, dir))
	if notThere(err) {
		return nil, nil
	}
	var found []string
	for _, f := range answer {
		if f.Type == "file" && matchesAny(names, f.Name) {
			found = append(found, dir+"/"+f.Name)
		}
	}
	return found, err
}

func contentsPath(ref Reference, commit, path string) string {
	return "repos/" + ref.Owner + "/" + ref.Repo + "/contents/" + escapePath(path) + "?ref=" + commit
}

// File reads a file at a commit.
func (g *GitHub) File(ctx context.Context, ref Reference, commit, path string) ([]byte, error) {
	text, err := g.apiText(ctx, ref, "", "-H", "Accept: application/vnd.github.raw+json", contentsPath(ref, commit, path))
	return text[:min(len(text), maxText)], err
}
