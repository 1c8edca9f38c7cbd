package forge

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Said reads the comments the user's account has on the pull request, and its verdict.
func (b *Bitbucket) Said(ctx context.Context, pull Pull) (Said, error) {
	user, err := b.whoami(ctx)
	if err != nil {
		return Said{}, err
	}
	said := Said{User: user}
	if said.slug, err = b.slug(ctx, pull, user); err != nil {
		return Said{}, err
	}
	type activity struct {
		Action        string
		CommentAction string
		Comment       struct {
			Text   string
			Author struct{ Name string }
		}
	}
	err = pages(ctx, &b.rest, pullPath(pull.Reference)+"/activities", url.Values{}, func(a activity) {
		if a.Action == "COMMENTED" && a.Comment.Author.Name == user && a.CommentAction != "DELETED" {
			said.Texts = append(said.Texts, a.Comment.Text)
		}
	})
	if err != nil {
		return Said{}, err
	}
	p, err := b.read(ctx, pull.Reference)
	for _, r := range p.Reviewers {
		if r.User.Name == user {
			said.Verdict, said.At = bbVerdict(r.Status), r.LastReviewedCommit
		}
	}
	return said, err
}

func bbVerdict(status string) Verdict {
	switch status {
	case "APPROVED":
		return Approve
	case "NEEDS_WORK":
		return NeedsWork
	}
	return NoVerdict
}

// bbAnchor is where a comment stands, in the words of Bitbucket Server.
type bbAnchor struct {
	DiffType string `json:"diffType"`
	Path     string `json:"path"`
	SrcPath  string `json:"srcPath,omitempty"`
	Line     int    `json:"line"`
	LineType string `json:"lineType"`
	FileType string `json:"fileType"`
}

type bbComment struct {
	Text   string    `json:"text"`
	Anchor *bbAnchor `json:"anchor,omitempty"`
}

// Outbox is one request a comment, then the user's own status on the pull request. The pull request itself, and with it
// its list of reviewers, is never written.
func (b *Bitbucket) Outbox(pull Pull, said Said, o Outcome) []Request {
	path := pullPath(pull.Reference)
	var all []Request
	for _, n := range o.Notes {
		all = append(all, Request{http.MethodPost, path + "/comments", bodyOf(bbComment{n.Text, anchorFor(n.Anchor)})})
	}
	for _, text := range o.General {
		all = append(all, Request{http.MethodPost, path + "/comments", bodyOf(bbComment{Text: text})})
	}
	if o.Verdict == NoVerdict {
		return all
	}
	status := map[string]any{"status": "NEEDS_WORK", "approved": false, "lastReviewedCommit": pull.Head}
	if o.Verdict == Approve {
		status["status"], status["approved"] = "APPROVED", true
	}
	return append(all, Request{http.MethodPut, path + "/participants/" + url.PathEscape(said.slug), bodyOf(status)})
}

func anchorFor(a Anchor) *bbAnchor {
	at := &bbAnchor{DiffType: "EFFECTIVE", Path: a.Path, SrcPath: a.OldPath, Line: a.Line}
	switch a.Kind {
	case Added:
		at.LineType, at.FileType = "ADDED", "TO"
	case Removed:
		at.LineType, at.FileType = "REMOVED", "FROM"
	default:
		at.LineType, at.FileType = "CONTEXT", "TO"
	}
	return at
}

// Send makes one request; a comment can be taken back as long as nobody answered it.
func (b *Bitbucket) Send(ctx context.Context, pull Pull, r Request) (Request, error) {
	path, query, _ := strings.Cut(r.Path, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return Request{}, err
	}
	var answer struct{ ID, Version int }
	what := call{method: r.Method, path: path, query: values, accept: "application/json", body: json.RawMessage(r.Body)}
	if r.Method == http.MethodDelete {
		_, err = b.exchange(ctx, what, nil)
		return Request{}, err
	}
	_, err = b.exchange(ctx, what, &answer)
	if err != nil || r.Method != http.MethodPost || answer.ID == 0 {
		return Request{}, err
	}
	undo := pullPath(pull.Reference) + "/comments/" + strconv.Itoa(answer.ID) + "?version=" + strconv.Itoa(answer.Version)
	return Request{Method: http.MethodDelete, Path: undo}, nil
}
