package forge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bitbucket speaks with a Bitbucket Server or Data Center through its REST API.
type Bitbucket struct {
	rest
	// Repos are those whose pull requests are listed; none: what the server's dashboard shows the user.
	Repos []Repo
}

// Name is the host's name.
func (b *Bitbucket) Name() string { return b.host }

const api = "/rest/api/1.0"

// bbPull is a pull request as Bitbucket Server tells it.
type bbPull struct {
	ID          int
	Title       string
	State       string
	UpdatedDate int64 // milliseconds
	Author      bbPerson
	Reviewers   []bbPerson
	FromRef     bbRef
	ToRef       bbRef
}

type bbPerson struct {
	User   struct{ Name, Slug string }
	Status string
	// LastReviewedCommit is the commit the status was given on.
	LastReviewedCommit string
}

type bbRef struct {
	DisplayID    string
	LatestCommit string
	Repository   struct {
		Slug    string
		Project struct{ Key string }
	}
}

type bbPage[T any] struct {
	Values        []T
	IsLastPage    *bool
	NextPageStart *int
}

// pages reads every page of a list; a list that does not end within the bound is cut.
func pages[T any](ctx context.Context, c *rest, path string, query url.Values, each func(T)) error {
	query.Set("limit", "100")
	for range maxPages {
		var page bbPage[T]
		if _, err := c.get(ctx, path, query, &page); err != nil {
			return err
		}
		if page.IsLastPage == nil {
			return &Failure{Call: "GET https://" + c.host + path, Text: "the answer is no list as Bitbucket Server documents it"}
		}
		for _, v := range page.Values {
			each(v)
		}
		if *page.IsLastPage || page.NextPageStart == nil {
			return nil
		}
		query.Set("start", strconv.Itoa(*page.NextPageStart))
	}
	return nil
}

// List asks every configured repository, all at once, for the pull requests the user reviews; without one, the dashboard.
func (b *Bitbucket) List(ctx context.Context) ([]Pull, error) {
	query := func() url.Values { return url.Values{"state": {"OPEN"}, "role": {"REVIEWER"}} }
	if len(b.Repos) == 0 {
		return b.list(ctx, api+"/dashboard/pull-requests", query())
	}
	lists, errs := make([][]Pull, len(b.Repos)), make([]error, len(b.Repos))
	var all sync.WaitGroup
	for i, r := range b.Repos {
		all.Go(func() { lists[i], errs[i] = b.list(ctx, repoPath(r.Owner, r.Repo)+"/pull-requests", query()) })
	}
	all.Wait()
	return slices.Concat(lists...), errors.Join(errs...)
}

func (b *Bitbucket) list(ctx context.Context, path string, query url.Values) ([]Pull, error) {
	var found []Pull
	err := pages(ctx, &b.rest, path, query, func(p bbPull) {
		to := p.ToRef.Repository
		pull := b.pull(p, Reference{Service: ServiceBitbucket, Host: b.host, Base: b.base, Owner: to.Project.Key, Repo: to.Slug})
		pull.Why = []string{"review-requested"}
		if isOwnerName(pull.Owner) && isName(pull.Repo) && pull.Number > 0 {
			found = append(found, pull)
		}
	})
	return found, err
}

func isOwnerName(s string) bool { return isName(strings.TrimPrefix(s, "~")) }

func (b *Bitbucket) pull(p bbPull, ref Reference) Pull {
	ref.Kind, ref.Number = KindPull, p.ID
	ref.URL = ref.address()
	pull := Pull{
		Reference: ref, Title: Line(p.Title), Author: Line(p.Author.User.Name), Open: p.State == "OPEN",
		Source: Line(p.FromRef.DisplayID), Target: Line(p.ToRef.DisplayID), Head: commitOf(p.FromRef.LatestCommit),
		Base: commitOf(p.ToRef.LatestCommit), Updated: time.UnixMilli(p.UpdatedDate).UTC(), slugs: map[string]string{},
	}
	for _, r := range p.Reviewers {
		pull.Reviewers = append(pull.Reviewers, Line(r.User.Name))
	}
	for _, r := range append(p.Reviewers, p.Author) {
		pull.slugs[r.User.Name] = r.User.Slug
	}
	return pull
}

