package hooksimpl

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// corpusRow is a row of a guard's corpus: a command and the verdict it must get.
type corpusRow struct {
	Command string
	Tool    string // empty = Bash
	Repo    string // a repository of repoWorld; empty = feature
	Verdict string // empty = no opinion
	Rule    string
	Why     string
	Case    string // of the list of what went wrong elsewhere
}

func corpus[T any](t testing.TB, guard string) map[string][]T {
	t.Helper()
	all := map[string][]T{}
	for _, group := range []string{"true_positives", "false_positives", "bypass_attempts", "edge_cases"} {
		text, err := os.ReadFile(filepath.Join("testdata", "guards", guard+"."+group+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var rows []T
		if err := json.Unmarshal(text, &rows); err != nil {
			t.Fatalf("%s.%s: %v", guard, group, err)
		}
		all[group] = rows
	}
	return all
}

// repoWorld is a folder of repositories, each in a state of its own, and the world that sees them.
type repoWorld struct {
	base string
	env  map[string]string
}

func emptyWorld(base string) *repoWorld {
	return &repoWorld{base: base, env: map[string]string{"HOME": filepath.Join(base, "home"), "PATH": os.Getenv("PATH"), "SYSTEMROOT": os.Getenv("SYSTEMROOT"), "GIT_CONFIG_NOSYSTEM": "1"}}
}

func newRepoWorld(t testing.TB) *repoWorld {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := emptyWorld(base)
	g.put(t, "home/.gitconfig", "[alias]\n\tpf = push --force\n")
	on := "schema: 4\n"
	for name, repo := range map[string]struct{ head, config, yml string }{
		"feature":       {"ref: refs/heads/feature/x\n", "", on},
		"main":          {"ref: refs/heads/main\n", "", on},
		"detached":      {"0123456789012345678901234567890123456789\n", "", on},
		"tracking":      {"ref: refs/heads/feature/x\n", "[branch \"feature/x\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[push]\n\tdefault = upstream\n", on},
		"current":       {"ref: refs/heads/feature/x\n", "[branch \"feature/x\"]\n\tremote = origin\n\tmerge = refs/heads/main\n[push]\n\tdefault = current\n", on},
		"pushcfg":       {"ref: refs/heads/feature/x\n", "[remote \"origin\"]\n\tpush = +HEAD:main\n", on},
		"mirrorcfg":     {"ref: refs/heads/feature/x\n", "[remote \"origin\"]\n\tmirror = true\n", on},
		"matching":      {"ref: refs/heads/feature/x\n", "[push]\n\tdefault = matching\n", on},
		"template":      {"ref: refs/heads/feature/x\n", "[commit]\n\ttemplate = " + filepath.ToSlash(filepath.Join(base, "template", "credited.txt")) + "\n", on},
		"lease":         {"ref: refs/heads/feature/x\n", "", on},
		"noattribution": {"ref: refs/heads/feature/x\n", "", on + "guards:\n  attribution: off\n"},
		"protected":     {"ref: refs/heads/feature/x\n", "", on + "guards:\n  protected-branches: stable, prod/*\n"},
		"unattended":    {"ref: refs/heads/feature/x\n", "", on + "guards:\n  unattended: on\n"},
		"off":           {"ref: refs/heads/feature/x\n", "", on},
		"nofile":        {"ref: refs/heads/feature/x\n", "", ""},
	} {
		g.put(t, name+"/.git/HEAD", repo.head)
		g.put(t, name+"/.git/config", "[core]\n\trepositoryformatversion = 0\n"+repo.config)
		g.put(t, name+"/.git/refs/heads/main", "0123456789012345678901234567890123456789\n")
		g.put(t, name+"/.git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/trunk\n")
		g.put(t, name+"/.git/objects/pack/.keep", "")
		g.put(t, name+"/credited.txt", "# a comment\nfix: x\n\nCo-Authored-By: Claude <noreply@anthropic.com>\n")
		g.put(t, name+"/plain.txt", "fix: x\n\nWords.\n")
		g.put(t, name+"/list", "main\n")
		if repo.yml != "" {
			g.put(t, name+"/.claude/viber.yml", repo.yml)
		}
	}
	g.put(t, "none/.claude/viber.yml", on)
	g.put(t, "config-lease/viber.yml", "guards:\n  force-with-lease: allow\n")
	g.put(t, "config-off/viber.yml", "guards:\n  git: off\n  secrets: off\n  self: off\n")
	return g
}

func (g *repoWorld) put(t testing.TB, path, text string) {
	t.Helper()
	path = filepath.Join(g.base, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (g *repoWorld) world(repo string) *World {
	var environ []string
	for key, value := range g.env {
		environ = append(environ, key+"="+value)
	}
	return &World{
		Environ: environ, Getenv: func(key string) string { return g.env[key] }, Now: time.Now, State: func() string { return filepath.Join(g.base, "state", "viber") },
		ConfigDir: func() string { return filepath.Join(g.base, "config-"+repo) },
	}
}

// ask returns what the check says about a command in repo.
func (g *repoWorld) ask(c check, repo, tool, command string) Verdict {
	p := CommandPayload(tool, command, "", filepath.Join(g.base, repo))
	return c.ask(g.world(repo), p, Budget)
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatal("these tests need git")
	}
}

// TestGitGuardCorpus holds every row of the corpus to its verdict and rule.
func TestGitGuardCorpus(t *testing.T) {
	t.Parallel()
	needGit(t)
	g := newRepoWorld(t)
	count := 0
	for group, rows := range corpus[corpusRow](t, "git") {
		for _, row := range rows {
			count++
			checkRow(t, g, gitGuard(), group, row)
		}
	}
	if count < 300 {
		t.Errorf("only %d commands", count)
	}
}

func checkRow(t *testing.T, g *repoWorld, c check, group string, row corpusRow) {
	t.Helper()
	if row.Tool == "" {
		row.Tool = ToolBash
	}
	if row.Repo == "" {
		row.Repo = "feature"
	}
	v := g.ask(c, row.Repo, row.Tool, row.Command)
	if v.Decision.String() != row.Verdict || !strings.Contains(v.Reason, row.Rule) {
		t.Errorf("%s, %s, %s: %q\n  got %q %s\n  want %q %s (%s)", group, row.Repo, row.Tool, row.Command, v.Decision, v.Reason, row.Verdict, row.Rule, row.Why)
	}
}

// TestPaddingHidesNothing feeds texts whose size or nesting is beyond what is read: what may stand in the rest is asked about,
// and no text takes the time of a call.
func TestPaddingHidesNothing(t *testing.T) {
	t.Parallel()
	needGit(t)
	g := newRepoWorld(t)
	aliases := ""
	for _, pair := range []string{"ab", "bc", "cd", "de", "ef"} {
		aliases += "alias " + pair[:1] + "='" + strings.Repeat(pair[1:]+";", 10) + "'; "
	}
	doubled, power := `v0="git push"; `, `$v0="git push"; `
	for i := range 9 {
		doubled += fmt.Sprintf(`v%d="%s"; `, i+1, strings.Repeat(fmt.Sprintf("$v%d ", i), 8))
		power += fmt.Sprintf(`$v%d="%s"; `, i+1, strings.Repeat(fmt.Sprintf("$v%d ", i), 8))
	}
	for _, c := range []struct {
		text, tool string
		want       Decision
	}{
		{strings.Repeat("true; ", 5000) + "git push -f origin main", ToolBash, Ask},
		{strings.Repeat("git log; ", 5000) + "git commit -n -m x", ToolBash, Ask},
		{strings.Repeat("git log; ", 5000) + "git push -f origin main", ToolPowerShell, Ask},
		{strings.Repeat("true; ", 5000) + "ls", ToolBash, None},
		{aliases + "alias f='git push -f origin main'; a", ToolBash, Deny},
		{`echo "bash x.sh; bash x.sh; bash x.sh; bash x.sh; git push -f origin main" > x.sh; bash x.sh`, ToolBash, Deny},
		{strings.Repeat(`git config core.pager "git log; git log"; `, 300) + "git log", ToolBash, None},
		{strings.Repeat("git foo; git commit; ", 500) + "git push -f origin main", ToolBash, Deny},
		{doubled + `eval "$v9"`, ToolBash, None},
		{power + `iex $v9`, ToolPowerShell, None},
	} {
		started := time.Now()
		v := gitGuard().run(g.world("feature"), CommandPayload(c.tool, c.text, "", filepath.Join(g.base, "feature")))
		if took := time.Since(started); took > 20*time.Second {
			t.Errorf("%.80q took %s", c.text, took)
		}
		if v.Decision != c.want {
			t.Errorf("%.80q: %s, want %s", c.text, v.Decision, c.want)
		}
	}
}
