package hooksimpl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/gitx"
	"viber/internal/secrets"
	"viber/schema"
)

// secretsGuard refuses commits and pushes that add a credential.
func secretsGuard() check {
	return check{
		name: "secrets", events: []string{EventPreToolUse}, tools: []string{ToolBash, ToolPowerShell},
		run: runSecretsGuard, fault: guardFault("secrets", "VG-609"), because: explainSecretsGuard,
	}
}

func runSecretsGuard(w *World, p *Payload) Verdict {
	if w.past != nil || w.spared(p, "secrets") || !slices.ContainsFunc(p.shell(w).commands, adds) {
		return Verdict{} // what was staged in a recorded session is not known any more
	}
	if _, value := w.guard(p, "secrets"); value != switchOn {
		return Verdict{}
	}
	j := judgeSecrets(w, p)
	if j.fault != nil && len(j.found) == 0 {
		w.noteFault("secrets", p, faultKind(j.fault))
		return guardFault("secrets", "VG-609")(w, p)
	}
	return objectionVerdict(w, p, "secrets", j.found)
}

// adds reports whether c commits or pushes.
func adds(c shellCommand) bool {
	if c.git == nil {
		return false
	}
	switch c.git.sub {
	case "commit", "commit-tree", "write-tree", "push", "send-pack":
		return true
	}
	return false
}

// faultKind says what went wrong without what it went wrong on.
func faultKind(err error) string {
	switch {
	case errors.Is(err, secrets.ErrTooLarge):
		return err.Error()
	case errors.Is(err, fs.ErrNotExist), strings.Contains(err.Error(), "no git on PATH"):
		return "git was not found"
	case errors.Is(err, context.DeadlineExceeded), strings.Contains(err.Error(), "no answer within"):
		return "git did not answer in time"
	}
	return "git could not read the repository"
}

func explainSecretsGuard(w *World, p *Payload) []string {
	var j *secretsJudge
	lines := explainGuard(w, p, "secrets", func(*schema.Config) []objection {
		j = judgeSecrets(w, p)
		return j.found
	})
	if j == nil {
		return lines
	}
	lines = append(lines, j.notes...)
	if j.fault != nil {
		lines = append(lines, "the scan failed: "+faultKind(j.fault))
	}
	return lines
}

// secretsJudge goes over the commands of one reading in order: what earlier ones stage, a later commit takes.
type secretsJudge struct {
	world   *World
	reading *shellReading
	staged  map[string]*secrets.Staging // what `git add` and its kin took so far, by directory
	patches []string                    // files of patches that were applied to the index
	scanned map[string]bool             // what was scanned already: nothing of it changes before the text runs
	made    bool                        // a repository is made or fetched by an earlier command
	found   []objection
	notes   []string
	fault   error
}

func judgeSecrets(w *World, p *Payload) *secretsJudge {
	j := &secretsJudge{world: w, reading: p.shell(w), staged: map[string]*secrets.Staging{}}
	for _, c := range j.reading.commands {
		if c.git != nil {
			j.command(c)
		}
	}
	return j
}

func (j *secretsJudge) command(c shellCommand) {
	g := c.git
	switch g.sub {
	case "add", "stage", "rm", "mv", "update-index", "read-tree", "restore", "checkout", "merge", "cherry-pick", "am", "revert", "pull":
		j.stages(g)
	case "apply":
		j.applies(g)
	case "stash":
		j.unstashes(c)
	case "init", "clone":
		j.made = true
	case "commit":
		j.commit(c)
	case "commit-tree", "write-tree":
		j.scan(c, *j.stagedIn(g))
	case "push", "send-pack":
		j.push(c)
	}
}

// key names the place a call works in.
func placeOf(g *gitCall) string {
	return g.dir.text + "\x01" + g.gitDir.text + "\x01" + g.workTree.text
}

func (j *secretsJudge) stagedIn(g *gitCall) *secrets.Staging {
	key := placeOf(g)
	if j.staged[key] == nil {
		j.staged[key] = &secrets.Staging{}
	}
	return j.staged[key]
}

func addGrammar() grammar {
	return grammar{flags: "nvfiepuANrqkzc", interspersed: true,
		long:   "dry-run verbose force interactive patch edit update all no-all ignore-removal no-ignore-removal intent-to-add refresh ignore-errors ignore-missing sparse renormalize pathspec-file-nul add remove cached quiet staged worktree",
		valued: "chmod pathspec-from-file source"}
}

