package hooksimpl

import (
	"strings"
)

func pushGrammar() grammar {
	return grammar{flags: "fvqndu46", values: "o", interspersed: true,
		long: "force force-with-lease no-force no-force-with-lease force-if-includes no-force-if-includes all branches mirror no-mirror tags no-tags follow-tags no-follow-tags atomic no-atomic dry-run porcelain " +
			"delete no-delete prune no-prune verbose quiet progress no-progress set-upstream no-verify verify thin no-thin ipv4 ipv6 signed no-signed stateless-rpc helper-status stdin no-recurse-submodules",
		valued: "recurse-submodules receive-pack exec repo push-option remote"}
}

// pushed is what a push asks the remote to do.
type pushed struct {
	remote   string
	specs    []shellWord
	forced   string // what forces every branch of it, as written; empty = nothing
	lease    bool   // only --force-with-lease forces it
	deletes  bool
	all      bool // every local branch
	tagsOnly bool
}

// push judges `git push` and `git send-pack`.
func (j *gitJudge) push(c shellCommand) {
	a := pushGrammar().read(c.git.args)
	if a.has("dry-run", "n") && c.git.sub == "push" {
		return
	}
	if builtOption(a, "force", "f", "force-with-lease", "mirror", "delete", "d", "all") {
		j.unknown(c, "an option of it is built at run time")
		return
	}
	repo := j.repo(c.git)
	p := j.readPush(a, repo)
	if p.forced == "--mirror" {
		j.refuseForce(c, "--mirror", "every branch of the remote")
		return
	}
	judged := len(j.found)
	for _, spec := range p.specs {
		j.refspec(c, p, repo, spec)
	}
	if len(p.specs) == 0 && !p.tagsOnly {
		j.impliedPush(c, p, repo)
	}
	if p.all && p.forced != "" {
		j.refuseForce(c, p.forced, "every local branch, the protected ones too")
	}
	if len(j.found) > judged {
		return
	}
	if what, ok := unknownOption(a, c.git.more); ok {
		j.unknown(c, what)
	}
	if a.has("prune") {
		j.object(objection{code: "VG-503", decision: Ask, text: "`" + clipped(c.source) + "` deletes every remote branch that has no local one.", instead: "Delete branches by their names."})
	}
}

func (j *gitJudge) readPush(a arguments, repo *gitRepo) pushed {
	p := pushed{deletes: a.has("delete", "d"), all: a.has("all", "branches")}
	operands := a.all()
	if o, ok := a.last("repo"); ok {
		p.remote = o.value.text
	}
	if len(operands) > 0 {
		p.remote, operands = operands[0].text, operands[1:]
	}
	for i := 0; i < len(operands); i++ {
		if operands[i].text == "tag" && i+1 < len(operands) {
			i++
			p.tagsOnly = true
			continue
		}
		p.specs = append(p.specs, operands[i])
	}
	p.tagsOnly = p.tagsOnly && len(p.specs) == 0 || a.has("tags") && len(p.specs) == 0
	for _, o := range a.options {
		switch o.name {
		case "force", "f":
			p.forced, p.lease = "--force", false
		case "force-with-lease":
			if p.forced == "" && j.config.Value("guards.force-with-lease") != "allow" {
				p.forced, p.lease = "--force-with-lease", true
			}
		case "no-force", "no-force-with-lease":
			if p.lease || o.name == "no-force" {
				p.forced = ""
			}
		}
	}
	if a.has("mirror") && !a.has("no-mirror") || repo.remoteConfig(p.remote, "mirror") == "true" {
		p.forced = "--mirror"
	}
	return p
}

