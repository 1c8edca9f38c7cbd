package review

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"viber/forge"
	"viber/internal/exit"
)

// TestGitHubFailures: whatever gh answers in place of the pull request or its diff, there is one line that names the way out, and nothing
// is left that could pass for a diff.
func TestGitHubFailures(t *testing.T) {
	t.Parallel()
	const pull, diff = "pulls/7", "pr diff"
	stderr := func(text string) ghAnswer { return ghAnswer{Stderr: text, Exit: 1} }
	half := "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n one\n-two\n"
	for name, c := range map[string]struct {
		at     string
		answer ghAnswer
		want   string
	}{
		"401":             {pull, stderr("gh: Bad credentials (HTTP 401)\nTry authenticating with:  gh auth login"), "gh auth login"},
		"not logged in":   {pull, ghAnswer{Stderr: "To get started with GitHub CLI, please run:  gh auth login", Exit: 4}, "log in with 'gh auth login'"},
		"403":             {pull, stderr("gh: Resource not accessible by personal access token (HTTP 403)"), "the login may not do this"},
		"SAML":            {pull, stderr("gh: Resource protected by organization SAML enforcement. (HTTP 403)"), "the login may not do this"},
		"404":             {pull, stderr("gh: Not Found (HTTP 404)"), "no pull request of that number in acme/shop"},
		"404 of the diff": {diff, stderr("GraphQL: Could not resolve to a PullRequest with the number of 7."), "Could not resolve"},
		"409":             {pull, stderr("gh: Conflict (HTTP 409)"), "start over"},
		"429":             {pull, stderr("gh: Too Many Requests (HTTP 429)"), "try again later"},
		"rate limit":      {pull, stderr("gh: API rate limit exceeded for user ID 1. (HTTP 403)"), "rate limit is used up"},
		"secondary limit": {pull, stderr("gh: You have exceeded a secondary rate limit. Please wait a few minutes before you try again. (HTTP 403)"), "rate limit is used up"},
		"500":             {pull, stderr("gh: Server Error (HTTP 500)"), "GitHub has a fault"},
		"502 of the diff": {diff, stderr("could not find pull request diff: HTTP 502: Server Error (https://api.github.com/repos/acme/shop/pulls/7)"), "GitHub has a fault"},
		"cut off":         {pull, stderr("Get \"https://api.github.com/repos/acme/shop/pulls/7\": unexpected EOF"), "the connection was cut off"},
		"half an answer":  {pull, ghAnswer{Stdout: `{"number":7,"title":"Re`}, "not what GitHub documents"},
		"half a diff":     {diff, ghAnswer{Stdout: half}, "in the middle of a file"},
		"diff, then cut":  {diff, ghAnswer{Stdout: half, Stderr: "unexpected EOF", Exit: 1}, "the connection was cut off"},
		"a page":          {pull, ghAnswer{Stdout: "<!DOCTYPE html><form>log in"}, "not what GitHub documents"},
		"other JSON":      {pull, ghAnswer{Stdout: `{"number":8,"head":{"sha":"aaaaaaaaaa"}}`}, "names no such pull request"},
		"huge answer":     {pull, ghAnswer{Stdout: `{"title":"` + strings.Repeat("x", 17<<20) + `"}`}, "too long"},
		"diff too large":  {diff, stderr("could not find pull request diff: HTTP 406: Sorry, the diff exceeded the maximum number of lines (20000)"), "check the branch out"},
		"no network":      {pull, stderr("error connecting to api.github.com\ncheck your internet connection or https://githubstatus.com"), "cannot be reached"},
		"escapes":         {pull, stderr("gh: \x1b[31mred\x1b]0;title\x07 (HTTP 418)"), "red (HTTP 418)"},
		"silence":         {diff, ghAnswer{Exit: 137}, "ended with 137 and said nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, w, ref := newFakeGitHub(t)
			f.set(func() {
				f.instead = func(line string) *ghAnswer {
					if strings.Contains(line, c.at) {
						return &c.answer
					}
					return nil
				}
			})
			_, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.ContainsAny(err.Error(), "\n\x1b\x07") {
				t.Errorf("%v, want %q", err, c.want)
			}
			noneHolds(t, w.Root, "diff --git")
		})
	}
}