// stages notes what the call puts into the index. Paths that are not known for certain count as everything.
func (j *secretsJudge) stages(g *gitCall) {
	a := addGrammar().read(g.args)
	if a.has("dry-run", "n") && g.sub == "add" {
		return
	}
	m := j.stagedIn(g)
	m.Tracked = true
	m.Untracked = m.Untracked || !a.has("update", "u") || g.sub != "add"
	m.Ignored = m.Ignored || a.has("force", "f") && g.sub == "add"
	paths := a.all()
	certain := (g.sub == "add" || g.sub == "stage" || g.sub == "rm" || g.sub == "mv") && len(paths) > 0 && !g.more && a.doubt == "" && !a.has("all", "A", "pathspec-from-file")
	for _, p := range paths {
		certain = certain && p.sure() && !strings.HasPrefix(p.text, ":") && !strings.ContainsAny(p.text, "*?[")
	}
	switch {
	case !certain:
		m.Paths = []string{"."}
		if g.sub != "add" || a.has("all", "A", "u", "update") {
			m.Paths = nil
		}
	case slices.Contains(m.Paths, "."):
	default:
		for _, p := range paths {
			m.Paths = append(m.Paths, p.text)
		}
	}
}

func (j *secretsJudge) applies(g *gitCall) {
	a := grammar{flags: "3RvN", values: "pC", interspersed: true, long: "index cached 3way check stat numstat summary reverse reject recount unidiff-zero", valued: "exclude include directory whitespace build-fake-ancestor"}.read(g.args)
	if !a.has("index", "cached", "3way", "3") {
		return
	}
	for _, p := range a.all() {
		j.patches = append(j.patches, pathFrom(g.dir, p).text)
	}
}

// unstashes scans what `git stash pop` and `apply` bring back, for it is not in the work tree yet.
func (j *secretsJudge) unstashes(c shellCommand) {
	if len(c.git.args) == 0 || c.git.args[0].text != "pop" && c.git.args[0].text != "apply" {
		return
	}
	entry := "stash@{0}"
	for _, a := range c.git.args[1:] {
		if !strings.HasPrefix(a.text, "-") && a.sure() {
			entry = a.text
		}
	}
	if strings.Trim(entry, "0123456789") == "" {
		entry = "stash@{" + entry + "}"
	}
	m := j.stagedIn(c.git)
	m.Tracked, m.Untracked, m.Paths = true, true, nil
	if repo, ok := j.repository(c); ok && j.commitsLater(c) {
		report, err := repo.Range(context.Background(), "--no-walk", "--diff-merges=first-parent", entry)
		if err == nil { // without a stash git itself refuses
			j.report(c, report)
		}
	}
}

// commitsLater reports whether a commit follows c in the text.
func (j *secretsJudge) commitsLater(c shellCommand) bool {
	seen := false
	for _, o := range j.reading.commands {
		if seen && o.git != nil && o.git.sub == "commit" {
			return true
		}
		seen = seen || o.git == c.git
	}
	return false
}

func (j *secretsJudge) commit(c shellCommand) {
	a := commitGrammar().read(c.git.args)
	if a.has("dry-run") {
		return
	}
	m := *j.stagedIn(c.git)
	m.Paths = slices.Clone(m.Paths)
	if a.has("a", "all", "p", "patch", "interactive") {
		m.Tracked, m.Paths = true, nil
	}
	if paths := a.all(); len(paths) > 0 {
		for _, p := range paths {
			if !p.sure() || strings.HasPrefix(p.text, ":") {
				m.Paths = nil
				break
			}
			if !m.Tracked || len(m.Paths) > 0 {
				m.Paths = append(m.Paths, p.text)
			}
		}
		m.Tracked = true
	}
	if a.has("pathspec-from-file") {
		m.Tracked, m.Paths = true, nil
	}
	j.scan(c, m)
}

// scan looks at what a commit of c's repository adds, m included, and at files the text itself writes.
func (j *secretsJudge) scan(c shellCommand, m secrets.Staging) {
	repo, ok := j.repository(c)
	if ok && len(j.scanned) > scanLimit { // once for all the rest
		m = secrets.Staging{Tracked: true, Untracked: true}
	}
	if !ok || j.again("commit", c, fmt.Sprint(m, len(j.patches))) {
		return
	}
	report, err := repo.Staged(context.Background(), m)
	if err != nil {
		j.fault = err
		return
	}
	j.report(c, report)
	if m.Tracked || m.Untracked {
		j.written(c, repo, m)
	}
	for _, path := range j.patches {
		text, err := j.world.Read(path, secrets.MaxDiff)
		if err != nil {
			continue
		}
		found, _ := secrets.InDiff(text)
		if report, err := repo.Judge(context.Background(), found); err == nil {
			j.report(c, report)
		}
	}
}

// scanLimit bounds the scans that one text can ask for.
const scanLimit = 30

