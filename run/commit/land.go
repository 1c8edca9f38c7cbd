package commit

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"viber/internal/gitx"
	"viber/run"
)

// land makes the commit of j. When it returns an error, status.md is what it was and so is the index, but for one thing:
// after git or a hook refused the commit, the paths asked for are staged, so that a person sees what was to be committed.
func (r *repo) land(ctx context.Context, j *job) error {
	if err := r.survey(ctx, j); err != nil {
		return err
	}
	j.index = r.ownIndex()
	err := r.build(ctx, j)
	if err == nil {
		err = r.record(ctx, j)
	}
	if err != nil {
		return r.back(j, err)
	}
	if err := r.commit(ctx, j); err != nil {
		if ctx.Err() == nil {
			if stageErr := r.setIndex(ctx, indexInfo(j.ours, false)); stageErr != nil {
				r.call.Warn("%v", stageErr)
			}
		}
		return r.back(j, err)
	}
	_ = r.files.Remove(j.index)
	return r.settle(context.WithoutCancel(ctx), j) // the commit is made: what is left takes a moment
}

// build stages the paths on an index of the commit's own and divides what then differs from HEAD.
func (r *repo) build(ctx context.Context, j *job) error {
	if err := r.copyIndex(j.index); err != nil {
		return refused(err)
	}
	if err := r.stage(ctx, j); err != nil {
		return err
	}
	base, err := r.orEmptyTree(ctx, j.head)
	if err != nil {
		return err
	}
	args := []string{"diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev"}
	scan := r.scansSecrets()
	if scan {
		args = append(args, "-p", "-U0", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/")
	}
	out, err := r.must(ctx, j.index, nil, append(args, base, "--")...)
	if err != nil {
		return err
	}
	r.divide(j, parseRaw(out))
	switch {
	case len(j.ours) > 0 || j.form.kind == landedForm:
	case len(j.unstaged) > 0:
		return faultf(codeRefused, "nothing could be staged: %s", strings.Join(j.unstaged, ", "))
	default:
		return faultf(codeNoChanges, "%s", j.nothing)
	}
	if scan {
		return r.refuseSecrets(ctx, j, patchOf(out))
	}
	return nil
}

// stage brings the own index up to the work tree for the paths to be staged. A path that cannot be staged (not readable) is
// warned about and left out.
func (r *repo) stage(ctx context.Context, j *job) error {
	for len(j.dirty) > 0 {
		res, err := r.run(ctx, j.index, nulList(j.dirty), "update-index", "-z", "--add", "--remove", "--replace",
			"--ignore-skip-worktree-entries", "--stdin")
		if err != nil {
			return err
		}
		if res.Code == 0 {
			_, _ = r.call.Err.Write(res.Stderr)
			return nil
		}
		at := slices.IndexFunc(j.dirty, func(p string) bool {
			return bytes.HasSuffix(bytes.TrimSpace(res.Stderr), []byte("Unable to process path "+p))
		})
		if at < 0 {
			_, _ = r.call.Err.Write(res.Stderr)
			return faultf(codeRefused, "nothing could be staged: %v", gitx.Fail("update-index", res))
		}
		first, _, _ := strings.Cut(string(bytes.TrimSpace(res.Stderr)), "\n")
		r.call.Warn("could not stage %s - %s", j.dirty[at], first)
		j.unstaged = append(j.unstaged, j.dirty[at])
		j.dirty = slices.Delete(j.dirty, at, at+1)
	}
	return nil
}

func (r *repo) divide(j *job, changes []change) {
	for _, c := range changes {
		switch {
		case j.form.kind != landedForm && coveredBy(j.known, c.path) && !r.isTemp(c.path):
			j.ours = append(j.ours, c)
		case slices.Contains(j.ride, c.path) || c.path == j.status:
		default:
			j.others = append(j.others, c)
		}
	}
}

// record writes status.md, with the journal first, and completes the own index: status.md in, what others staged out.
func (r *repo) record(ctx context.Context, j *job) error {
	if j.form.kind == choreForm {
		j.chore()
	}
	if j.carries {
		if err := r.editStatus(j); err != nil {
			return err
		}
	}
	if err := r.remember(j); err != nil {
		return refused(err)
	}
	if j.carries && !bytes.Equal(j.before, j.after) {
		if err := r.write(j.plan.statusPath(), j.after, j.before); err != nil {
			return refused(err)
		}
	}
	args := []string{"update-index"}
	if j.carries {
		ignored, err := r.ignoresStatus(ctx, j)
		if err != nil {
			return err
		}
		if !ignored {
			args = append(args, "--add", "--replace", j.status)
		}
	}
	if len(args) == 1 && len(j.others) == 0 {
		return nil
	}
	_, err := r.must(ctx, j.index, indexInfo(j.others, true), append(args, "-z", "--index-info")...)
	return err
}

func (r *repo) editStatus(j *job) error {
	before, err := readIfThere(j.plan.statusPath())
	if err != nil {
		return refused(err)
	}
	text := string(before)
	for _, w := range j.words {
		text = run.AddToStatus(text, w.key, w.value, j.plan.total())
	}
	j.before, j.after = before, []byte(text)
	return nil
}

// ignoresStatus reports whether git ignores the run directory. Then progress is kept on disk only.
func (r *repo) ignoresStatus(ctx context.Context, j *job) (bool, error) {
	index, err := readIfThere(j.index)
	if err != nil || bytes.Contains(index, append([]byte(j.status), 0)) {
		return false, err
	}
	res, err := r.run(ctx, j.index, nil, "check-ignore", "-q", "--", j.status)
	if err != nil || res.Code != 0 {
		return false, err
	}
	r.call.Warn("%s is ignored by git: the progress is kept on disk and is not in the commit", j.status)
	return true, nil
}

// commit runs git commit on the own index, with the user's hooks and signing and in the user's own environment.
func (r *repo) commit(ctx context.Context, j *job) error {
	args := []string{"commit"}
	for _, p := range j.message() {
		args = append(args, "-m", p)
	}
	if err := r.step(args); err != nil {
		return refused(err)
	}
	g := r.git
	if !gitx.ChildrenDieWithUs {
		g.Started = r.noteProcess
	}
	res, err := g.AsUser(ctx, run.HooksLimit, []string{"GIT_INDEX_FILE=" + j.index}, args...)
	said := r.call.Err
	if j.form.kind == freeForm {
		said = r.call.Out
	}
	_, _ = said.Write(res.Stdout)
	_, _ = r.call.Err.Write(res.Stderr)
	j.said = res.Stdout
	if (err != nil || res.Code != 0) && r.madeAfterAll(ctx) {
		return nil // stopped behind the commit, as in a post-commit hook
	}
	switch {
	case err != nil:
		return refused(err)
	case res.Code != 0:
		return &fault{code: codeRefused}
	}
	return nil
}

// back takes everything back and completes the refusal with what the contract says about it.
func (r *repo) back(j *job, err error) error {
	r.removeIndexes()
	if undoErr := r.takeBack(j.plan.statusPathOr(), j.before, j.after); undoErr != nil {
		r.call.Warn("%v", undoErr)
		return err // the journal stays: the next call tries again
	}
	r.forget()
	var f *fault
	if !errors.As(err, &f) || f.code != codeRefused {
		return err
	}
	refusal := *f
	if j.unmarked != "" {
		refusal.notes = append(refusal.notes, "not committed - "+j.unmarked)
	} else if refusal.text == "" {
		refusal.text = "not committed"
	}
	return &refusal
}

// takeBack gives status.md its bytes of before, if it still has those this call wrote.
func (r *repo) takeBack(path string, before, after []byte) error {
	if path == "" || bytes.Equal(before, after) {
		return nil
	}
	now, err := readIfThere(path)
	if err != nil || !bytes.Equal(now, after) {
		return err
	}
	if before == nil {
		return r.files.RemoveFile(path, after)
	}
	return r.write(path, before, after)
}

// settle reads what the commit became and brings the user's index up to it.
func (r *repo) settle(ctx context.Context, j *job) error {
	if err := r.readCommit(ctx, j); err != nil {
		return err
	}
	var list []change
	for _, c := range j.committed {
		if !slices.ContainsFunc(j.others, func(o change) bool { return o.path == c.path }) {
			list = append(list, c)
		}
	}
	if err := r.setIndex(ctx, indexInfo(list, false)); err != nil {
		r.call.Warn("the commit is made, but the index could not be brought up to date: %v", err)
		r.call.Warn("the next commit-task does it; until then git status shows the committed files as changed")
		j.unsettled = true
	}
	return nil
}

// readCommit reads the id of the commit, and everything between the HEAD of before and that of now: hooks may have added to it.
func (r *repo) readCommit(ctx context.Context, j *job) error {
	out, err := r.must(ctx, "", nil, "diff-tree", "-r", "-m", "--root", "--raw", "-z", "--no-renames", "--no-abbrev",
		"--format=%H %P", "HEAD", "--")
	if err != nil {
		return err
	}
	ids, changes, _ := bytes.Cut(out, []byte{0})
	id, parents, _ := strings.Cut(string(ids), " ")
	if j.short = saidID(j.said, id); j.short == "" {
		short, err := r.must(ctx, "", nil, "rev-parse", "--short", "HEAD")
		if err != nil {
			return err
		}
		j.short = string(bytes.TrimSpace(short))
	}
	if parents == j.head {
		j.committed = parseRaw(bytes.TrimLeft(changes, "\n"))
		return nil
	}
	j.committed, err = r.between(ctx, j.head, "HEAD")
	return err
}

// saidID is the short form of id in what git commit said ("[main 1a2b3c4] subject"), empty when it is not there.
func saidID(said []byte, id string) string {
	for line := range bytes.Lines(said) {
		head, _, ok := bytes.Cut(line, []byte("] "))
		if !ok || head[0] != '[' {
			continue
		}
		short := string(head[bytes.LastIndexByte(head, ' ')+1:])
		if len(short) >= 4 && strings.HasPrefix(id, short) {
			return short
		}
	}
	return ""
}

// between lists what differs from one commit ("" = nothing) to another.
func (r *repo) between(ctx context.Context, from, to string) ([]change, error) {
	from, err := r.orEmptyTree(ctx, from)
	if err != nil {
		return nil, err
	}
	out, err := r.must(ctx, "", nil, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to, "--")
	return parseRaw(out), err
}

// setIndex gives paths of the user's index the entries of info, waiting a moment for another git that holds it.
func (r *repo) setIndex(ctx context.Context, info []byte) error {
	if len(info) == 0 {
		return nil
	}
	for waited := time.Duration(0); ; waited += 50 * time.Millisecond {
		res, err := r.run(ctx, "", info, "update-index", "-z", "--index-info")
		if err != nil || res.Code == 0 {
			return err
		}
		if waited >= indexLockWait || !bytes.Contains(res.Stderr, []byte("index.lock")) {
			return faultf(codeRefused, "git update-index: %s", strings.TrimSpace(string(res.Stderr)))
		}
		time.Sleep(50 * time.Millisecond)
	}
}
