package gitx

import (
	"context"
	"strings"
	"testing"
)

// What git itself says, in the cases a user meets, comes out as one line with the way out.
func TestFailuresNameTheWayOut(t *testing.T) {
	t.Parallel()
	s := scratch{t: t, base: t.TempDir()}
	s.git("init", "-q", "inner")
	s.git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "x")
	s.git("init", "-q", "main")
	s.git("-C", "main", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../inner", "sub")
	s.file("main/sub/a", "1")
	s.git("init", "-q", "locked")
	s.file("locked/.git/index.lock", "")
	s.file("locked/a", "1")
	s.git("init", "-q", "--bare", "bare.git")
	for name, c := range map[string]struct {
		dir  string
		env  string // git knows GIT_TEST_ASSUME_DIFFERENT_OWNER for its own tests: the repository is then somebody else's
		args []string
		want string
	}{
		"dubious ownership": {"main", "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", []string{"status"}, "git config --global --add safe.directory"},
		"submodule":         {"main", "", []string{"add", "sub/a"}, "belongs to a submodule: commit it there"},
		"index.lock":        {"locked", "", []string{"add", "a"}, "another git is at work"},
		"bare":              {"bare.git", "", []string{"status"}, "run inside a work tree"},
		"unborn":            {"locked", "", []string{"worktree", "add", "../wt", "HEAD"}, "HEAD"},
	} {
		g := Git{Dir: s.base + "/" + c.dir, Env: s.command().Env}
		if c.env != "" {
			g.Env = append(g.Env, c.env)
		}
		res, err := g.Run(context.Background(), nil, c.args...)
		if err != nil || res.Code == 0 {
			t.Errorf("%s: %v, exit %d", name, err, res.Code)
			continue
		}
		text := Fail(c.args[0], res).Error()
		if !strings.Contains(text, c.want) || strings.ContainsAny(text, "\n") || strings.Contains(text, ".;") {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
}

// A failure names the subcommand, not an option of git that stands before it.
func TestFailuresNameTheSubcommand(t *testing.T) {
	t.Parallel()
	s := scratch{t: t, base: t.TempDir()}
	g := Git{Dir: s.base, Env: s.command().Env}
	_, err := g.Out(context.Background(), "-c", "core.quotePath=false", "rev-parse", "--verify", "HEAD")
	if err == nil || !strings.HasPrefix(err.Error(), "git rev-parse: ") {
		t.Errorf("%v", err)
	}
}
