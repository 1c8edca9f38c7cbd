package forge

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// Said reads what the account gh is logged in with has put on the pull request.
func (g *GitHub) Said(ctx context.Context, pull Pull) (Said, error) {
	ref := pull.Reference
	var viewer struct {
		Data struct{ Viewer struct{ Login string } }
	}
	if err := g.api(ctx, ref, "", &viewer, "graphql", "-f", "query={viewer{login}}"); err != nil {
		return Said{}, err
	}
	said := Said{User: viewer.Data.Viewer.Login}
	if said.User == "" {
		return Said{}, &Failure{Call: "gh api", Text: "the host does not say whose login this is", Hint: hint("gh auth login")}
	}
	type text struct {
		Body   string
		User   struct{ Login string }
		State  string
		Commit string `json:"commit_id"`
	}
	issue := "repos/" + ref.Owner + "/" + ref.Repo + "/issues/" + strconv.Itoa(ref.Number) + "/comments"
	for _, path := range []string{pullsPath(ref) + "/reviews", pullsPath(ref) + "/comments", issue} {
		texts, err := list[text](ctx, g, ref, path)
		if err != nil {
			return Said{}, err
		}
		for _, t := range texts {
			if !strings.EqualFold(t.User.Login, said.User) {
				continue
			}
			said.Texts = append(said.Texts, t.Body)
			if v := ghVerdict(t.State); v != NoVerdict {
				said.Verdict, said.At = v, t.Commit
			}
		}
	}
	return said, nil
}

func ghVerdict(state string) Verdict {
	switch state {
	case "APPROVED":
		return Approve
	case "CHANGES_REQUESTED":
		return NeedsWork
	}
	return NoVerdict
}

type ghComment struct {
	Path string `json:"path"`
	Line int    `json:"line"`
	Side string `json:"side"`
	Body string `json:"body"`
}

// maxBody is what GitHub takes as one text, with room to spare.
const maxBody = 60_000

// Outbox is one review that holds everything, so that GitHub takes all of it or nothing. Only what does not fit into the
// review's text comes before it, as comments of its own.
func (g *GitHub) Outbox(pull Pull, _ Said, o Outcome) []Request {
	ref := pull.Reference
	general := append([]string{}, o.General...)
	if o.Text != "" {
		general = append([]string{o.Text}, general...)
	}
	texts := joined(general, maxBody)
	var all []Request
	issue := "repos/" + ref.Owner + "/" + ref.Repo + "/issues/" + strconv.Itoa(ref.Number) + "/comments"
	for len(texts) > 1 {
		last := len(texts) - 1
		all = append(all, Request{http.MethodPost, issue, bodyOf(map[string]string{"body": texts[last]})})
		texts = texts[:last]
	}
	review := struct {
		Commit   string      `json:"commit_id"`
		Event    string      `json:"event"`
		Body     string      `json:"body,omitempty"`
		Comments []ghComment `json:"comments,omitempty"`
	}{Commit: pull.Head, Event: "COMMENT"}
	switch o.Verdict {
	case Approve:
		review.Event = "APPROVE"
	case NeedsWork:
		review.Event = "REQUEST_CHANGES"
	}
	if len(texts) > 0 {
		review.Body = texts[0]
	}
	for _, n := range o.Notes {
		c := ghComment{Path: n.Anchor.Path, Line: n.Anchor.Line, Side: "RIGHT", Body: n.Text}
		if n.Anchor.Kind == Removed {
			c.Side = "LEFT"
		}
		review.Comments = append(review.Comments, c)
	}
	if review.Body == "" && len(review.Comments) == 0 && o.Verdict == NoVerdict {
		return all
	}
	return append(all, Request{http.MethodPost, pullsPath(ref) + "/reviews", bodyOf(review)})
}

// joined puts texts together, a blank line between, into as few as fit the limit.
func joined(texts []string, limit int) []string {
	var all []string
	for _, t := range texts {
		last := len(all) - 1
		if last >= 0 && len(all[last])+len(t)+2 <= limit {
			all[last] += "\n\n" + t
			continue
		}
		all = append(all, t)
	}
	return all
}

// Send makes one request through `gh api`; the body goes over a pipe.
func (g *GitHub) Send(ctx context.Context, pull Pull, r Request) (Request, error) {
	args := []string{"-X", r.Method, r.Path}
	if len(r.Body) > 0 {
		args = append(args, "--input", "-")
	}
	text, err := g.apiText(ctx, pull.Reference, string(r.Body), args...)
	if err != nil || !strings.Contains(r.Path, "/issues/") || r.Method != http.MethodPost {
		return Request{}, err
	}
	var answer struct{ ID int64 }
	if json.Unmarshal(text, &answer) != nil || answer.ID == 0 {
		return Request{}, nil
	}
	undo := "repos/" + pull.Owner + "/" + pull.Repo + "/issues/comments/" + strconv.FormatInt(answer.ID, 10)
	return Request{Method: http.MethodDelete, Path: undo}, nil
}
