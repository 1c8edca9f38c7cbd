package review

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	secret = "hunter2-planted-token"
	bbPath = "/rest/api/1.0/projects/SHOP/repos/cart/pull-requests/7"
)

// fakeBitbucket answers as a Bitbucket Server does, for one pull request.
type fakeBitbucket struct {
	t *testing.T
	*httptest.Server

	mu        sync.Mutex
	head      string
	author    string
	state     string
	patch     string
	comments  []fakeComment
	status    map[string]string // of participants, by slug
	requests  []string
	onWrite   func(n int) // after the n-th writing request was done, before it is answered
	answer    func(w http.ResponseWriter, r *http.Request) bool
	writes    int
	nextID    int
	pageSize  int
	reviewers []string
}

type fakeComment struct {
	ID     int
	Text   string
	Anchor map[string]any
}

func newFakeBitbucket(t *testing.T) *fakeBitbucket {
	f := &fakeBitbucket{t: t, head: strings.Repeat("a", 40), author: "kim", state: "OPEN", patch: examplePatch, status: map[string]string{},
		pageSize: 2, reviewers: []string{"ann", "bob"}}
	f.Server = httptest.NewTLSServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

func (f *fakeBitbucket) host() string { return strings.TrimPrefix(f.URL, "https://") }

func (f *fakeBitbucket) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.requests = append(f.requests, r.Method+" "+r.URL.RequestURI())
	if r.Header.Get("Authorization") != "Bearer "+secret {
		f.say(w, 401, `{"errors":[{"message":"Authentication failed. Please check your credentials and try again."}]}`)
		return
	}
	w.Header().Set("X-AUSERNAME", "ann")
	if f.answer != nil && f.answer(w, r) {
		return
	}
	path, wrote := r.URL.Path, r.Method != http.MethodGet
	switch {
	case path == "/rest/api/1.0/application-properties":
		f.say(w, 200, `{"version":"8.9.0"}`)
	case path == bbPath && !wrote:
		f.sayJSON(w, 200, f.pull())
	case path == bbPath+"/diff" && r.Header.Get("Accept") == "text/plain" && r.URL.Query().Get("contextLines") == "10":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, f.patch)
	case path == bbPath+"/activities":
		f.activities(w, r)
	case path == bbPath+"/comments" && r.Method == http.MethodPost:
		f.comment(w, r)
	case strings.HasPrefix(path, bbPath+"/comments/") && r.Method == http.MethodDelete && r.URL.Query().Get("version") == "0":
		id, _ := strconv.Atoi(strings.TrimPrefix(path, bbPath+"/comments/"))
		for i, c := range f.comments {
			if c.ID == id {
				f.comments = append(f.comments[:i], f.comments[i+1:]...)
				break
			}
		}
		w.WriteHeader(204)
	case strings.HasPrefix(path, bbPath+"/participants/") && r.Method == http.MethodPut:
		var body struct{ Status string }
		_ = json.NewDecoder(r.Body).Decode(&body)
		f.status[strings.TrimPrefix(path, bbPath+"/participants/")] = body.Status
		f.say(w, 200, `{}`)
	case strings.HasSuffix(path, "/pull-requests") && !wrote:
		f.list(w, r)
	case strings.Contains(path, "/browse/") && !wrote:
		f.browse(w, r)
	case strings.Contains(path, "/raw/") && !wrote:
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "a guide\n")
	default:
		f.t.Errorf("a request nobody should make: %s %s", r.Method, r.URL)
		f.say(w, 404, `{"errors":[{"message":"no such thing"}]}`)
	}
	if wrote {
		f.writes++
		if f.onWrite != nil {
			f.onWrite(f.writes)
		}
	}
}

func (f *fakeBitbucket) say(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text)
}

func (f *fakeBitbucket) sayJSON(w http.ResponseWriter, code int, v any) {
	text, err := json.Marshal(v)
	if err != nil {
		f.t.Error(err)
	}
	f.say(w, code, string(text))
}

