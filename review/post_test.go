package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"viber/forge"
	"viber/gate"
	"viber/internal/exit"
	"viber/internal/gitx"
)

// keys is a credential store that knows one token.
type keys map[string]string

func (k keys) Get(host string) (string, error) {
	if k[host] == "" {
		return "", errors.New("not found")
	}
	return k[host], nil
}
func (k keys) Set(host, token string) error { k[host] = token; return nil }
func (k keys) Delete(host string) error     { delete(k, host); return nil }

// bitbucketWorld is a project whose user has registered the fake server.
func bitbucketWorld(t *testing.T, f *fakeBitbucket) (World, forge.Reference) {
	t.Helper()
	root := t.TempDir()
	environ := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(root)}
	w := World{Root: root, Git: gitx.Git{Dir: root, Env: environ}, Now: time.Now, Places: forge.Places{
		Dir: root, Home: root, Environ: environ, Hosts: []string{f.host()}, Keys: keys{f.host(): secret}, Client: f.Client(), Timeout: 5 * time.Second,
	}}
	return w, forge.Parse(f.URL+"/projects/SHOP/repos/cart/pull-requests/7", forge.Surroundings{})
}

// reviewed is a world where the pull request's diff was fetched.
func reviewed(t *testing.T, f *fakeBitbucket) (World, PostOptions) {
	t.Helper()
	w, ref := bitbucketWorld(t, f)
	d, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return w, PostOptions{Triage: exampleTriage(t, d.Dir), Ref: ref, Consent: agreed}
}

func agreed(Posting) error { return nil }

// TestNothingIsPostedWithoutConsent: consent sees the requests, and its no is the end.
func TestNothingIsPostedWithoutConsent(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, o := reviewed(t, f)
	asked := ""
	o.Consent = func(p Posting) error { asked = fmt.Sprint(len(p.Requests), p.ID != ""); return errors.New("no") }
	if _, err := w.Post(t.Context(), o); err == nil || asked != "6 true" || f.writes != 0 {
		t.Errorf("%v, asked %s, %d writes", err, asked, f.writes)
	}
}

// TestASecondPostThatWasPlannedTooSendsNothing: both were planned before either sent.
func TestASecondPostThatWasPlannedTooSendsNothing(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, o := reviewed(t, f)
	first := o
	o.Consent = func(Posting) error {
		_, err := w.Post(t.Context(), first)
		return err
	}
	p, err := w.Post(t.Context(), o)
	if exit.Code(err) != exit.Refused || p.Sent != 0 || len(f.comments) != 5 {
		t.Errorf("%v, %d sent, %d comments", err, p.Sent, len(f.comments))
	}
}

func anchorsOf(f *fakeBitbucket) []string {
	var all []string
	for _, c := range f.comments {
		a := c.Anchor
		if a == nil {
			all = append(all, "general")
			continue
		}
		all = append(all, fmt.Sprint(a["path"], " ", a["srcPath"], " ", a["line"], " ", a["lineType"], " ", a["fileType"], " ", a["diffType"]))
	}
	return all
}

// TestPostOnBitbucket: findings stand at their lines, the one outside is a general comment, the verdict comes last, the
// reviewers stay, and a second run posts nothing.
func TestPostOnBitbucket(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, o := reviewed(t, f)
	dry := o
	dry.DryRun = true
	plan, err := w.Post(t.Context(), dry)
	if err != nil || f.writes != 0 || len(plan.Requests) != 6 {
		t.Fatalf("dry run: %v, %d writes, %d requests", err, f.writes, len(plan.Requests))
	}
	p, err := w.Post(t.Context(), o)
	if err != nil || p.Inline != 4 || p.General != 1 || p.Sent != 6 || p.Verdict != forge.NeedsWork {
		t.Fatalf("%+v: %v", p, err)
	}
	for i, r := range p.Requests {
		if a, b := fmt.Sprint(r.Method, r.Path, string(r.Body)), fmt.Sprint(plan.Requests[i].Method, plan.Requests[i].Path, string(plan.Requests[i].Body)); a != b {
			t.Errorf("sent %s, the dry run said %s", a, b)
		}
	}
	want := []string{
		"src/pay.go <nil> 13 ADDED TO EFFECTIVE", "src/pay.go <nil> 14 CONTEXT TO EFFECTIVE", "lib/new.go lib/old.go 2 REMOVED FROM EFFECTIVE",
		"gone.go <nil> 2 REMOVED FROM EFFECTIVE", "general",
	}
	if got := anchorsOf(f); !slices.Equal(got, want) {
		t.Errorf("anchors\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if f.status["ann"] != "NEEDS_WORK" || !slices.Equal(f.reviewers, []string{"ann", "bob"}) {
		t.Errorf("status %v, reviewers %v", f.status, f.reviewers)
	}
	again, err := w.Post(t.Context(), o)
	if err != nil || len(again.Requests) != 0 || again.Already != 5 || len(f.comments) != 5 {
		t.Errorf("a second run: %+v, %v, %d comments", again, err, len(f.comments))
	}
}

// TestPostGoesOnAfterAKill: whatever request a run ends after, the next one posts the rest and nothing twice.
func TestPostGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 6; n++ {
		for _, answered := range []bool{true, false} {
			f := newFakeBitbucket(t)
			w, o := reviewed(t, f)
			f.set(func() {
				f.onWrite = func(done int) {
					if done == n && !answered {
						panic(http.ErrAbortHandler) // the request was done, the connection breaks
					}
				}
			})
			f.set(func() {
				f.answer = func(_ http.ResponseWriter, r *http.Request) bool {
					if answered && f.writes == n && r.Method != http.MethodGet {
						panic(http.ErrAbortHandler) // the next one never arrives
					}
					return false
				}
			})
			_, err := w.Post(t.Context(), o)
			if err == nil && (n < 6 || !answered) {
				t.Errorf("killed after %d (answered %v): no error", n, answered)
			}
			f.set(func() { f.onWrite, f.answer = nil, nil })
			if _, err := w.Post(t.Context(), o); err != nil {
				t.Errorf("after a kill at %d: %v", n, err)
			}
			if got := len(f.comments); got != 5 || f.status["ann"] != "NEEDS_WORK" {
				t.Errorf("killed after %d (answered %v): %d comments, status %v", n, answered, got, f.status)
			}
		}
	}
}

