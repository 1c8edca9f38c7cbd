package commit

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"viber/internal/secrets"
	"viber/schema"
)

// scansSecrets reports whether the project or the user turned guards.secrets on.
func (r *repo) scansSecrets() bool {
	return r.call.ScanSecrets || schema.ReadFor(schema.Root(r.root), r.call.ConfigDir).Bool("guards.secrets")
}

// patchOf is the part of git's raw-and-patch output behind the raw records.
func patchOf(out []byte) []byte {
	for len(out) > 0 && out[0] == ':' {
		_, rest, _ := bytes.Cut(out, []byte{0})
		_, out, _ = bytes.Cut(rest, []byte{0})
	}
	return bytes.TrimLeft(out, "\x00")
}

// refuseSecrets refuses a commit that would add a credential nothing in HEAD allows. What others staged is not looked at.
func (r *repo) refuseSecrets(ctx context.Context, j *job, patch []byte) error {
	found, _ := secrets.InDiff(patch)
	found = slices.DeleteFunc(found, func(f secrets.InFile) bool { return !coveredBy(j.known, f.Path) && !slices.Contains(j.ride, f.Path) })
	if len(found) == 0 {
		return nil
	}
	scan := secrets.Repository{Git: r.git, Layout: r.layout, Now: r.call.Now()}
	report, err := scan.Judge(ctx, found)
	if err != nil {
		return err
	}
	refusal := &fault{code: codeRefused, text: "the commit would add what looks like a credential - take it out, or ask the user to allow it"}
	standing, worst := report.Worst()
	switch standing {
	case secrets.Allowed:
		return nil
	case secrets.Proposed:
		refusal.text = "the commit would add what looks like a credential, and what allows it is not in HEAD yet - ask the user to commit that first"
	}
	for _, f := range worst {
		refusal.notes = append(refusal.notes, fmt.Sprintf("%s:%d: looks like a credential (%s, %s)", f.Path, f.Line, f.Rule, f.Masked))
	}
	return refusal
}
