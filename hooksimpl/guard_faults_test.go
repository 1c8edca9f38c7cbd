package hooksimpl

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestGuardsFailAsTheTableSays breaks git in every way the guards must survive: attended the call goes through, unattended
// it is refused, and the fault is noted without the value.
func TestGuardsFailAsTheTableSays(t *testing.T) {
	t.Parallel()
	needGit(t)
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, r *secretsRepo, w *World)
		noted string
	}{
		{"git is missing", func(_ *testing.T, r *secretsRepo, w *World) {
			w.Environ = []string{"PATH=" + filepath.Join(r.base, "nowhere")}
		}, "git was not found"},
		{"git of the record is missing", func(t *testing.T, r *secretsRepo, _ *World) {
			r.put(t, "state/viber/record.json", `{"git":"`+filepath.ToSlash(filepath.Join(r.base, "nowhere", "git"))+`"}`)
		}, "git was not found"},
		{"the index is broken", func(t *testing.T, r *secretsRepo, _ *World) { r.put(t, "live/.git/index", "DIRC garbage") }, "could not read"},
		{"the configuration is broken", func(t *testing.T, r *secretsRepo, _ *World) { r.put(t, "live/.git/config", "[core\n") }, "could not read"},
		{"HEAD is gone", func(t *testing.T, r *secretsRepo, _ *World) {
			if err := os.Remove(filepath.Join(r.dir, ".git", "HEAD")); err != nil {
				t.Fatal(err)
			}
		}, "could not read"},
		{"the diff is too large", func(_ *testing.T, _ *secretsRepo, w *World) { w.diffLimit = 20 }, "larger than"},
		{"git takes too long", func(_ *testing.T, _ *secretsRepo, w *World) { w.gitLimit = time.Nanosecond }, "in time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, attended := range []bool{true, false} {
				r := newSecretsRepo(t)
				r.write("a.txt", "one\n"+plantedLine())
				r.git("add", "a.txt")
				want := None
				if !attended {
					r.env["VIBER_UNATTENDED"] = "1"
					want = Deny
				}
				w := r.world("live")
				c.spoil(t, r, w)
				v := secretsGuard().ask(w, CommandPayload(ToolBash, "git commit -m x", "", r.dir), Budget)
				if v.Decision != want || want == Deny && !strings.Contains(v.Reason, "VG-609") {
					t.Errorf("attended %v: %s %s", attended, v.Decision, v.Reason)
				}
				faults, err := ReadFaults(w.State())
				if err != nil || len(faults) != 1 || !strings.Contains(faults[0].What, c.noted) {
					t.Errorf("noted: %v %v", faults, err)
				}
				valueNowhere(t, r.repoWorld, v)
			}
		})
	}
}

// TestADeadlineIsAFault holds the dispatcher's own limit, and a panic, to the table.
func TestADeadlineIsAFault(t *testing.T) {
	t.Parallel()
	g := newRepoWorld(t)
	for _, guard := range []check{gitGuard(), secretsGuard(), selfGuard()} {
		for name, run := range map[string]func(*World, *Payload) Verdict{
			"slow":  func(*World, *Payload) Verdict { time.Sleep(100 * time.Millisecond); return Verdict{} },
			"panic": func(*World, *Payload) Verdict { panic("broken") },
		} {
			guard.run = run
			for unattended, want := range map[string]Decision{"": None, "1": Deny} {
				g.env["VIBER_UNATTENDED"] = unattended
				if v := guard.ask(g.world("feature"), CommandPayload(ToolBash, "ls", "", filepath.Join(g.base, "feature")), 5*time.Millisecond); v.Decision != want {
					t.Errorf("%s, %s, unattended %q: %s", guard.name, name, unattended, v.Decision)
				}
				if v := guard.ask(g.world("unattended"), CommandPayload(ToolBash, "ls", "", filepath.Join(g.base, "unattended")), 5*time.Millisecond); v.Decision != Deny {
					t.Errorf("%s, %s, guards.unattended: %s", guard.name, name, v.Decision)
				}
				if v := guard.ask(g.world("nofile"), CommandPayload(ToolBash, "ls", "", filepath.Join(g.base, "nofile")), 5*time.Millisecond); v.Decision != None {
					t.Errorf("%s, %s: acts without a viber.yml: %s", guard.name, name, v.Decision)
				}
			}
		}
	}
}

