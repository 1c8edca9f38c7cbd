package review

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/forge"
	"viber/internal/exit"
)

func reviewedOnGitHub(t *testing.T) (*fakeGitHub, World, PostOptions) {
	t.Helper()
	f, w, ref := newFakeGitHub(t)
	d, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	return f, w, PostOptions{Triage: exampleTriage(t, d.Dir), Ref: ref, Consent: agreed}
}

// TestPostOnGitHub: one review holds everything, at the commit that was reviewed; a second run posts nothing.
func TestPostOnGitHub(t *testing.T) {
	t.Parallel()
	f, w, o := reviewedOnGitHub(t)
	p, err := w.Post(t.Context(), o)
	if err != nil || p.Sent != 1 || len(f.reviews) != 1 {
		t.Fatalf("%+v: %v", p, err)
	}
	r := f.reviews[0]
	var got []string
	for _, c := range r.Comments {
		got = append(got, fmt.Sprint(c.Path, " ", c.Line, " ", c.Side))
	}
	want := []string{"src/pay.go 13 RIGHT", "src/pay.go 14 RIGHT", "lib/new.go 2 LEFT", "gone.go 2 LEFT"}
	if !slices.Equal(got, want) || r.Event != "REQUEST_CHANGES" || r.Commit != f.head || !strings.Contains(r.Body, "`src/pay.go:400`") {
		t.Errorf("%v %s %s %q", got, r.Event, r.Commit, r.Body)
	}
	again, err := w.Post(t.Context(), o)
	if err != nil || len(again.Requests) != 0 || again.Already != 5 || len(f.reviews) != 1 {
		t.Errorf("a second run: %+v, %v", again, err)
	}
	for _, c := range f.calls {
		if line := strings.Join(c.Args, " "); strings.Contains(line, "finding number") {
			t.Errorf("a finding in argv: %s", line)
		}
	}
}

// TestANumberThatOnlyGHKnows: where the remotes do not say which repository this is, a review by number is found again to post.
func TestANumberThatOnlyGHKnows(t *testing.T) {
	t.Parallel()
	_, w, _ := newFakeGitHub(t)
	ref := forge.Parse("#7", w.Places.Surroundings(t.Context(), "#7"))
	d, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err != nil || !strings.Contains(d.Dir, "acme-shop-7") {
		t.Fatalf("%s: %v", d.Dir, err)
	}
	p, err := w.Post(t.Context(), PostOptions{Triage: exampleTriage(t, d.Dir), Ref: ref, DryRun: true})
	if err != nil || len(p.Requests) != 1 {
		t.Errorf("%+v: %v", p, err)
	}
}

// TestPostOnGitHubGoesOnAfterAKill: the review landed and its answer did not, or the long texts before it landed alone.
func TestPostOnGitHubGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 3; n++ {
		f, w, o := reviewedOnGitHub(t)
		text, err := os.ReadFile(o.Triage)
		if err != nil {
			t.Fatal(err)
		}
		// general comments that are too long for one text
		long := strings.Replace(string(text), `"line":400`, `"line":401`, 1)
		for i := range 20 {
			row := fmt.Sprintf(`{"severity":"important","file":"far/away%d.go","line":1,"issue":"%[2]s","fix":"%[2]s","reviewer":"one"},`, i, strings.Repeat(fmt.Sprintf("w%02dord ", i), 560))
			long = strings.Replace(long, `"accepted":[`, `"accepted":[`+row, 1)
		}
		if err := os.WriteFile(o.Triage, []byte(long), 0o600); err != nil {
			t.Fatal(err)
		}
		writes := 0
		f.set(func() {
			f.afterOne = func(http.ResponseWriter) {
				if writes++; writes == n {
					panic(http.ErrAbortHandler)
				}
			}
		})
		_, err = w.Post(t.Context(), o)
		if err == nil {
			t.Errorf("killed after %d: no error (%d writes)", n, writes)
		}
		f.set(func() { f.afterOne = nil })
		if _, err := w.Post(t.Context(), o); err != nil {
			t.Errorf("after a kill at %d: %v", n, err)
		}
		all := strings.Join(f.issue, "\n")
		for _, r := range f.reviews {
			all += r.Body
			for _, c := range r.Comments {
				all += c.Body
			}
		}
		ids := posted([]string{all})
		if len(ids) != 25 || strings.Count(all, mark) != 25 {
			t.Errorf("killed after %d: %d findings in %d markers", n, len(ids), strings.Count(all, mark))
		}
	}
}

