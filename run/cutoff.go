package run

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
)

// pendingCommit is what commit-task notes before it starts git: which status.md it wrote, and what that said before.
type pendingCommit struct {
	Head   string  `json:"head"`
	Status string  `json:"status"`
	Before *string `json:"before"`
	After  string  `json:"after"`
}

// uncommittedStatus is the status.md of r without what a commit that is under way, or was cut off before git made it, has
// written into it: such a task is not done yet. ok is false when status.md can be taken as it is.
func (p Place) uncommittedStatus(ctx context.Context, r *Run) (text string, ok bool) {
	if !p.InGit {
		return "", false
	}
	note, err := os.ReadFile(filepath.Join(p.Layout.GitDir, "viber", "commit.json"))
	if err != nil {
		return "", false
	}
	var pending pendingCommit
	status := onDisk(p.Dir, path.Join(r.Dir, "status.md"))
	if json.Unmarshal(note, &pending) != nil || !sameFile(pending.Status, status) {
		return "", false
	}
	if now, err := os.ReadFile(status); err != nil || string(now) != pending.After {
		return "", false
	}
	head, err := p.git.Out(ctx, "rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		head = ""
	}
	if head != pending.Head {
		return "", false
	}
	if pending.Before != nil {
		text = *pending.Before
	}
	return text, true
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
