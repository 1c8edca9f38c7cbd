package run

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"

	"viber/internal/gitx"
)

// pendingCommit is what commit-task notes before it starts git: which status.md it wrote, and what that said before. Until
// git has made the commit, what it marks does not count.
type pendingCommit struct {
	Head   string  `json:"head"`
	Status string  `json:"status"`
	Before *string `json:"before"`
	After  string  `json:"after"`
}

// pendingIn reads the commit that is under way, or was cut off, in the repository of l; nil when there is none.
func pendingIn(l gitx.Layout) *pendingCommit {
	if l.GitDir == "" {
		return nil
	}
	note, err := os.ReadFile(filepath.Join(l.GitDir, "viber", "commit.json"))
	var pending pendingCommit
	if err != nil || json.Unmarshal(note, &pending) != nil || pending.Status == "" {
		return nil
	}
	return &pending
}

// unmadeIn is pendingIn for readers that start no git: nil as well when HEAD has moved on since, or cannot be read.
func unmadeIn(l gitx.Layout) *pendingCommit {
	pending := pendingIn(l)
	if pending == nil {
		return nil
	}
	if head, ok := l.HeadID(); !ok || head != pending.Head {
		return nil
	}
	return pending
}

// truth is text, read from status.md at the path full, without what the commit has written into it.
func (p *pendingCommit) truth(full, text string) string {
	if p == nil || text != p.After || !sameFile(p.Status, full) {
		return text
	}
	if p.Before == nil {
		return ""
	}
	return *p.Before
}

// uncommittedStatus is the status.md of r without what a commit that is under way, or was cut off before git made it, has
// written into it: such a task is not done yet. ok is false when status.md can be taken as it is.
func (p Place) uncommittedStatus(ctx context.Context, r *Run) (text string, ok bool) {
	pending := pendingIn(p.Layout)
	if pending == nil {
		return "", false
	}
	status := onDisk(p.Dir, path.Join(r.Dir, "status.md"))
	now, err := os.ReadFile(status)
	if err != nil || string(now) != pending.After || !sameFile(pending.Status, status) {
		return "", false
	}
	head, err := p.git.Out(ctx, "rev-parse", "-q", "--verify", "HEAD")
	if err != nil {
		head = ""
	}
	return pending.truth(status, string(now)), head == pending.Head
}

// statusText reads status.md at p (as readOptional does) without what a commit that was not made has written into it.
func statusText(root, p string) (string, error) {
	text, err := readOptional(root, p)
	if err != nil || text == "" {
		return text, err
	}
	full := onDisk(root, p)
	if l, ok := gitx.Find(filepath.Dir(full)); ok {
		text = unmadeIn(l).truth(full, text)
	}
	return text, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
