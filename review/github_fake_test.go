package review

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/forge"
	"viber/internal/gitx"
)

// TestMain makes the test binary a gh of its own: a link to it called gh hands its arguments and its input to the test.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "gh" {
		os.Exit(asGH())
	}
	os.Exit(m.Run())
}

type ghCall struct {
	Args  []string
	Stdin string
}

type ghAnswer struct {
	Stdout, Stderr string
	Exit           int
}

func asGH() int {
	stdin, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 98
	}
	text, err := json.Marshal(ghCall{os.Args[1:], string(stdin)})
	if err != nil {
		return 98
	}
	resp, err := http.Post(os.Getenv("FAKE_GH_URL"), "application/json", bytes.NewReader(text))
	if err != nil {
		fmt.Fprintln(os.Stderr, "killed")
		return 1
	}
	defer resp.Body.Close()
	var a ghAnswer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		fmt.Fprintln(os.Stderr, "killed")
		return 1
	}
	fmt.Print(a.Stdout)
	fmt.Fprint(os.Stderr, a.Stderr)
	return a.Exit
}

// fakeGitHub is what the fake gh speaks with: one pull request, and what was posted on it.
type fakeGitHub struct {
	t *testing.T
	*httptest.Server
	mu       sync.Mutex
	head     string
	author   string
	patch    string
	reviews  []ghReview
	issue    []string // comments on the conversation
	calls    []ghCall
	broken   *ghAnswer                   // what every call is answered with, when set
	instead  func(line string) *ghAnswer // what one call is answered with, when set and not nil
	afterOne func(w http.ResponseWriter) // after a writing call was done
}

type ghReview struct {
	Commit   string `json:"commit_id"`
	Event    string
	Body     string
	Comments []struct {
		Path string
		Line int
		Side string
		Body string
	}
}

func newFakeGitHub(t *testing.T) (*fakeGitHub, World, forge.Reference) {
	t.Helper()
	f := &fakeGitHub{t: t, head: strings.Repeat("a", 40), author: "kim", patch: strings.NewReplacer("src://", "a/", "dst://", "b/").Replace(examplePatch)}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	root, bin := t.TempDir(), t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(bin, "gh")); err != nil {
		t.Fatal(err)
	}
	environ := []string{"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(root), "FAKE_GH_URL=" + f.URL}
	w := World{Root: root, Git: gitx.Git{Dir: root, Env: environ}, Now: time.Now,
		Places: forge.Places{Dir: root, Home: root, Environ: environ, Keys: keys{}}}
	return f, w, forge.Parse("https://github.com/acme/shop/pull/7", forge.Surroundings{})
}

func (f *fakeGitHub) serve(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var call ghCall
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		f.t.Error(err)
	}
	f.calls = append(f.calls, call)
	if f.broken != nil {
		_ = json.NewEncoder(w).Encode(f.broken)
		return
	}
	if f.instead != nil {
		if a := f.instead(strings.Join(call.Args, " ")); a != nil {
			_ = json.NewEncoder(w).Encode(a)
			return
		}
	}
	stdout, wrote := f.answer(call)
	if wrote && f.afterOne != nil {
		f.afterOne(w)
	}
	_ = json.NewEncoder(w).Encode(ghAnswer{Stdout: stdout})
}

func (f *fakeGitHub) answer(call ghCall) (stdout string, wrote bool) {
	line := strings.Join(call.Args, " ")
	const pull = "api --hostname github.com repos/acme/shop/pulls/7"
	switch line {
	case pull:
		return fmt.Sprintf(`{"number":7,"title":"Retry","state":"open","user":{"login":%q},"head":{"ref":"feature/retry","sha":%q},"base":{"ref":"main","sha":%q}}`,
			f.author, f.head, strings.Repeat("b", 40)), false
	case "repo view --json url":
		return `{"url":"https://github.com/acme/shop"}`, false
	case "pr diff 7 --repo github.com/acme/shop --color never":
		return f.patch, false
	case "api --hostname github.com graphql -f query={viewer{login}}":
		return `{"data":{"viewer":{"login":"ann"}}}`, false
	case "api --hostname github.com --paginate repos/acme/shop/pulls/7/reviews?per_page=100":
		return f.reviewList(), false
	case "api --hostname github.com --paginate repos/acme/shop/pulls/7/comments?per_page=100":
		return f.commentList(), false
	case "api --hostname github.com --paginate repos/acme/shop/issues/7/comments?per_page=100":
		var all []map[string]any
		for _, body := range f.issue {
			all = append(all, map[string]any{"body": body, "user": map[string]any{"login": "ann"}})
		}
		return asJSON(all), false
	case "api --hostname github.com -X POST repos/acme/shop/pulls/7/reviews --input -":
		var review ghReview
		if err := json.Unmarshal([]byte(call.Stdin), &review); err != nil {
			f.t.Error(err)
		}
		f.reviews = append(f.reviews, review)
		return `{"id":1}`, true
	case "api --hostname github.com -X POST repos/acme/shop/issues/7/comments --input -":
		var body struct{ Body string }
		if err := json.Unmarshal([]byte(call.Stdin), &body); err != nil {
			f.t.Error(err)
		}
		f.issue = append(f.issue, body.Body)
		return `{"id":1}`, true
	}
	return f.lists(line), false
}

func (f *fakeGitHub) lists(line string) string {
	row := func(n int, at string) string {
		return fmt.Sprintf(`{"number":%d,"title":"P%d","url":"https://github.com/acme/shop/pull/%d","headRefName":"b%d","author":{"login":"kim"},"updatedAt":%q,"repository":{"nameWithOwner":"acme/shop"}}`, n, n, n, n, at)
	}
	switch {
	case strings.HasPrefix(line, "pr list "):
		return "[" + row(1, "2026-01-01T00:00:00Z") + "," + row(2, "2026-03-01T00:00:00Z") + "]"
	case strings.HasPrefix(line, "search prs ") && strings.Contains(line, "--review-requested=@me"):
		return "[" + row(2, "2026-03-01T00:00:00Z") + "," + row(3, "2026-02-01T00:00:00Z") + "]"
	case strings.HasPrefix(line, "search prs ") && strings.Contains(line, "--author=@me"):
		return "[]"
	}
	f.t.Errorf("a call of gh nobody should make: %s", line)
	return ""
}

// reviewList answers in two pages, one JSON list after the other, as gh prints them.
func (f *fakeGitHub) reviewList() string {
	var all []map[string]any
	for _, r := range f.reviews {
		state := map[string]string{"APPROVE": "APPROVED", "REQUEST_CHANGES": "CHANGES_REQUESTED", "COMMENT": "COMMENTED"}[r.Event]
		all = append(all, map[string]any{"body": r.Body, "state": state, "commit_id": r.Commit, "user": map[string]any{"login": "ann"}})
	}
	return "[]\n" + asJSON(all)
}

func (f *fakeGitHub) commentList() string {
	var all []map[string]any
	for _, r := range f.reviews {
		for _, c := range r.Comments {
			all = append(all, map[string]any{"body": c.Body, "user": map[string]any{"login": "ann"}})
		}
	}
	return asJSON(all)
}

func asJSON(list []map[string]any) string {
	if list == nil {
		return "[]"
	}
	text, _ := json.Marshal(list)
	return string(text)
}

// set changes the fake between two requests.
func (f *fakeGitHub) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}
