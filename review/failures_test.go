package review

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viber/forge"
)

// TestBitbucketFailures: whatever a server answers in place of the diff, there is one line that names the way out, no token
// in it, and nothing is left that could pass for a diff.
func TestBitbucketFailures(t *testing.T) {
	t.Parallel()
	say := func(code int, kind, text string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = w.Write([]byte(text))
		}
	}
	message := `{"errors":[{"message":"said by\nthe server \u001b[31m"}]}`
	for name, c := range map[string]struct {
		at     string // end of the path that fails
		answer func(http.ResponseWriter)
		want   string
	}{
		"401":          {"/7", say(401, "application/json", message), "viber forge login"},
		"403":          {"/7", say(403, "application/json", message), "the token may not do this"},
		"404":          {"/7", say(404, "application/json", message), "no such project"},
		"409":          {"/diff", say(409, "application/json", message), "start again"},
		"429":          {"/7", func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3600"); w.WriteHeader(429) }, "try again in 1h0m0s"},
		"500":          {"/diff", say(500, "text/html", "<html>"), "the host has a fault"},
		"a page":       {"/7", say(200, "text/html", "<!DOCTYPE html><form>log in"), "web page"},
		"page as text": {"/diff", say(200, "text/html", "<html>"), "web page"},
		"not JSON":     {"/7", say(200, "application/json", `{"id":`), "no JSON"},
		"other JSON":   {"/7", say(200, "application/json", `{"id":8}`), "names no such pull request"},
		"huge":         {"/7", say(200, "application/json", `{"title":"`+strings.Repeat("x", 17<<20)+`"}`), "larger than 16 MB"},
		"cut off": {"/diff", func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/plain")
			w.Header().Set("Content-Length", "100000")
			_, _ = w.Write([]byte("diff --git src://a dst://a\n"))
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, "the connection was cut off"},
		"closed": {"/7", func(http.ResponseWriter) { panic(http.ErrAbortHandler) }, "the connection was cut off"},
		"slow":   {"/diff", func(http.ResponseWriter) { time.Sleep(700 * time.Millisecond) }, "no answer in time"},
		"another host": {"/7", func(w http.ResponseWriter) {
			w.Header().Set("Location", "https://evil.example/rest")
			w.WriteHeader(302)
		}, "evil.example; a token is only ever sent to the host it belongs to"},
		"http": {"/7", func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://127.0.0.1:1/rest")
			w.WriteHeader(302)
		}, "a token is only ever sent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFakeBitbucket(t)
			w, ref := bitbucketWorld(t, f)
			w.Places.Timeout = 20 * time.Second
			if name == "slow" {
				w.Places.Timeout = 400 * time.Millisecond
			}
			f.set(func() {
				f.answer = func(w http.ResponseWriter, r *http.Request) bool {
					if !strings.HasSuffix(r.URL.Path, c.at) {
						return false
					}
					c.answer(w)
					return true
				}
			})
			_, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") || strings.Contains(err.Error(), secret) {
				t.Errorf("the error %q", err)
			}
			noneHolds(t, w.Root, "diff --git")
		})
	}
}

// TestBusyHostIsAskedAgain: a short Retry-After is waited for, once.
func TestBusyHostIsAskedAgain(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, ref := bitbucketWorld(t, f)
	refused := 0
	f.set(func() {
		f.answer = func(w http.ResponseWriter, _ *http.Request) bool {
			if refused++; refused > 1 {
				return false
			}
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
			return true
		}
	})
	if _, err := w.Fetch(t.Context(), DiffOptions{Ref: ref}); err != nil {
		t.Error(err)
	}
}

// TestHugeDiffsAreShortened: what a host sends is kept whole in a file, told about while it comes, and shown in part.
func TestHugeDiffsAreShortened(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, ref := bitbucketWorld(t, f)
	w.Places.Timeout = time.Minute
	var said []string
	w.Progress = func(text string) { said = append(said, text) }
	n := 200_000
	f.set(func() {
		f.patch = examplePatch + fmt.Sprintf("diff --git src://big dst://big\n--- src://big\n+++ dst://big\n@@ -0,0 +1,%d @@\n", n) + strings.Repeat("+a line of forty characters, or nearly so\n", n)
	})
	d, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err != nil || d.Bytes != int64(len(f.patch)) || d.Dropped < d.Bytes-DefaultLimit || d.Added != n+3 {
		t.Fatalf("%v %d bytes, %d dropped, %d added", err, d.Bytes, d.Dropped, d.Added)
	}
	shown, err := os.ReadFile(d.Patch)
	if err != nil || len(shown) > DefaultLimit+1000 || !strings.Contains(string(shown), "rename to lib/new.go") || !strings.Contains(string(shown), "more bytes of big]") {
		t.Errorf("%v: %d bytes shown", err, len(shown))
	}
	if last := said[len(said)-1]; !strings.HasSuffix(last, ": 7 MB") && !strings.HasSuffix(last, ": 8 MB") {
		t.Errorf("told %q at last", last)
	}
}

// TestOnlyRegisteredHostsAreAsked: an address of a stranger's host is not even looked up.
func TestOnlyRegisteredHostsAreAsked(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, ref := bitbucketWorld(t, f)
	w.Places.Hosts = []string{"git.example.com"}
	_, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err == nil || !strings.Contains(err.Error(), "viber forge add "+f.host()) || len(f.requests) != 0 {
		t.Errorf("%v, %d requests", err, len(f.requests))
	}
}

func noneHolds(t *testing.T, root, text string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) {
			t.Errorf("%s holds %q", path, text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTokenNeverPrintsItself: no verb of fmt shows it.
func TestTokenNeverPrintsItself(t *testing.T) {
	t.Parallel()
	var token forge.Token
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, token); got != "(a token)" {
			t.Errorf("%s: %s", verb, got)
		}
	}
}
