package hooksimpl

import "strings"

// moves follows the current branch through the commands of the text.
func (j *gitJudge) moves(g *gitCall) {
	repo := j.repo(g)
	switch g.sub {
	case "branch":
		repo.renames(g)
	case "symbolic-ref":
		if a := (grammar{flags: "dq", values: "m", interspersed: true}).read(g.args); len(a.operands) == 2 && a.operands[0].text == headWord {
			to := a.operands[1]
			to.text = strings.TrimPrefix(to.text, "refs/heads/")
			repo.branch = &to
		}
	default:
		j.checksOut(g, repo)
	}
}

// renames follows `git branch -m` and what `git branch -u` makes the upstream.
func (r *gitRepo) renames(g *gitCall) {
	a := grammar{flags: "mMcCdDfaqrvl", values: "u", interspersed: true, long: "move copy delete force", valued: "set-upstream-to"}.read(g.args)
	names := a.all()
	if a.has("m", "M", "move") && len(names) > 0 {
		r.branch = &names[len(names)-1]
	}
	if o, ok := a.last("u", "set-upstream-to"); ok && len(names) == 0 {
		_, branch, _ := strings.Cut(o.value.text, "/")
		r.tracked = append(r.tracked, branch)
	}
}

// checksOut follows `git checkout` and `git switch`.
func (j *gitJudge) checksOut(g *gitCall, repo *gitRepo) {
	a := grammar{flags: "qflmtpad46v", values: "bBcCu", long: "quiet force detach track no-track guess no-guess merge patch ours theirs ignore-other-worktrees overlay no-overlay discard-changes",
		valued: "create force-create orphan conflict", interspersed: true}.read(g.args)
	if o, ok := a.last("b", "B", "c", "C", "create", "force-create", "orphan"); ok {
		repo.branch = &o.value
		if start := a.all(); len(start) > 0 { // a branch made from a remote's follows that one
			if _, branch, ok := strings.Cut(start[0].text, "/"); ok {
				repo.tracked = append(repo.tracked, branch)
			}
		}
		return
	}
	if len(a.operands) != 1 || len(a.tail) > 0 || a.has("detach", "d", "patch", "p") {
		return
	}
	to := a.operands[0]
	switch {
	case to.text == "-":
		to = shellWord{text: openPart, open: true}
	case a.has("track", "t"):
		_, to.text, _ = strings.Cut(to.text, "/")
		repo.branch = &to
		return
	}
	if g.sub == "switch" || to.open || !j.world.exists(pathFrom(g.dir, to)) || repo.hasBranch(to.text) {
		repo.branch = &to
	}
}