// refspec judges one word that says what goes where.
func (j *gitJudge) refspec(c shellCommand, p pushed, repo *gitRepo, spec shellWord) {
	forced := p.forced
	text, plus := strings.CutPrefix(spec.text, "+")
	if plus {
		forced = "+" + strings.ReplaceAll(text, openPart, "...")
	}
	from, to, both := strings.Cut(text, ":")
	if !both {
		to = from
	}
	deletes := p.deletes || both && from == "" && to != ""
	if forced == "" && !deletes {
		return
	}
	how := forced
	if deletes {
		how = "deletion"
	}
	if spec.open || spec.assigned || spec.glob {
		j.openRefspec(c, repo, to, how, deletes)
		return
	}
	if both && from == "" && to == "" { // ":" pushes all branches both sides have
		j.refuseForce(c, how, "every branch both sides have, the protected ones too")
		return
	}
	branch, known := repo.destination(to)
	switch {
	case !known:
		j.unknown(c, "the current branch cannot be told")
	case branch != "":
		j.branch(c, branch, how, deletes)
	}
}

// openRefspec judges a forced refspec with parts that are only known at run time: certain when its known text names a
// protected branch, a question when it might.
func (j *gitJudge) openRefspec(c shellCommand, repo *gitRepo, to, how string, deletes bool) {
	if branch, known := repo.destination(to); known && branch != "" && !strings.Contains(branch, openPart) && j.protected(repo, branch) != "" && strings.Contains(to, ":") {
		j.branch(c, branch, how, deletes)
		return
	}
	j.unknown(c, "the branch it forces is only known when it runs")
}

func (j *gitJudge) branch(c shellCommand, branch, how string, deletes bool) {
	rule := j.protected(j.repo(c.git), branch)
	switch {
	case rule == "":
	case deletes:
		j.object(objection{code: "VG-503", decision: Deny, text: "`" + clipped(c.source) + "` deletes the protected branch " + branch + " (" + rule + ").",
			instead: "Leave the branch; delete your own branches by name."})
	default:
		j.refuseForce(c, how, "the protected branch "+branch+" ("+rule+")")
	}
}

func (j *gitJudge) refuseForce(c shellCommand, how, what string) {
	j.object(objection{code: "VG-502", decision: Deny,
		text:    "`" + clipped(c.source) + "` overwrites " + what + " by " + how + "; work of others there would be lost.",
		instead: "Push without force, or to a branch of your own (`git push origin HEAD:my-branch`) and open a pull request."})
}

// protected returns why branch is protected, empty when it is not.
func (j *gitJudge) protected(repo *gitRepo, branch string) string {
	for _, pattern := range strings.Split(j.config.Value("guards.protected-branches"), ",") {
		if pattern = strings.TrimSpace(pattern); pattern != "" && matchesName(pattern, branch) {
			return "guards.protected-branches: " + pattern
		}
	}
	if repo.defaultBranches()[branch] {
		return "the remote's default branch"
	}
	return ""
}

// matchesName reports whether the pattern, in which `*` stands for any text, is or covers name; a name may hold a `*` too.
func matchesName(pattern, name string) bool {
	head, tail, wild := strings.Cut(pattern, "*")
	if !wild {
		if before, after, many := strings.Cut(name, "*"); many { // refs/heads/*
			return strings.HasPrefix(pattern, before) && strings.HasSuffix(pattern, after)
		}
		return pattern == name
	}
	rest, ok := strings.CutPrefix(name, head)
	if !ok {
		return false
	}
	if tail == "" {
		return true
	}
	for i := range rest {
		if matchesName(tail, rest[i:]) {
			return true
		}
	}
	return false
}

// impliedPush judges a push without refspecs: the configuration says what it pushes.
func (j *gitJudge) impliedPush(c shellCommand, p pushed, repo *gitRepo) {
	specs := repo.configuredSpecs(p.remote)
	for _, spec := range specs {
		j.refspec(c, p, repo, plainWord(spec))
	}
	if len(specs) > 0 || p.forced == "" {
		return
	}
	switch repo.setting("push.default") {
	case "matching":
		j.refuseForce(c, p.forced, "every branch both sides have, the protected ones too")
		return
	case "nothing":
		return
	}
	branch, known := repo.current()
	if !known {
		j.unknown(c, "the current branch cannot be told")
		return
	}
	for _, upstream := range repo.upstreams(branch) {
		j.branch(c, upstream, p.forced, false)
	}
	if branch != "" {
		j.branch(c, branch, p.forced, false)
	}
}