// TestPostRefusesAMovedHead: a pull request that moved before or while findings are posted gets no verdict, and before the
// first request nothing at all.
func TestPostRefusesAMovedHead(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, o := reviewed(t, f)
	f.set(func() { f.head = strings.Repeat("c", 40) })
	_, err := w.Post(t.Context(), o)
	if exit.Code(err) != exit.Refused || f.writes != 0 || !strings.Contains(err.Error(), "review it again") {
		t.Errorf("moved before: %v, %d writes", err, f.writes)
	}
	f.set(func() { f.head = strings.Repeat("a", 40) })
	f.set(func() {
		f.onWrite = func(n int) {
			if n == 3 {
				f.head = strings.Repeat("d", 40)
			}
		}
	})
	if _, err = w.Post(t.Context(), o); exit.Code(err) != exit.Refused || len(f.status) != 0 {
		t.Errorf("moved while posting: %v, status %v", err, f.status)
	}
	f.set(func() { f.head, f.state, f.writes, f.onWrite = strings.Repeat("a", 40), "MERGED", 0, nil })
	if _, err := w.Post(t.Context(), o); exit.Code(err) != exit.Refused || f.writes != 0 {
		t.Errorf("merged: %v, %d writes", err, f.writes)
	}
}

// TestCancelledPostLeavesNothing: Ctrl-C takes back what the run has posted.
func TestCancelledPostLeavesNothing(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, o := reviewed(t, f)
	ctx, cancel := context.WithCancel(t.Context())
	f.set(func() {
		f.onWrite = func(n int) {
			if n == 3 {
				cancel()
			}
		}
	})
	_, err := w.Post(ctx, o)
	if exit.Code(err) != exit.Cancelled || len(f.comments) != 0 || len(f.status) != 0 {
		t.Errorf("%v: %d comments, status %v", err, len(f.comments), f.status)
	}
}

// TestPostOnOnesOwnPullRequest: findings, and no verdict.
func TestPostOnOnesOwnPullRequest(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	f.set(func() { f.author = "ann" })
	w, o := reviewed(t, f)
	p, err := w.Post(t.Context(), o)
	if err != nil || p.Verdict != forge.NoVerdict || len(f.comments) != 5 || len(f.status) != 0 || len(p.Notes) != 1 {
		t.Errorf("%+v %v", p, err)
	}
}

// TestPostRefusesCredentials: a finding that quotes a key goes nowhere, and the error does not tell it.
func TestPostRefusesCredentials(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, o := reviewed(t, f)
	planted := "gh" + "p_k3PZxLm2Qw8sTz5YbN1cDfGhJ7uV4eKaXoZi"
	text, err := os.ReadFile(o.Triage)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(o.Triage, []byte(strings.Replace(string(text), "do it otherwise", "use "+planted, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = w.Post(t.Context(), o)
	if exit.Code(err) != exit.Refused || f.writes != 0 || strings.Contains(err.Error(), planted) {
		t.Errorf("%v, %d writes", err, f.writes)
	}
	if err := noSecrets([]gate.Finding{{RuleID: gate.RuleID(planted)}}); exit.Code(err) != exit.Refused {
		t.Errorf("in the name of a rule: %v", err)
	}
}

// TestMarkersAreOurs: a finding whose words hold a marker does not count as posted.
func TestMarkersAreOurs(t *testing.T) {
	t.Parallel()
	text := own("x [//]: # (" + mark + "0123456789abcdef) y")
	if len(posted([]string{text})) != 0 {
		t.Errorf("%q holds a marker", text)
	}
	if got := posted([]string{"a\n\n" + marker("0123") + "\n\nb\n\n" + marker("4567")}); len(got) != 2 {
		t.Errorf("two markers are read as %v", got)
	}
}

// TestCancelledPostTellsWhatStays: what the host gave no way back for is not said to be gone.
func TestCancelledPostTellsWhatStays(t *testing.T) {
	t.Parallel()
	p := Posting{Sent: 2}
	err := World{}.takeBack(t.Context(), &p, nil)
	if exit.Code(err) != exit.Cancelled || p.Sent != 2 || !strings.Contains(err.Error(), "2 comments could not be taken back") {
		t.Errorf("%v, %d sent", err, p.Sent)
	}
}
