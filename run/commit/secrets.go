package commit

import (
	"bytes"
	"fmt"

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

// refuseSecrets refuses a commit that would add a credential. What others staged is not looked at.
func (r *repo) refuseSecrets(j *job, patch []byte) error {
	found, _ := secrets.InDiff(patch)
	refusal := &fault{code: codeRefused}
	for _, f := range found {
		if coveredBy(j.known, f.Path) || isRide(j, f.Path) {
			refusal.notes = append(refusal.notes, fmt.Sprintf("%s:%d: looks like a credential (%s, %s)", f.Path, f.Line, f.Rule, f.Masked))
		}
	}
	if len(refusal.notes) == 0 {
		return nil
	}
	refusal.text = "the commit would add what looks like a credential - take it out, or ask the user to allow it"
	return refusal
}

func isRide(j *job, path string) bool {
	for _, p := range j.ride {
		if p == path {
			return true
		}
	}
	return false
}
