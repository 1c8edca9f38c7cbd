package hooksimpl

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/internal/gitx"
	"viber/internal/secrets"
)

// diffRow is a row of the secrets corpus: a diff and what it must lead to. Every "~~" in it is dropped first, so that no
// scanner takes the corpus for a leak.
type diffRow struct {
	Diff    string
	Verdict string // deny, ask; empty = no opinion
	Rule    string // of the first finding
	Line    int    // of it, when it matters
	Skipped []string
	Why     string
	Case    string
}

// TestSecretsGuardCorpus holds every diff of the corpus to its verdict, rule and line.
func TestSecretsGuardCorpus(t *testing.T) {
	t.Parallel()
	g := newRepoWorld(t)
	dir := filepath.Join(g.base, "feature")
	layout, _ := gitx.Find(dir)
	repo := secrets.Repository{Git: g.world("feature").git(dir), Layout: layout, Now: time.Now()}
	count := 0
	for group, rows := range corpus[diffRow](t, "secrets") {
		for i, row := range rows {
			count++
			found, skipped := secrets.InDiff([]byte(strings.ReplaceAll(row.Diff, "~~", "")))
			report, err := repo.Judge(context.Background(), found)
			if err != nil {
				t.Fatal(err)
			}
			where := fmt.Sprintf("%s, row %d (%s)", group, i, row.Why)
			checkReport(t, where, row, report)
			if !slices.Equal(skipped, row.Skipped) {
				t.Errorf("%s: skipped %v, want %v", where, skipped, row.Skipped)
			}
		}
	}
	if count < 200 {
		t.Errorf("only %d diffs", count)
	}
}

func checkReport(t *testing.T, where string, row diffRow, report secrets.Report) {
	t.Helper()
	standing, worst := report.Worst()
	verdict := map[secrets.Standing]string{secrets.Refused: "deny", secrets.Proposed: "ask", secrets.Allowed: ""}[standing]
	switch {
	case verdict != row.Verdict:
		t.Errorf("%s: %q, want %q: %+v\n%s", where, verdict, row.Verdict, report.Found, row.Diff)
	case verdict == "":
	case worst[0].Rule != row.Rule:
		t.Errorf("%s: rule %s, want %s", where, worst[0].Rule, row.Rule)
	case row.Line > 0 && worst[0].Line != row.Line:
		t.Errorf("%s: line %d, want %d", where, worst[0].Line, row.Line)
	}
}

// secretsRepo is a real repository with one commit.
type secretsRepo struct {
	*repoWorld
	t   testing.TB
	dir string
}

func newSecretsRepo(t testing.TB) *secretsRepo {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := &secretsRepo{emptyWorld(base), t, filepath.Join(base, "live")}
	for path, text := range firstCommit() {
		r.put(t, "live/"+path, text)
	}
	return r
}

// firstCommit is every file of a repository with one commit, made by git once.
var firstCommit = sync.OnceValue(func() map[string]string {
	dir, err := os.MkdirTemp("", "viber-first-commit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	for path, text := range map[string]string{"a.txt": "one\n", ".gitignore": ".env\n", ".claude/viber.yml": "schema: 4\n"} {
		_ = os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755)
		_ = os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "feature", "--template="}, {"add", "."}, {"commit", "-q", "-m", "x"}} {
		if out, err := plainGit(dir, dir, args...).CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	files := map[string]string{}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(dir, path)
			files[filepath.ToSlash(rel)] = string(text)
		}
		return err
	})
	files[".git/refs/tags/.keep"] = ""
	return files
})

func plainGit(dir, home string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com", "SYSTEMROOT=" + os.Getenv("SYSTEMROOT")}
	return cmd
}

func (r *secretsRepo) git(args ...string) {
	r.t.Helper()
	r.gitIn(r.dir, args...)
}

func (r *secretsRepo) gitIn(dir string, args ...string) {
	r.t.Helper()
	if out, err := plainGit(dir, r.env["HOME"], args...).CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v %s", args, err, out)
	}
}