func (f *fakeBitbucket) pull() map[string]any {
	person := func(name string) map[string]any {
		return map[string]any{"user": map[string]any{"name": name, "slug": name}, "status": f.status[name]}
	}
	var reviewers []any
	for _, r := range f.reviewers {
		reviewers = append(reviewers, person(r))
	}
	ref := func(name, commit string) map[string]any {
		return map[string]any{"displayId": name, "latestCommit": commit,
			"repository": map[string]any{"slug": "cart", "project": map[string]any{"key": "SHOP"}}}
	}
	return map[string]any{"id": 7, "title": "Retry the \x1b[31mpayment", "state": f.state, "updatedDate": 1767225600000,
		"author": person(f.author), "reviewers": reviewers, "fromRef": ref("feature/retry", f.head), "toRef": ref("main", strings.Repeat("b", 40))}
}

// activities pages through the comments, as the server does.
func (f *fakeBitbucket) activities(w http.ResponseWriter, r *http.Request) {
	start, _ := strconv.Atoi(r.URL.Query().Get("start"))
	var values []any
	for i := start; i < len(f.comments) && i < start+f.pageSize; i++ {
		values = append(values, map[string]any{"action": "COMMENTED", "commentAction": "ADDED",
			"comment": map[string]any{"text": f.comments[i].Text, "author": map[string]any{"name": "ann"}}})
	}
	next := start + f.pageSize
	f.sayJSON(w, 200, map[string]any{"values": values, "isLastPage": next >= len(f.comments), "nextPageStart": next})
}

func (f *fakeBitbucket) comment(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Text   string
		Anchor map[string]any
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Text == "" {
		f.say(w, 400, `{"errors":[{"message":"no text"}]}`)
		return
	}
	f.nextID++
	f.comments = append(f.comments, fakeComment{f.nextID, body.Text, body.Anchor})
	f.sayJSON(w, 201, map[string]any{"id": f.nextID, "version": 0})
}

func (f *fakeBitbucket) list(w http.ResponseWriter, r *http.Request) {
	if q := r.URL.Query(); q.Get("state") != "OPEN" || q.Get("role") != "REVIEWER" {
		f.t.Errorf("listed with %s", r.URL.RawQuery)
	}
	start, _ := strconv.Atoi(r.URL.Query().Get("start"))
	pull := f.pull()
	pull["id"] = 7 + start
	f.sayJSON(w, 200, map[string]any{"values": []any{pull}, "isLastPage": start >= 2, "nextPageStart": start + 1})
}

func (f *fakeBitbucket) browse(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/browse/src") {
		f.say(w, 404, `{"errors":[{"message":"no such path"}]}`)
		return
	}
	f.say(w, 200, `{"children":{"values":[{"path":{"name":"AGENTS.md"},"type":"FILE"},{"path":{"name":"x"},"type":"DIRECTORY"},{"path":{"name":"api-CLAUDE.md"},"type":"FILE"}]}}`)
}

const examplePatch = `diff --git src://src/pay.go dst://src/pay.go
index 1111111..2222222 100644
--- src://src/pay.go
+++ dst://src/pay.go
@@ -10,5 +10,6 @@ func pay() {
 ten
 eleven
-twelve
+TWELVE
+thirteen
 fourteen
 fifteen
diff --git src://lib/old.go dst://lib/new.go
similarity index 90%
rename from lib/old.go
rename to lib/new.go
--- src://lib/old.go
+++ dst://lib/new.go
@@ -1,2 +1,2 @@
 one
-two
+TWO
diff --git src://gone.go dst://gone.go
deleted file mode 100644
--- src://gone.go
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
`

// exampleTriage has a finding on each kind of line, and one outside of the diff.
func exampleTriage(t *testing.T, dir string) string {
	t.Helper()
	rows := []struct {
		file, side string
		line       int
	}{{"src/pay.go", "new", 13}, {"src/pay.go", "new", 14}, {"lib/new.go", "old", 2}, {"gone.go", "old", 2}, {"src/pay.go", "new", 400}}
	var accepted []any
	for i, r := range rows {
		accepted = append(accepted, map[string]any{"severity": "blocking", "file": r.file, "line": r.line, "side": r.side, "issue": fmt.Sprintf("finding number %d about `thing%d`", i, i),
			"fix": "do it otherwise", "reviewer": "one"})
	}
	triage := map[string]any{"accepted": accepted, "deferred": []any{}, "rejected": []any{}, "approved": false}
	text, err := json.Marshal(triage)
	if err != nil {
		t.Fatal(err)
	}
	path := dir + "/triage.json"
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// set changes the fake between two requests.
func (f *fakeBitbucket) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}
