package run

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/forge"
	"viber/internal/exit"
	"viber/internal/gitx"
	"viber/schema"
)

const prFactsUsage = "usage: pr-facts.sh [--entry <key> | --target <branch>]"

// PRFacts is `viber pr-facts [--entry <key> | --target <branch>]`: what a pull request of the current branch is made of, as
// KEY=value lines (commit contract, 9.6).
func PRFacts(ctx context.Context, c Call) error {
	p := pullFacts{ctx: ctx}
	switch {
	case len(c.Args) == 0:
	case len(c.Args) == 2 && c.Args[0] == "--entry" && c.Args[1] != "":
		p.wantEntry = c.Args[1]
	case len(c.Args) == 2 && c.Args[0] == "--target" && c.Args[1] != "":
		p.target = c.Args[1]
	default:
		return c.stop("pr-facts", exit.Usage, "%s", prFactsUsage)
	}
	reason, err := p.gather(c)
	if err != nil {
		return c.stop("pr-facts", exit.Failed, "%v", err)
	}
	if reason != "" {
		_, err = fmt.Fprintf(c.Out, "STATUS=stop\nREASON=%s\n", reason)
		return err
	}
	_, err = fmt.Fprint(c.Out, p.block())
	return err
}

// pullFacts is what is known of the pull request to be.
type pullFacts struct {
	ctx       context.Context
	git       gitx.Git
	root      string
	config    *schema.Config
	branching schema.Branching

	wantEntry  string
	repo       forge.Repository
	branch     string
	run        *Run // the open run of the branch, nil without one
	entry      string
	target     string
	ref        string // of the target, "" when it resolves nowhere
	candidates []schema.WorkEntry
	kind       string // the {type} of the branch name
	issues     []string
	spec       string
	commits    []prCommit // of target..HEAD, newest first
}

type prCommit struct{ short, subject, body string }

// gather collects the facts; a reason is why there can be no pull request.
func (p *pullFacts) gather(c Call) (reason string, err error) {
	host, ok := forge.FindGitHub(c.Dir, c.Environ)
	if !ok {
		return "no-gh", nil
	}
	if reason, err = p.place(c, host); reason != "" || err != nil {
		return reason, err
	}
	if p.wantEntry != "" && p.branching.Mode != "off" && p.workEntry(p.wantEntry) == nil {
		return "unknown-entry", nil
	}
	urls, err := host.OpenPulls(p.ctx, p.branch)
	if err != nil {
		c.warn("whether a pull request is open is not known: %v", err)
	}
	if len(urls) > 0 {
		return "pr-exists\nPR_URL=" + urls[0], nil
	}
	p.findRun()
	p.findTarget()
	if err := p.findCommits(); err != nil {
		return "", err
	}
	if p.ref != "" && len(p.commits) == 0 {
		return "no-commits", nil
	}
	return "", p.findSpec()
}

// place reads repository and branch and refuses those no pull request can come from.
func (p *pullFacts) place(c Call, host forge.Host) (reason string, err error) {
	l, ok := gitx.Find(c.Dir)
	if !ok || l.Top == "" {
		return "no-repo", nil
	}
	p.root, p.git, p.config = l.Top, c.git(), schema.Read(l.Top)
	p.git.Dir = l.Top
	p.branching = p.config.Branching()
	if p.branching.Mode == "off" {
		p.branching.Entries = nil
	}
	p.repo, err = host.Repository(p.ctx)
	if err != nil {
		c.warn("%v", err)
	}
	if err != nil || p.repo.URL == "" || p.repo.DefaultBranch == "" {
		return "no-repo", nil
	}
	if p.branch, ok = p.git.Branch(p.ctx, l); !ok {
		return "detached", nil
	}
	changed, err := p.git.Out(p.ctx, "status", "--porcelain", "--untracked-files=no")
	switch {
	case err != nil:
		return "", err
	case changed != "":
		return "dirty", nil
	case p.onBase():
		return "on-base", nil
	}
	return "", nil
}

func (p *pullFacts) onBase() bool {
	return p.branch == p.repo.DefaultBranch || slices.ContainsFunc(p.branching.Entries, func(e schema.WorkEntry) bool {
		return p.branch == e.Base || p.branch == e.Target
	})
}

func (p *pullFacts) workEntry(key string) *schema.WorkEntry {
	for i := range p.branching.Entries {
		if p.branching.Entries[i].Key == key {
			return &p.branching.Entries[i]
		}
	}
	return nil
}

// findRun looks for the open run whose plan names the branch, the last by name.
func (p *pullFacts) findRun() {
	runs := path.Join("docs", p.config.Value("directories.runs"))
	entries, _ := os.ReadDir(onDisk(p.root, runs))
	for i := len(entries) - 1; i >= 0; i-- {
		if strings.HasPrefix(entries[i].Name(), ".") {
			continue
		}
		r, err := LoadRun(p.root, path.Join(runs, entries[i].Name()))
		if err == nil && r.Plan.Front.Branch == p.branch {
			p.run = r
			return
		}
	}
}