func (r *secretsRepo) write(path, text string) { r.put(r.t, "live/"+path, text) }

func planted() string { return "AK" + "IAQ3EGT7XNLY2PWKVB" }

func plantedLine() string { return "key = \"" + planted() + "\"\n" }

// TestSecretsGuardReadsWhatACommitTakes plays commands against repositories in which a key waits in different places.
func TestSecretsGuardReadsWhatACommitTakes(t *testing.T) {
	t.Parallel()
	needGit(t)
	staged := func(r *secretsRepo) { r.write("a.txt", "one\n"+plantedLine()); r.git("add", "a.txt") }
	unstaged := func(r *secretsRepo) { r.write("a.txt", "one\n"+plantedLine()) }
	untracked := func(r *secretsRepo) { r.write("sub/new.txt", plantedLine()) }
	ignored := func(r *secretsRepo) { r.write(".env", plantedLine()) }
	committed := func(r *secretsRepo) { staged(r); r.git("commit", "-q", "-m", "y") }
	clean := func(*secretsRepo) {}
	for _, c := range []struct {
		name    string
		prepare func(*secretsRepo)
		command string
		want    Decision
		says    string
	}{
		{"staged", staged, "git commit -m x", Deny, "a.txt:2: aws-access-key"},
		{"staged, other forms", staged, "git -C . -c a.b=c commit -qm x", Deny, "VG-601"},
		{"behind &&", staged, "make && git commit -m x", Deny, "VG-601"},
		{"in a subshell", staged, "(cd sub/..; git commit -m x)", Deny, "VG-601"},
		{"--git-dir", staged, "git --git-dir=.git --work-tree=. commit -m x", Deny, "VG-601"},
		{"from elsewhere", staged, "cd / && git -C \"$OLDPWD\" commit -m x", Ask, "VG-603"},
		{"amend", staged, "git commit --amend --no-edit", Deny, "VG-601"},
		{"dry run", staged, "git commit --dry-run", None, ""},
		{"nothing staged", unstaged, "git commit -m x", None, ""},
		{"-a", unstaged, "git commit -am x", Deny, "a.txt:2"},
		{"--all", unstaged, "git commit --all -m x", Deny, "VG-601"},
		{"-p", unstaged, "git commit -p -m x", Deny, "VG-601"},
		{"a path", unstaged, "git commit -m x a.txt", Deny, "VG-601"},
		{"another path", unstaged, "git commit -m x -- other.txt", None, ""},
		{"add then commit", unstaged, "git add a.txt && git commit -m x", Deny, "VG-601"},
		{"add -u", unstaged, "git add -u; git commit -m x", Deny, "VG-601"},
		{"add -u leaves new files", untracked, "git add -u; git commit -m x", None, ""},
		{"add .", untracked, "git add . && git commit -m x", Deny, "sub/new.txt:1"},
		{"add -A", untracked, "git add -A && git commit -m x", Deny, "sub/new.txt:1"},
		{"add of a folder", untracked, "git add sub && git commit -m x", Deny, "sub/new.txt:1"},
		{"add of a glob", untracked, "git add sub/*.txt && git commit -m x", Deny, "sub/new.txt:1"},
		{"add of a variable", untracked, "git add $F && git commit -m x", Deny, "sub/new.txt:1"},
		{"add by xargs", untracked, "ls | xargs git add && git commit -m x", Deny, "sub/new.txt:1"},
		{"add of another file", untracked, "git add a.txt && git commit -m x", None, ""},
		{"add in a folder", untracked, "cd sub && git add . && git commit -m x", Deny, "sub/new.txt:1"},
		{"add alone", untracked, "git add -A", None, ""},
		{"stash pop", func(r *secretsRepo) { unstaged(r); r.git("stash", "-q") }, "git stash pop && git commit -am x", Deny, "a.txt:2"},
		{"apply --index", func(r *secretsRepo) {
			r.write("p.diff", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+"+plantedLine())
		}, "git apply --index p.diff && git commit -m x", Deny, "n:1"},
		{"mv", staged, "git mv a.txt b.txt && git commit -m x", Deny, "VG-601"},
		{"rm of it", staged, "git status && git diff", None, ""},
		{"ignored", ignored, "git add . && git commit -m x", None, ""},
		{"ignored, by force", ignored, "git add -f .env && git commit -m x", Deny, ".env:1"},
		{"a file the text writes", clean, "cat > k.py <<'EOF'\nx = 1\n" + plantedLine() + "EOF\ngit add k.py && git commit -m x", Deny, "k.py:2"},
		{"an ignored file the text writes", clean, "echo '" + planted() + "' > .env && git add . && git commit -m x", None, ""},
		{"a file it writes and does not add", clean, "echo '" + planted() + "' > k.py && git add a.txt && git commit -m x", None, ""},
		{"push", committed, "git push", Deny, "a.txt:2"},
		{"push of a branch", committed, "git push origin feature", Deny, "VG-601"},
		{"push of HEAD elsewhere", committed, "git push -u origin HEAD:refs/heads/y", Deny, "VG-601"},
		{"push of nothing known", committed, "git push origin $B", Deny, "VG-601"},
		{"push of what the remote has", func(r *secretsRepo) { committed(r); r.git("update-ref", "refs/remotes/origin/feature", "HEAD") }, "git push", None, ""},
		{"push --dry-run", committed, "git push --dry-run", None, ""},
		{"push of no such branch", committed, "git push origin nowhere", None, ""},
		{"commit-tree", staged, "git commit-tree $(git write-tree) -m x", Deny, "VG-601"},
		{"another index", staged, "GIT_INDEX_FILE=/tmp/i git commit -m x", Ask, "VG-603"},
		{"unknown folder", staged, "cd $X && git commit -m x", Ask, "VG-603"},
		{"hidden by an attribute", func(r *secretsRepo) { r.write(".gitattributes", "*.txt -diff\n"); staged(r) }, "git commit -m x", Deny, "a.txt:2"},
		{"hidden by configuration", func(r *secretsRepo) {
			r.git("config", "diff.external", "true")
			r.git("config", "diff.noprefix", "true")
			r.git("config", "color.ui", "always")
			staged(r)
		}, "git commit -m x", Deny, "a.txt:2"},
		{"a renamed file keeps its lines", func(r *secretsRepo) { committed(r); r.git("mv", "a.txt", "b.txt") }, "git commit -m x", None, ""},
		{"removed", func(r *secretsRepo) { committed(r); r.write("a.txt", "one\n"); r.git("add", "a.txt") }, "git commit -m x", None, ""},
		{"a new repository", func(r *secretsRepo) { r.put(r.t, "live/fresh/k", plantedLine()) }, "mkdir -p fresh && cd fresh && git init && git add . && git commit -m x", Deny, "VG-601"},
		{"first commit", func(r *secretsRepo) { r.git("update-ref", "-d", "HEAD") }, "git commit -m x", None, ""},
		{"first commit with a key", func(r *secretsRepo) { r.git("update-ref", "-d", "HEAD"); staged(r) }, "git commit -am x", Deny, "a.txt:2"},
		{"does not parse", staged, "git commit -m \"x", Deny, "does not parse"},
		{"sh -c", staged, "sh -c 'git commit -m x'", Deny, "VG-601"},
		{"words only", staged, "echo git commit -m x", None, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newSecretsRepo(t)
			c.prepare(r)
			v := r.ask(secretsGuard(), "live", ToolBash, c.command)
			if v.Decision != c.want || !strings.Contains(v.Reason, c.says) {
				t.Errorf("got %s %s, want %s %s", v.Decision, v.Reason, c.want, c.says)
			}
			if strings.Contains(v.Reason, planted()) {
				t.Error("the reason shows the value")
			}
		})
	}
}