// again reports whether the same was asked of the same repository before, and notes it.
func (j *secretsJudge) again(kind string, c shellCommand, what string) bool {
	if j.scanned == nil {
		j.scanned = map[string]bool{}
	}
	key := kind + "\x01" + placeOf(c.git) + "\x01" + what
	before := j.scanned[key]
	j.scanned[key] = true
	return before
}

// written scans the files of the work tree that commands of this text write: they are not there yet.
func (j *secretsJudge) written(c shellCommand, repo secrets.Repository, m secrets.Staging) {
	for path, text := range j.reading.files {
		if !gitx.Within(repo.Layout.Top, path) || !takes(m, repo.Git.Dir, path) || !m.Ignored && repo.Ignores(context.Background(), path) {
			continue
		}
		report, err := repo.Text(context.Background(), path, []byte(text.text))
		if err != nil {
			j.fault = err
			continue
		}
		j.report(c, report)
	}
}

// takes reports whether m has the file at path among its paths.
func takes(m secrets.Staging, dir, path string) bool {
	return len(m.Paths) == 0 || slices.ContainsFunc(m.Paths, func(p string) bool {
		return gitx.Within(pathFrom(plainWord(dir), plainWord(p)).text, path)
	})
}

// repository opens the repository c works in; what cannot be told is asked about.
func (j *secretsJudge) repository(c shellCommand) (secrets.Repository, bool) {
	g := c.git
	if g.dir.open || g.gitDir.open || g.workTree.open || len(g.env) > 0 {
		j.object(objection{code: "VG-603", decision: Ask,
			text:    "`" + clipped(c.source) + "` works in a repository or index that is only known when it runs, so it cannot be scanned for credentials.",
			instead: "Write the path out (`git -C <path> ...`)."})
		return secrets.Repository{}, false
	}
	if !j.world.IsDir(g.dir.text) {
		return secrets.Repository{}, false // git will say so
	}
	layout, found := gitx.Find(g.dir.text)
	var lead []string
	if g.gitDir.text != "" {
		layout, found = gitx.Find(g.gitDir.text)
		lead = append(lead, "--git-dir="+g.gitDir.text)
		layout.Top = g.dir.text
	}
	if g.workTree.text != "" {
		layout.Top = g.workTree.text
		lead = append(lead, "--work-tree="+g.workTree.text)
	}
	repo := secrets.Repository{Git: j.world.git(g.dir.text), Layout: layout, Lead: lead, Now: j.world.Now(), Limit: j.world.diffLimit}
	if !found {
		if j.made {
			j.unborn(c, repo)
		} else if _, err := j.world.Stat(filepath.Join(g.dir.text, ".git")); err == nil {
			j.fault = errors.New("a broken repository")
		}
		return repo, false
	}
	return repo, true
}

// unborn scans the folder that an earlier command of the text makes a repository of.
func (j *secretsJudge) unborn(c shellCommand, repo secrets.Repository) {
	repo.Layout.Top = repo.Git.Dir
	report, err := repo.Folder(context.Background())
	if err != nil {
		j.fault = err
		return
	}
	j.report(c, report)
	j.written(c, repo, secrets.Staging{Untracked: true})
}

func (j *secretsJudge) object(o objection) {
	if !slices.Contains(j.found, o) {
		j.found = append(j.found, o)
	}
}

// findingsShown bounds the findings a reason lists.
const findingsShown = 10

func (j *secretsJudge) report(c shellCommand, r secrets.Report) {
	if len(r.Skipped) > 0 {
		j.notes = append(j.notes, "not looked into (binary or too large): "+clipped(strings.Join(r.Skipped, ", ")))
	}
	j.notes = append(j.notes, r.Faults...)
	standing, worst := r.Worst()
	if standing == secrets.Allowed {
		return
	}
	lines := []string{"`" + clipped(c.source) + "` would add what looks like a credential:"}
	for i, f := range worst {
		if i == findingsShown {
			lines = append(lines, fmt.Sprintf("  and %d more", len(worst)-i))
			break
		}
		lines = append(lines, fmt.Sprintf("  %s:%d: %s (%s)", printable(f.Path), f.Line, f.Rule, printable(f.Masked)))
	}
	if len(r.Skipped) > 0 {
		lines = append(lines, "  not looked into (binary or too large): "+clipped(strings.Join(r.Skipped, ", ")))
	}
	o := objection{code: "VG-601", decision: Deny, text: strings.Join(lines, "\n") + j.reading.note() + "\n",
		instead: "Take the value out of the files and of the index (environment variable, secret store), and stage again; a value that was pushed before must be replaced."}
	if standing == secrets.Proposed {
		o.code, o.decision = "VG-602", Ask
		o.instead = "A mark or an entry that lets it through is not in HEAD yet, so a person has to confirm it."
	}
	j.object(o)
}