// TestUnattendedQuestionsAreRefused: where nobody can answer, ask is deny.
func TestUnattendedQuestionsAreRefused(t *testing.T) {
	t.Parallel()
	g := newRepoWorld(t)
	for _, env := range []string{"VIBER_UNATTENDED=1", "CLAUDE_CODE_SESSION_ATTENDED=0"} {
		key, value, _ := strings.Cut(env, "=")
		g.env[key] = value
		for guard, command := range map[string]string{"git": "git push $F", "self": "rm .claude/settings.json"} {
			all := checks()
			c := all[slices.IndexFunc(all, func(c check) bool { return c.name == guard })]
			if v := g.ask(c, "feature", ToolBash, command); v.Decision != Deny {
				t.Errorf("%s, %s: %s", env, command, v.Decision)
			}
		}
		delete(g.env, key)
	}
}

// valueNowhere looks for the planted value in the verdict and in every file of viber's state.
func valueNowhere(t *testing.T, g *repoWorld, v Verdict) {
	t.Helper()
	if strings.Contains(v.Reason+v.Context+v.System, planted()) {
		t.Error("the verdict shows the value")
	}
	_ = filepath.WalkDir(filepath.Join(g.base, "state", "viber"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), planted()) {
			t.Errorf("%s holds the value", path)
		}
		return nil
	})
}

// TestAllowedCredentials: a mark or an entry counts once it is in HEAD; before, it is a question, unattended a refusal.
func TestAllowedCredentials(t *testing.T) {
	t.Parallel()
	needGit(t)
	entry := "- rule: aws-access-key\n  path: '**/*.txt'\n  sha256: 2dde869713445cddd6acc5e07fc4b98555cdf7304cfcc865c40414d6b3eca682\n  who: Ada\n  until: 2100-01-01\n"
	stage := func(r *secretsRepo) { r.write("a.txt", "one\n"+plantedLine()); r.git("add", "a.txt") }
	for _, c := range []struct {
		name    string
		prepare func(*secretsRepo)
		want    Decision
	}{
		{"entry in HEAD", func(r *secretsRepo) {
			r.write(".claude/viber-allow.yml", entry)
			r.git("add", ".")
			r.git("commit", "-q", "-m", "allow")
			stage(r)
		}, None},
		{"entry not in HEAD", func(r *secretsRepo) { r.write(".claude/viber-allow.yml", entry); stage(r) }, Ask},
		{"entry staged", func(r *secretsRepo) { r.write(".claude/viber-allow.yml", entry); r.git("add", "."); stage(r) }, Ask},
		{"entry of another file", func(r *secretsRepo) {
			r.write(".claude/viber-allow.yml", strings.Replace(entry, "**/*.txt", "docs/**", 1))
			stage(r)
		}, Deny},
		{"entry of another value", func(r *secretsRepo) {
			r.write(".claude/viber-allow.yml", strings.Replace(entry, "2dde", "0000", 1))
			stage(r)
		}, Deny},
		{"entry of another rule", func(r *secretsRepo) {
			r.write(".claude/viber-allow.yml", strings.Replace(entry, "aws-access-key", "jwt", 1))
			stage(r)
		}, Deny},
		{"entry out of date", func(r *secretsRepo) {
			r.write(".claude/viber-allow.yml", strings.Replace(entry, "2100", "2001", 1))
			r.git("add", ".")
			r.git("commit", "-q", "-m", "allow")
			stage(r)
		}, Deny},
		{"entry without an owner", func(r *secretsRepo) {
			r.write(".claude/viber-allow.yml", strings.Replace(entry, "  who: Ada\n", "", 1))
			stage(r)
		}, Deny},
		{"damaged file", func(r *secretsRepo) { r.write(".claude/viber-allow.yml", "- rule: ["); stage(r) }, Deny},
		{"mark", func(r *secretsRepo) {
			r.write("a.txt", "one\n"+strings.TrimSpace(plantedLine())+" # viber:allow-secret\n")
			r.git("add", ".")
		}, Ask},
		{"mark in HEAD", func(r *secretsRepo) {
			r.write("a.txt", "one\n"+strings.TrimSpace(plantedLine())+" # viber:allow-secret\n")
			r.git("add", ".")
			r.git("commit", "-q", "-m", "a person's own commit")
			r.write("a.txt", "one\ntwo\nmoved "+strings.TrimSpace(plantedLine())+" # viber:allow-secret\n")
			r.git("add", ".")
		}, None},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newSecretsRepo(t)
			c.prepare(r)
			v := r.ask(secretsGuard(), "live", ToolBash, "git commit -m x")
			if v.Decision != c.want {
				t.Errorf("%s %s", v.Decision, v.Reason)
			}
			r.env["VIBER_UNATTENDED"] = "1"
			if v := r.ask(secretsGuard(), "live", ToolBash, "git commit -m x"); c.want == Ask && v.Decision != Deny {
				t.Errorf("unattended: %s", v.Decision)
			}
			if strings.Contains(v.Reason, "viber:allow") || strings.Contains(v.Reason, "viber-allow") {
				t.Error("the reason tells how to get around it")
			}
		})
	}
}

