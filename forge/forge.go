// Package forge speaks with the places where a project keeps issues and pull requests. One file a host; every host offers
// the calls of Host, and whoever needs fewer of them asks for fewer. Pulls are the calls around reviews.
//
// What a host sends is data: it is cleaned of terminal escapes, bounded, and never interpreted.
package forge

import (
	"context"
	"fmt"
)

// Host is what viber asks of such a place. Errors are of type *Failure. No call is ever repeated: when it is not known
// whether a writing call landed, the error says so and a person looks.
type Host interface {
	// Issue reads one issue with its comments.
	Issue(ctx context.Context, ref string) (Issue, error)
	// Comments returns the texts of all comments of a thread, oldest first.
	Comments(ctx context.Context, on Thread) ([]string, error)
	// Comment adds the text of the file body to a thread and returns the link of the new comment.
	Comment(ctx context.Context, on Thread, body string) (string, error)
	// CreateIssue opens an issue.
	CreateIssue(ctx context.Context, n NewIssue) (Link, error)
	// SetIssueType gives an issue a type of the organisation's.
	SetIssueType(ctx context.Context, issue Link, kind string) error
	// CreatePull opens a pull request for a branch that is on the host already.
	CreatePull(ctx context.Context, n NewPull) (Link, error)
	// OpenPulls returns the links of the open pull requests whose source is branch.
	OpenPulls(ctx context.Context, branch string) ([]string, error)
	// RepositoryURL is the link of the repository the working directory belongs to.
	RepositoryURL(ctx context.Context) (string, error)
	// Repository tells more of that repository.
	Repository(ctx context.Context) (Repository, error)
}

// Issue is an issue as a host tells it.
type Issue struct {
	Number        int
	URL, Title    string
	State, Author string
	Labels        []string
	Body          string
	Comments      []Comment
}

// Comment is one comment of an issue; At is the host's own time stamp.
type Comment struct {
	Author, At, Body string
}

// ThreadKind is what a comment is put on.
type ThreadKind string

// The two kinds of threads.
const (
	OnIssue ThreadKind = "issue"
	OnPull  ThreadKind = "pr"
)

// Thread names an issue or a pull request, by number or link.
type Thread struct {
	Kind ThreadKind
	Ref  string
}

// Link is an issue or pull request on a host.
type Link struct {
	URL         string
	Host        string
	Owner, Repo string
	Number      string // as written in the link
}

// NewIssue is an issue to open. Extras are further pairs of flag and value, in the order the caller gave them.
type NewIssue struct {
	Title, BodyFile string
	Extras          []string
}

// NewPull is a pull request to open.
type NewPull struct {
	Base, Head, Title, BodyFile string
	Draft                       bool
}

// Repository is a repository on a host.
type Repository struct {
	URL           string
	DefaultBranch string
}

// Failure is a call that did not succeed or whose answer could not be read.
type Failure struct {
	Call string // "gh issue view"
	Text string // what was said, in one line
	Hint string // the way out, when the reason is a known one
	// Status is the HTTP status of the answer, 0 when there was none or it is not known.
	Status int
}

// Error tells call, reason and way out in one line.
func (f *Failure) Error() string { return f.Call + " failed: " + f.Reason() }

// Reason is what was said and the way out, without the call.
func (f *Failure) Reason() string {
	if f.Hint == "" {
		return f.Text
	}
	return fmt.Sprintf("%s - %s", f.Text, f.Hint)
}