func TestGitHubRefusesAMovedHead(t *testing.T) {
	t.Parallel()
	f, w, o := reviewedOnGitHub(t)
	f.set(func() { f.head = strings.Repeat("c", 40) })
	if _, err := w.Post(t.Context(), o); exit.Code(err) != exit.Refused || len(f.reviews) != 0 {
		t.Errorf("%v", err)
	}
}

// TestListMerges: hosts are asked together; what two lists name is one row, the newest comes first, and a host that refuses
// is named and contributes nothing.
func TestListMerges(t *testing.T) {
	t.Parallel()
	_, w, _ := newFakeGitHub(t)
	b := newFakeBitbucket(t)
	bw, _ := bitbucketWorld(t, b)
	w.Places.Hosts, w.Places.Keys, w.Places.Client = append(bw.Places.Hosts, "nowhere.invalid"), bw.Places.Keys, bw.Places.Client
	l := w.List(t.Context())
	var got []string
	for _, p := range l.Pulls {
		got = append(got, fmt.Sprintf("%s#%d %s", p.Service, p.Number, strings.Join(p.Why, "+")))
	}
	want := []string{"github#2 here+review-requested", "github#3 review-requested", "bitbucket-server#7 review-requested", "bitbucket-server#8 review-requested",
		"bitbucket-server#9 review-requested", "github#1 here"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(l.Absent) != 1 || l.Absent[0].Host != "nowhere.invalid" || !strings.Contains(l.Absent[0].Reason, "no token for nowhere.invalid") {
		t.Errorf("absent: %+v", l.Absent)
	}
	for _, p := range l.Pulls {
		if strings.Contains(p.Title, "\x1b") {
			t.Errorf("the title %q reaches a terminal", p.Title)
		}
	}
}

// TestHostsAreAskedTogether: the Bitbucket Server does not answer before gh has asked, and gh's three questions are on the
// way at once.
func TestHostsAreAskedTogether(t *testing.T) {
	t.Parallel()
	g, w, _ := newFakeGitHub(t)
	b := newFakeBitbucket(t)
	bw, _ := bitbucketWorld(t, b)
	w.Places.Hosts, w.Places.Keys, w.Places.Client, w.Places.Timeout = bw.Places.Hosts, bw.Places.Keys, bw.Places.Client, 20*time.Second
	var asked sync.WaitGroup
	asked.Add(4)
	together := func() {
		asked.Done()
		asked.Wait()
	}
	inner := g.Config.Handler
	g.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { together(); inner.ServeHTTP(rw, r) })
	once := sync.OnceFunc(together)
	b.set(func() { b.answer = func(http.ResponseWriter, *http.Request) bool { once(); return false } })
	l := w.List(t.Context())
	if len(l.Pulls) != 6 || len(l.Absent) != 0 {
		t.Errorf("%d pull requests, absent %+v", len(l.Pulls), l.Absent)
	}
}

// TestGHFailuresNameTheWayOut: what gh says when it cannot becomes one line.
func TestGHFailuresNameTheWayOut(t *testing.T) {
	t.Parallel()
	f, w, ref := newFakeGitHub(t)
	for said, want := range map[string]string{
		"gh: Not Found (HTTP 404)": "Not Found", "gh: Bad credentials (HTTP 401)": "gh auth login", "gh: API rate limit exceeded (HTTP 403)": "rate limit",
		"error connecting to api.github.com": "cannot be reached", "": "said nothing",
	} {
		f.set(func() { f.broken = &ghAnswer{Stderr: said, Exit: 1} })
		_, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", said, err)
		}
	}
	f.set(func() { f.broken = &ghAnswer{Stdout: "<html>"} })
	if _, err := w.Fetch(t.Context(), DiffOptions{Ref: ref}); err == nil || !strings.Contains(err.Error(), "not what GitHub documents") {
		t.Errorf("a web page: %v", err)
	}
	w.Places.Environ = []string{"PATH=" + t.TempDir()}
	if _, err := w.Fetch(t.Context(), DiffOptions{Ref: ref}); exit.Code(err) != exit.Refused || !strings.Contains(err.Error(), "install the GitHub CLI") {
		t.Errorf("no gh: %v", err)
	}
	var _ forge.Pulls = (*forge.GitHub)(nil)
}