// TestMergesAndWorktrees: a merge brings only what it changes itself, and every work tree has an index of its own.
func TestMergesAndWorktrees(t *testing.T) {
	t.Parallel()
	needGit(t)
	if runtime.GOOS == "windows" {
		t.Log("paths of work trees are compared as git writes them")
	}
	r := newSecretsRepo(t)
	r.git("checkout", "-q", "-b", "other")
	r.write("b.txt", plantedLine())
	r.git("add", ".")
	r.git("commit", "-q", "-m", "theirs")
	r.git("checkout", "-q", "feature")
	r.write("c.txt", "mine\n")
	r.git("add", ".")
	r.git("commit", "-q", "-m", "mine")
	r.git("merge", "-q", "--no-commit", "--no-ff", "other")
	if v := r.ask(secretsGuard(), "live", ToolBash, "git commit -m merge"); v.Decision != None {
		t.Errorf("what the other side brings: %s %s", v.Decision, v.Reason)
	}
	r.write("c.txt", "mine\n"+plantedLine())
	r.git("add", ".")
	if v := r.ask(secretsGuard(), "live", ToolBash, "git commit -m merge"); v.Decision != Deny || !strings.Contains(v.Reason, "c.txt:2") || strings.Contains(v.Reason, "b.txt") {
		t.Errorf("what the merge adds: %s %s", v.Decision, v.Reason)
	}
	r.git("reset", "-q", "--hard")
	r.git("worktree", "add", "-q", "../linked", "-b", "linked")
	r.put(t, "linked/w.txt", plantedLine())
	r.gitIn(filepath.Join(r.base, "linked"), "add", ".")
	if v := r.ask(secretsGuard(), "live", ToolBash, "git commit -m x"); v.Decision != None {
		t.Errorf("the other work tree's index: %s", v.Reason)
	}
	if v := r.ask(secretsGuard(), "live", ToolBash, "git -C ../linked commit -m x"); v.Decision != Deny || !strings.Contains(v.Reason, "w.txt:1") {
		t.Errorf("-C to a work tree: %s %s", v.Decision, v.Reason)
	}
	if v := r.ask(secretsGuard(), "linked", ToolBash, "git commit -m x"); v.Decision != Deny {
		t.Errorf("in a work tree: %s", v.Decision)
	}
}
