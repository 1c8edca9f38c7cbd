//go:build !windows

package review

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTokensAreNowhere: the token comes from git's credential helper and is found afterwards in no argument of a program, no
// file, no output and no error, whether calls succeed or fail.
func TestTokensAreNowhere(t *testing.T) {
	t.Parallel()
	f := newFakeBitbucket(t)
	w, ref := bitbucketWorld(t, f)
	w.Places.Keys = keys{}
	home, bin, log := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "argv.log")
	helper := "#!/bin/sh\necho password=" + secret + "\n"
	logging := "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\n' \"$a\" >> " + log + "; done\nPATH=" + os.Getenv("PATH") + "\nexec git \"$@\"\n"
	for name, text := range map[string]string{filepath.Join(home, "helper"): helper, filepath.Join(bin, "git"): logging} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	config := "[credential]\n\thelper = " + filepath.Join(home, "helper") + "\n\tusername = ann\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	w.Places.Home = home
	w.Places.Environ = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
	var said strings.Builder
	w.Progress = func(text string) { said.WriteString(text) }
	f.set(func() { f.answer = func(w http.ResponseWriter, r *http.Request) bool { return false } })
	f.Config.Handler = basicToBearer(f.Config.Handler)

	d, err := w.Fetch(t.Context(), DiffOptions{Ref: ref})
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Post(t.Context(), PostOptions{Triage: exampleTriage(t, d.Dir), Ref: ref, Consent: agreed})
	fmt.Fprintf(&said, "%+v %#v %v", p, p, err)
	if err != nil || len(f.comments) != 5 {
		t.Errorf("%v, %d comments", err, len(f.comments))
	}
	f.set(func() {
		f.answer = func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(500)
			fmt.Fprintf(w, `{"errors":[{"message":"boom"}]}`)
			return true
		}
	})
	_, err = w.Fetch(t.Context(), DiffOptions{Ref: ref})
	fmt.Fprintf(&said, "%v %#v", err, err)
	host, err := w.Places.For(ref)
	fmt.Fprintf(&said, "%v %+v %#v %v", host, host, host, err)
	argv, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(argv), "credential") {
		t.Errorf("the helper was not asked: %v %s", err, argv)
	}
	if strings.Contains(said.String()+string(argv), secret) {
		t.Errorf("the token was told")
	}
	noneHolds(t, w.Root, secret)
}

// basicToBearer lets the fake server take a login too.
func basicToBearer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); ok && user == "ann" {
			r.Header.Set("Authorization", "Bearer "+password)
		}
		next.ServeHTTP(w, r)
	})
}
