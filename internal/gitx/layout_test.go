package gitx

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFindAgreesWithGit lays out repositories of every kind with the real git and compares the tops.
func TestFindAgreesWithGit(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := scratch{t: t, base: base}
	g.git("init", "-q", "main")
	g.git("-C", "main", "commit", "-q", "--allow-empty", "-m", "x")
	g.dir("main/a/b")
	g.git("-C", "main", "worktree", "add", "-q", "../linked")
	g.dir("linked/c")
	g.git("init", "-q", "inner")
	g.git("-C", "inner", "commit", "-q", "--allow-empty", "-m", "x")
	g.git("-C", "main", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", filepath.Join(base, "inner"), "sub")
	g.dir("main/sub/d")
	g.git("init", "-q", "--bare", "bare.git")
	g.git("init", "-q", "--separate-git-dir", "apart.git", "apart")
	g.git("init", "-q", "moved")
	g.dir("elsewhere")
	g.git("-C", "moved", "config", "core.worktree", filepath.Join(base, "elsewhere"))
	g.git("clone", "-q", "--bare", "main", "hub/.bare")
	g.file("hub/.git", "gitdir: ./.bare\n")
	g.git("-C", "hub", "worktree", "add", "-q", "wt")
	g.git("init", "-q", "perwt")
	g.git("-C", "perwt", "config", "extensions.worktreeConfig", "true")
	g.git("-C", "perwt", "config", "--worktree", "core.bare", "true")
	g.dir("plain/x")
	g.dir("main/empty/.git")
	g.dir("main/half")
	g.file("main/half/.git", "gitdir: ../nowhere\n")
	g.dir("main/odd")
	g.file("main/odd/.git", "not a pointer\n")
	if err := os.Symlink(filepath.Join(base, "main", "a"), filepath.Join(base, "alias")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{
		"main", "main/a/b", "linked", "linked/c", "main/sub", "main/sub/d", "bare.git", "bare.git/objects", "apart", "apart.git",
		"moved", "hub", "hub/wt", "hub/.bare", "perwt", "plain/x", "main/.git", "main/.git/refs", "main/empty", "main/half", "main/odd", "alias/b",
	} {
		l, ok := Find(filepath.Join(base, dir))
		if got, want := l.Top, g.top(dir); got != want {
			t.Errorf("%s: top %q (found %v), git says %q", dir, got, ok, want)
		}
		if want := g.ask(dir, "--git-common-dir"); ok && l.CommonDir != want {
			t.Errorf("%s: common directory %q, git says %q", dir, l.CommonDir, want)
		}
		if want := g.ask(dir, "--absolute-git-dir"); ok && l.GitDir != want {
			t.Errorf("%s: git directory %q, git says %q", dir, l.GitDir, want)
		}
		if l.Foreign {
			t.Errorf("%s: taken for another account's", dir)
		}
	}
}

type scratch struct {
	t    *testing.T
	base string
}

func (g scratch) dir(path string) {
	if err := os.MkdirAll(filepath.Join(g.base, path), 0o755); err != nil {
		g.t.Fatal(err)
	}
}

func (g scratch) file(path, text string) {
	if err := os.WriteFile(filepath.Join(g.base, path), []byte(text), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g scratch) command(args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = g.base
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + g.base, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(g.base),
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"}
	return cmd
}

func (g scratch) git(args ...string) {
	if out, err := g.command(args...).CombinedOutput(); err != nil {
		g.t.Fatalf("git %v: %v %s", args, err, out)
	}
}

// top asks git for the top of the work tree, empty where it has none.
func (g scratch) top(dir string) string { return g.ask(dir, "--show-toplevel") }

func (g scratch) ask(dir, what string) string {
	out, err := g.command("-C", dir, "rev-parse", what).Output()
	answer := strings.TrimSuffix(string(out), "\n")
	if err != nil || answer == "" {
		return ""
	}
	if !filepath.IsAbs(answer) {
		from, err := filepath.EvalSymlinks(filepath.Join(g.base, dir))
		if err != nil {
			g.t.Fatal(err)
		}
		answer = filepath.Join(from, answer)
	}
	if real, err := filepath.EvalSymlinks(answer); err == nil {
		answer = real
	}
	return filepath.Clean(filepath.FromSlash(answer))
}

func TestConfigValue(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		" ../x": "../x", ` "a b" # c`: "a b", " a b ; c": "a b", ` a\\b\t"c`: "a\\b\tc", "": "", ` " lead"`: " lead", " tail  ": "tail",
	} {
		if got := configValue(raw); got != want {
			t.Errorf("%q: got %q, want %q", raw, got, want)
		}
	}
}