// commitOf returns a commit's id, empty for what is none.
func commitOf(s string) string {
	if len(s) < 7 || len(s) > 64 || strings.Trim(s, "0123456789abcdefABCDEF") != "" {
		return ""
	}
	return s
}

func repoPath(owner, repo string) string {
	return api + "/projects/" + url.PathEscape(owner) + "/repos/" + url.PathEscape(repo)
}

func pullPath(ref Reference) string {
	return repoPath(ref.Owner, ref.Repo) + "/pull-requests/" + strconv.Itoa(ref.Number)
}

// Pull reads one pull request.
func (b *Bitbucket) Pull(ctx context.Context, ref Reference) (Pull, error) {
	p, err := b.read(ctx, ref)
	if err != nil {
		return Pull{}, err
	}
	pull := b.pull(p, ref)
	if pull.Number != ref.Number || pull.Head == "" {
		return Pull{}, &Failure{Call: "GET https://" + b.host + pullPath(ref), Text: "the answer names no such pull request with its head commit"}
	}
	return pull, nil
}

func (b *Bitbucket) read(ctx context.Context, ref Reference) (p bbPull, err error) {
	_, err = b.get(ctx, pullPath(ref), nil, &p)
	return p, err
}

// Patch reads the diff as text; ten lines around each change are what comments may stand at.
func (b *Bitbucket) Patch(ctx context.Context, ref Reference, w io.Writer) error {
	return b.stream(ctx, pullPath(ref)+"/diff", url.Values{"contextLines": {"10"}}, w)
}

// Guides lists a folder at a commit.
func (b *Bitbucket) Guides(ctx context.Context, ref Reference, commit, dir string, names []string) ([]string, error) {
	var answer struct {
		Children struct {
			Values []struct {
				Path struct{ Name string }
				Type string
			}
		}
	}
	path := repoPath(ref.Owner, ref.Repo) + "/browse/" + escapePath(dir)
	_, err := b.get(ctx, path, url.Values{"at": {commit}, "limit": {"1000"}}, &answer)
	if notThere(err) {
		return nil, nil
	}
	var found []string
	for _, c := range answer.Children.Values {
		if c.Type == "FILE" && matchesAny(names, c.Path.Name) {
			found = append(found, dir+"/"+c.Path.Name)
		}
	}
	return found, err
}

// File reads a file at a commit, as it is.
func (b *Bitbucket) File(ctx context.Context, ref Reference, commit, path string) ([]byte, error) {
	var text limited
	err := b.stream(ctx, repoPath(ref.Owner, ref.Repo)+"/raw/"+escapePath(path), url.Values{"at": {commit}}, &text)
	return text.kept, err
}

// limited keeps the first bytes of what is written to it.
type limited struct{ kept []byte }

func (l *limited) Write(p []byte) (int, error) {
	if room := maxText - len(l.kept); room > 0 {
		l.kept = append(l.kept, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func notThere(err error) bool {
	var f *Failure
	return errors.As(err, &f) && f.Status == http.StatusNotFound
}

func escapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// matchesAny compares a file's name with names, of which one may begin with "*".
func matchesAny(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		end, wild := strings.CutPrefix(n, "*")
		return n == name || wild && len(name) > len(end) && strings.HasSuffix(name, end)
	})
}

// whoami returns the name of the account the token belongs to.
func (b *Bitbucket) whoami(ctx context.Context) (string, error) {
	what := call{method: http.MethodGet, path: api + "/application-properties", accept: "application/json"}
	header, err := b.exchange(ctx, what, &struct{}{})
	if err != nil {
		return "", err
	}
	name, err := url.QueryUnescape(header.Get("X-AUSERNAME"))
	if err != nil || name == "" {
		return "", b.failure(what, "the host does not say whose token this is", "store a token of a user's with 'viber forge login "+b.host+"'")
	}
	return name, nil
}

// slug is how paths name a user.
func (b *Bitbucket) slug(ctx context.Context, pull Pull, user string) (string, error) {
	if slug := pull.slugs[user]; slug != "" {
		return slug, nil
	}
	slug := ""
	err := pages(ctx, &b.rest, api+"/users", url.Values{"filter": {user}}, func(u struct{ Name, Slug string }) {
		if u.Name == user {
			slug = u.Slug
		}
	})
	if err == nil && slug == "" {
		err = fmt.Errorf("%s does not know its own user %s", b.host, Line(user))
	}
	return slug, err
}