// TestSlowGH: a gh that does not answer is given up, and stopped.
func TestSlowGH(t *testing.T) {
	t.Parallel()
	f, w, ref := newFakeGitHub(t)
	ended := make(chan struct{})
	f.set(func() { f.instead = func(string) *ghAnswer { <-ended; return nil } })
	defer close(ended)
	ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := w.Fetch(ctx, DiffOptions{Ref: ref}); err == nil || !strings.Contains(err.Error(), "no answer in time") {
		t.Error(err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("given up after %s", took)
	}
}

// TestOddFilesOnGitHub: renamed, binary, deleted and unusually named files of a diff with CRLF get their positions, and a long diff is
// kept whole and shown in part.
func TestOddFilesOnGitHub(t *testing.T) {
	t.Parallel()
	f, w, ref := newFakeGitHub(t)
	f.patch = "diff --git \"a/src/gr\\303\\274\\303\\237e.go\" \"b/src/gr\\303\\274\\303\\237e.go\"\n--- \"a/src/gr\\303\\274\\303\\237e.go\"\n+++ \"b/src/gr\\303\\274\\303\\237e.go\"\n@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n" +
		"diff --git a/logo.png b/logo.png\nindex 1..2 100644\nBinary files a/logo.png and b/logo.png differ\n" +
		"diff --git a/old name.go b/new name.go\nsimilarity index 60%\nrename from old name.go\nrename to new name.go\n--- a/old name.go\t\n+++ b/new name.go\t\n@@ -4 +4 @@\n-four\n+FOUR\n" +
		fmt.Sprintf("diff --git a/big b/big\n--- a/big\n+++ b/big\n@@ -0,0 +1,%d @@\n", 100_000) + strings.Repeat("+a line of forty characters, or nearly so\n", 100_000)
	d, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err != nil || d.Bytes != int64(len(f.patch)) || d.Dropped < d.Bytes-DefaultLimit || len(d.Files) != 4 || !d.Files[1].Binary {
		t.Fatalf("%v: %d bytes, %d dropped, %+v", err, d.Bytes, d.Dropped, d.Files)
	}
	triage := `{"accepted":[` +
		`{"severity":"important","file":"src/gr\u00fc\u00dfe.go","line":2,"issue":"it shouts","fix":"speak","reviewer":"one"},` +
		`{"severity":"important","file":"new name.go","line":4,"side":"old","issue":"it spoke","fix":"keep it","reviewer":"one"},` +
		`{"severity":"important","file":"big","line":99999,"issue":"too much","fix":"less","reviewer":"one"},` +
		`{"severity":"important","file":"logo.png","line":1,"issue":"too large","fix":"less","reviewer":"one"}],"deferred":[],"rejected":[],"approved":true}`
	path := d.Dir + "/triage.json"
	if err := os.WriteFile(path, []byte(triage), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := w.Post(t.Context(), PostOptions{Triage: path, Ref: ref, Consent: agreed})
	if err != nil || len(f.reviews) != 1 || p.General != 1 || f.reviews[0].Event != "APPROVE" {
		t.Fatalf("%+v %v", p, err)
	}
	var got []string
	for _, c := range f.reviews[0].Comments {
		got = append(got, fmt.Sprint(c.Path, " ", c.Line, " ", c.Side))
	}
	if want := []string{"src/grüße.go 2 RIGHT", "new name.go 4 LEFT", "big 99999 RIGHT"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestGitHubRefusesWhatIsPosted: a review that is refused, by a 422, a limit or a lost connection, says so with the way out, and one that
// moved while its author was asked gets nothing.
func TestGitHubRefusesWhatIsPosted(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"gh: Unprocessable Entity (HTTP 422)\nLine could not be resolved":                                 "fetch its diff again",
		"gh: Validation Failed (HTTP 422)":                                                                "what --dry-run shows",
		"gh: User can only have one pending review per pull request (HTTP 422)":                           "submit or discard it",
		"gh: You have exceeded a secondary rate limit and have been temporarily blocked (HTTP 403)":       "rate limit",
		"gh: Bad credentials (HTTP 401)":                                                                  "gh auth login",
		"Post \"https://api.github.com/repos/acme/shop/pulls/7/reviews\": read: connection reset by peer": "cut off",
	} {
		f, w, o := reviewedOnGitHub(t)
		f.set(func() {
			f.instead = func(line string) *ghAnswer {
				if strings.Contains(line, "-X POST") {
					return &ghAnswer{Stderr: said, Exit: 1}
				}
				return nil
			}
		})
		p, err := w.Post(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "0 of 1 requests were made") || p.Sent != 0 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", said, err)
		}
		f.set(func() { f.instead = nil })
		if p, err := w.Post(t.Context(), o); err != nil || p.Sent != 1 || len(f.reviews) != 1 {
			t.Errorf("after %q: %+v %v", said, p, err)
		}
	}
	f, w, o := reviewedOnGitHub(t)
	o.Consent = func(Posting) error {
		f.set(func() { f.head = strings.Repeat("c", 40) })
		return nil
	}
	if _, err := w.Post(t.Context(), o); exit.Code(err) != exit.Refused || len(f.reviews) != 0 || !strings.Contains(err.Error(), "nothing was posted") {
		t.Errorf("moved while it was asked: %v, %d reviews", err, len(f.reviews))
	}
	var _ forge.Pulls = (*forge.GitHub)(nil)
}
