package gate

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viber/internal/gitx"
)

// history is a repository whose main has three files; its branch renames one, deletes one and adds one.
func history(t *testing.T) gitx.Git {
	t.Helper()
	dir := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com"}
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	code := strings.Repeat("x, _ := Load(path)\n", 20)
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("old.go", code)
	write("gone.go", "package gone\n")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	git("checkout", "-q", "-b", "work")
	git("mv", "old.go", "new.go")
	git("rm", "-q", "gone.go")
	write("added.go", "package added\n")
	git("add", ".")
	git("commit", "-q", "-m", "second")
	return gitx.Git{Dir: dir, Env: env}
}

func TestScopeOfARange(t *testing.T) {
	t.Parallel()
	git := history(t)
	diff, err := DiffFiles(context.Background(), git, strings.NewReader("new.go\nadded.go\n"), "main...work")
	if err != nil {
		t.Fatal(err)
	}
	if got := Added(diff); !slices.Equal(got, []string{"added.go"}) {
		t.Errorf("added: %v", got)
	}
	judge := func(files string) []string {
		file := filepath.Join(t.TempDir(), "scope.json")
		if err := os.WriteFile(file, []byte(`{"files":[`+files+`],"notDone":[]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return CheckScope(ScopeOptions{File: file, Diff: diff}).Facts["unjustified"].([]string)
	}
	old := `{"path":"old.go","reason":"the name says what it loads now"},{"path":"added.go","reason":"the new loader lives here"}`
	if got := judge(old); !slices.Equal(got, []string{"gone.go"}) {
		t.Errorf("a deletion needs a reason, a rename has one under its old name: %v", got)
	}
	if got := judge(old + `,{"path":"gone.go","reason":"nothing calls it any more"}`); len(got) != 0 {
		t.Errorf("all have reasons: %v", got)
	}
	if _, err := DiffFiles(context.Background(), git, nil, "--output=x"); err == nil {
		t.Error("an option was taken for a range")
	}
}

func TestFingerprintFollowsARename(t *testing.T) {
	t.Parallel()
	git := history(t)
	origin := Origins(context.Background(), git)
	if got := origin("new.go"); got != "old.go" {
		t.Errorf("new.go came from %s", got)
	}
	if err := os.Rename(filepath.Join(git.Dir, "new.go"), filepath.Join(git.Dir, "third.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := git.Run(context.Background(), nil, "add", "-A"); err != nil {
		t.Fatal(err)
	}
	if got := Origins(context.Background(), git)("third.go"); got != "old.go" {
		t.Errorf("third.go, renamed in the work tree, came from %s", got)
	}
}