// findTarget decides entry and target: as asked, else the run's, else by the branch's name.
func (p *pullFacts) findTarget() {
	matches := p.matches()
	if len(matches) == 1 {
		p.take(matches[0])
	}
	switch {
	case p.target != "":
	case p.workEntry(p.wantEntry) != nil:
		p.choose(p.workEntry(p.wantEntry))
	case p.run != nil && p.workEntry(p.run.Plan.Front.Work) != nil:
		p.choose(p.workEntry(p.run.Plan.Front.Work))
	case len(matches) == 1:
		p.choose(&matches[0].entry)
	case len(matches) > 1:
		for _, m := range matches {
			p.candidates = append(p.candidates, m.entry)
		}
	default:
		p.candidates = p.branching.Entries
	}
	p.resolve()
}

func (p *pullFacts) choose(e *schema.WorkEntry) { p.entry, p.target = e.Key, e.Target }

// match is a work entry whose name pattern the branch fits, with what its parts stand for.
type match struct {
	entry       schema.WorkEntry
	kind, issue string
}

func (p *pullFacts) take(m match) {
	p.kind = m.kind
	p.addIssue(m.issue)
}

func (p *pullFacts) matches() []match {
	var list []match
	for _, e := range p.branching.Entries {
		if kind, issue, ok := fitsPattern(e.Name, p.branch); ok {
			list = append(list, match{e, kind, issue})
		}
	}
	return list
}

// resolve finds the target's commit: the local branch, else the remote-tracking one. Nothing is fetched.
func (p *pullFacts) resolve() {
	if p.target == "" {
		return
	}
	remote, err := p.git.Out(p.ctx, "config", "branch."+p.branch+".remote")
	if err != nil || remote == "" {
		remote = "origin"
	}
	for _, ref := range []string{"refs/heads/" + p.target, "refs/remotes/" + remote + "/" + p.target} {
		if _, err := p.git.Out(p.ctx, "rev-parse", "-q", "--verify", ref+"^{commit}"); err == nil {
			p.ref = ref
			return
		}
	}
}

func (p *pullFacts) findCommits() error {
	if p.ref == "" {
		return nil
	}
	out, err := p.git.Out(p.ctx, "-c", "log.showSignature=false", "log", "-z", "--format=%h%n%s%n%B", p.ref+"..HEAD", "--")
	if err != nil {
		return err
	}
	for record := range strings.SplitSeq(out, "\x00") {
		if f := strings.SplitN(record, "\n", 3); len(f) == 3 {
			p.commits = append(p.commits, prCommit{short: strings.TrimSpace(f[0]), subject: f[1], body: f[2]})
		}
	}
	for _, commit := range p.commits {
		for line := range strings.SplitSeq(commit.body, "\n") {
			if refs, ok := strings.CutPrefix(line, "Refs:"); ok {
				p.addRefs(refs)
			}
		}
	}
	return nil
}

// addRefs takes the issues off a footer: #7, or #7, #42.
func (p *pullFacts) addRefs(refs string) {
	for ref := range strings.SplitSeq(refs, ",") {
		number, ok := strings.CutPrefix(trim(ref), "#")
		if n := leadingDigits(number); !ok || n == 0 {
			return
		} else {
			p.addIssue(number[:n])
		}
	}
}

func (p *pullFacts) addIssue(number string) {
	if number != "" && !slices.Contains(p.issues, number) {
		p.issues = append(p.issues, number)
	}
}

// findSpec finds what the pull request is to be read with: the run's spec or plan, else the newest archived spec among the
// commits.
func (p *pullFacts) findSpec() error {
	if p.run != nil {
		p.spec = path.Join(p.run.Dir, "plan.md")
		if spec := path.Join(p.run.Dir, "spec.md"); p.has(spec) {
			p.spec = spec
		}
		p.addIssue(issueNumber(p.run.Plan.Front.IssueText))
		return nil
	}
	if p.ref == "" {
		return nil
	}
	specs := path.Join("docs", p.config.Value("directories.specifications"))
	out, err := p.git.Out(p.ctx, "-c", "log.showSignature=false", "log", "--format=", "--name-only", "-z", "--no-renames",
		p.ref+"..HEAD", "--", specs)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(out, "\x00") {
		name = strings.TrimPrefix(name, "\n")
		if path.Base(name) != "spec.md" || path.Dir(path.Dir(name)) != specs || !p.has(name) {
			continue
		}
		p.spec = name
		if text, err := readText(p.root, name); err == nil {
			p.addIssue(issueNumber(ParsePlan(name, text).Front.IssueText))
		}
		return nil
	}
	return nil
}

func (p *pullFacts) has(name string) bool {
	info, err := os.Stat(filepath.Join(p.root, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular()
}

// issueNumber reads /issues/<n> anywhere in the text, or a leading number with or without #.
func issueNumber(text string) string {
	if n := ParseIssue(text).Number; n != "" {
		return n
	}
	text = strings.TrimPrefix(text, "#")
	return text[:leadingDigits(text)]
}
