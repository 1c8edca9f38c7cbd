package hooksimpl

import (
	"context"
	"errors"
	"strings"

	"viber/internal/gitx"
)

// push scans the commits that a push adds to the remote.
func (j *secretsJudge) push(c shellCommand) {
	a := pushGrammar().read(c.git.args)
	if a.has("dry-run", "delete", "d") {
		return
	}
	repo, ok := j.repository(c)
	if !ok {
		return
	}
	revisions := pushedRevisions(a)
	if len(revisions) > 0 && len(j.scanned) > scanLimit {
		revisions = []string{"--branches", "HEAD"}
	}
	if len(revisions) == 0 || j.again("push", c, strings.Join(revisions, " ")) {
		return
	}
	report, err := repo.Range(context.Background(), append(revisions, "--not", "--remotes")...)
	if err != nil {
		var exit *gitx.Failure
		if errors.As(err, &exit) && strings.Contains(exit.Reason, "revision") { // no such one: git refuses the push as well
			j.notes = append(j.notes, "git knows no such revision to push")
			return
		}
		j.fault = err
		return
	}
	j.report(c, report)
}

// pushedRevisions are the left sides of the refspecs; what is not known for certain counts as every branch.
func pushedRevisions(a arguments) []string {
	operands := a.all()
	if a.has("all", "branches", "mirror") {
		return []string{"--branches", "HEAD"}
	}
	if len(operands) < 2 {
		if a.has("tags") {
			return []string{"--tags", "HEAD"}
		}
		return []string{"HEAD"}
	}
	var revisions []string
	for _, spec := range operands[1:] {
		from, _, _ := strings.Cut(strings.TrimPrefix(spec.text, "+"), ":")
		switch {
		case spec.open || strings.Contains(from, "*"):
			return []string{"--branches", "HEAD"}
		case from == "tag" || from == "" || strings.HasPrefix(from, "-"):
		default:
			revisions = append(revisions, from)
		}
	}
	return revisions
}
