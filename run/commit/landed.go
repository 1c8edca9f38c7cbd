package commit

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// landed checks that the work of a task is in the commit named and makes the job the record of it. That nothing of it is
// left in the tree is seen when the commit is built.
func (j *job) landed(ctx context.Context, r *repo, t *claim) error {
	typed := j.form.landed
	res, err := r.run(ctx, "", nil, "merge-base", "--is-ancestor", typed+"^{commit}", "HEAD")
	if err != nil {
		return err
	}
	if res.Code != 0 || strings.HasPrefix(typed, "-") {
		return faultf(codeUsage, "--landed %s is not a commit in HEAD's history", typed)
	}
	out, err := r.must(ctx, "", nil, "-c", "log.showSignature=false", "log", "-1", "-m", "--first-parent", "--root",
		"--no-renames", "--format=%H %h", "--name-only", "-z", typed+"^{commit}", "--")
	if err != nil {
		return err
	}
	ids, changed := landedFiles(out)
	files := r.name(t.files)
	if !slices.ContainsFunc(changed, func(p string) bool { return coveredBy(files, p) }) {
		return faultf(codeNoChanges, "--landed %s touches none of task %s's files", typed, t.id)
	}
	j.paths = files // looked at, not staged
	full, short, _ := strings.Cut(ids, " ")
	j.subject = "chore(viber): record " + t.id + " done, landed in " + short
	j.what = "task " + t.id + " landed " + full
	return nil
}

// landedFiles takes git log's one record apart: the ids, then the names.
func landedFiles(out []byte) (ids string, names []string) {
	head, rest, _ := bytes.Cut(out, []byte{0})
	for name := range bytes.SplitSeq(rest, []byte{0}) {
		if n := strings.TrimPrefix(string(name), "\n"); n != "" {
			names = append(names, n)
		}
	}
	return strings.TrimSpace(string(head)), names
}
