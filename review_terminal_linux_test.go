package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"viber/cli"
	"viber/internal/term"
)

// terminalGH is a gh that knows two open pull requests, and keeps what is posted on the second.
const terminalGH = `#!/bin/sh
case "$*" in
"pr list "*) cat "$HOME/list.json" ;;
"search prs "*) echo '[]' ;;
"api --hostname github.com repos/acme/shop/pulls/2")
	echo '{"number":2,"title":"Second","state":"open","user":{"login":"kim"},"head":{"ref":"feature/pay","sha":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"base":{"ref":"main","sha":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"}}' ;;
"pr diff 2 "*) printf '%s\n' 'diff --git a/pay.sh b/pay.sh' '--- a/pay.sh' '+++ b/pay.sh' '@@ -1 +1,2 @@' ' echo pay' '+# of the second' ;;
*graphql*) echo '{"data":{"viewer":{"login":"ann"}}}' ;;
*"-X POST repos/acme/shop/pulls/2/reviews --input -") cat > "$HOME/posted.json"; echo '{"id":1}' ;;
*--paginate*) echo '[]' ;;
*) echo "fake gh: no answer to $*" >&2; exit 97 ;;
esac
`

const twoPulls = `[{"number":1,"title":"First","url":"https://github.com/acme/shop/pull/1","headRefName":"a","author":{"login":"kim"},"updatedAt":"2026-01-01T00:00:00Z"},
{"number":2,"title":"Second","url":"https://github.com/acme/shop/pull/2","headRefName":"b","author":{"login":"kim"},"updatedAt":"2026-03-01T00:00:00Z"}]`

// reviewTerminal is a project with a branch of its own, and that gh.
func reviewTerminal(t *testing.T, pulls string) (cli.Env, string) {
	t.Helper()
	dir := t.TempDir()
	env := terminalEnv(t, dir)
	home := filepath.Join(dir, "home")
	for path, text := range map[string]string{filepath.Join(dir, "bin", "gh"): terminalGH, filepath.Join(home, "list.json"): pulls, filepath.Join(env.Dir, "pay.sh"): "echo pay\n"} {
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env.Environ = []string{"HOME=" + home, "TERM=xterm", "GIT_CONFIG_NOSYSTEM=1", "PATH=" + filepath.Join(dir, "bin") + ":/usr/bin:/bin",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com"}
	getenv := env.Getenv
	env.Getenv = func(name string) string {
		if name == "PATH" {
			return filepath.Join(dir, "bin") + ":/usr/bin:/bin"
		}
		return getenv(name)
	}
	for _, line := range []string{"init -q -b main", "add -A", "commit -q -m start", "checkout -q -b feature/x", "commit -q --allow-empty -m more"} {
		cmd := exec.Command("git", strings.Fields(line)...)
		cmd.Dir, cmd.Env = env.Dir, env.Environ
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %s", line, text)
		}
	}
	return env, home
}

func typedAt(t *testing.T, env cli.Env, question, text string, args ...string) (code int, screen string) {
	t.Helper()
	terminal, tty := openTerminal(t)
	env.Streams = term.Streams{In: tty, Out: tty, Err: tty, InTTY: true, OutTTY: true, ErrTTY: true}
	done := make(chan int, 1)
	go func() { done <- cli.Main(env, append([]string{"viber"}, args...)); tty.Close() }()
	screen = play(terminal, question, text)
	return <-done, screen
}

// TestThePickerOfReviews: by hand, `viber review diff` offers the open pull requests, newest first; what is chosen is fetched, none means
// the branch one is on, and Ctrl-C fetches nothing.
func TestThePickerOfReviews(t *testing.T) {
	for name, c := range map[string]struct {
		pulls, question, typed string
		code                   int
		want, made             string
	}{
		"the first":        {twoPulls, "Which pull requests?", " \r", 0, "of the second", "github.com-acme-shop-2-*"},
		"none":             {twoPulls, "Which pull requests?", "\r", 0, "0 files", "feature-x-*"},
		"ctrl-c":           {twoPulls, "Which pull requests?", " \x03", 4, "cancelled", ""},
		"nothing to offer": {"[]", "no open pull requests found", "", 0, "this is the branch you are on", "feature-x-*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, _ := reviewTerminal(t, c.pulls)
			code, screen := typedAt(t, env, c.question, c.typed, "review", "diff")
			if code != c.code || !strings.Contains(screen, c.want) {
				t.Errorf("exit code %d, want %d and %q\n%s", code, c.code, c.want, screen)
			}
			made, _ := filepath.Glob(filepath.Join(env.Dir, ".temp", "viber", "review", "*-*"))
			if c.made == "" && len(made) > 0 || c.made != "" && len(made) != 1 {
				t.Fatalf("reviews: %v", made)
			}
			if c.made != "" {
				if ok, err := filepath.Match(c.made, filepath.Base(made[0])); err != nil || !ok {
					t.Errorf("the review is %s, want %s", made[0], c.made)
				}
			}
		})
	}
}

// TestPostAsksOnATerminal: what would be posted is shown; only a yes posts it, and Ctrl-C leaves nothing.
func TestPostAsksOnATerminal(t *testing.T) {
	triage := `{"accepted":[{"severity":"blocking","file":"pay.sh","line":2,"issue":"says nothing","fix":"drop it","reviewer":"one"}],"deferred":[],"rejected":[],"approved":false}`
	for name, c := range map[string]struct {
		typed  string
		code   int
		posted bool
	}{"no": {"n\r", 4, false}, "return alone": {"\r", 4, false}, "ctrl-c": {"\x03", 4, false}, "yes": {"y\r", 0, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env, home := reviewTerminal(t, twoPulls)
			quiet := env
			quiet.Streams = term.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
			if code := cli.Main(quiet, []string{"viber", "review", "diff", "https://github.com/acme/shop/pull/2"}); code != 0 {
				t.Fatalf("review diff ends %d", code)
			}
			path := filepath.Join(home, "triage.json")
			if err := os.WriteFile(path, []byte(triage), 0o600); err != nil {
				t.Fatal(err)
			}
			code, screen := typedAt(t, env, "Post this?", c.typed, "review", "post", "--triage", path, "--ref", "https://github.com/acme/shop/pull/2")
			if code != c.code || !strings.Contains(screen, "REQUEST_CHANGES") || !strings.Contains(screen, "1 inline, 0 general would be posted") {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, screen)
			}
			if _, err := os.Stat(filepath.Join(home, "posted.json")); (err == nil) != c.posted {
				t.Errorf("posted: %v\n%s", err, screen)
			}
		})
	}
}
