package run

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// pendingCommit is what a commit of a run notes before it starts git: the call, which status.md it wrote and what that said
// before, which run it moves where. Until git has made the commit, what it marks does not count.
type pendingCommit struct {
	Args   []string `json:"args"`
	Head   string   `json:"head"`
	Status string   `json:"status"`
	Before *string  `json:"before"`
	After  string   `json:"after"`
	From   string   `json:"from"` // of an archive, relative to the root
	Lead   string   `json:"lead"`
}

// pendingIn reads the commit that is under way, or was cut off, in the repository of l; nil when there is none.
func pendingIn(l gitx.Layout) *pendingCommit {
	if l.GitDir == "" {
		return nil
	}
	pending := readPending(CommitsDir(l))
	if pending == nil || pending.Status == "" {
		return nil
	}
	return pending
}

// readPending reads the note in dir; nil when no commit is under way.
func readPending(dir string) *pendingCommit {
	note, err := os.ReadFile(filepath.Join(dir, CommitNote))
	var pending pendingCommit
	if err != nil || json.Unmarshal(note, &pending) != nil {
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

// CutOff is a commit of ours that was stopped half way, as by a power cut. The next commit settles it; the same call also
// says how it ended.
type CutOff struct {
	What    string `json:"what"`    // archive or commit
	Key     string `json:"key"`     // of its run, empty for a commit of no run
	Command string `json:"command"` // the same call
}

// String names what was cut off, and the command that settles it.
func (c CutOff) String() string {
	of := ""
	if c.Key != "" {
		of = " of the run " + c.Key
	}
	return "the " + c.What + of + " was cut off; finish it: " + c.Command
}

// FindCutOff looks for a commit that was cut off in the work tree at root; ok is false while one is under way.
func FindCutOff(root string) (c CutOff, ok bool) {
	dir := commitsDir(root)
	if readPending(dir) == nil {
		return CutOff{}, false
	}
	unlock, err := fsx.Lock(filepath.Join(dir, commitLock), 0)
	if err != nil {
		return CutOff{}, false
	}
	defer unlock()
	pending := readPending(dir)
	if pending == nil {
		return CutOff{}, false
	}
	return pending.cutOff(), true
}

// CommitsDir is where the commits of a run keep their lock and their note: in the git directory of l, or in .temp where
// there is none.
func CommitsDir(l gitx.Layout) string {
	if l.GitDir == "" {
		return filepath.Join(l.Top, ".temp", "viber")
	}
	return filepath.Join(l.GitDir, "viber")
}

// commitsDir is CommitsDir of the work tree at root.
func commitsDir(root string) string {
	l, inGit := gitx.Find(root)
	if !inGit || l.Top == "" {
		l = gitx.Layout{Top: root}
	}
	return CommitsDir(l)
}

// CommitNote is the file in which a commit of a run notes what it is about to do.
const CommitNote = "commit.json"

const (
	commitLock  = "commit.lock"
	commitsWait = time.Minute // for another commit: its hooks may run long
)

// LockCommits takes the lock in dir (from CommitsDir) under which the commits of a run are made, and waits up to a minute for it.
func LockCommits(ctx context.Context, dir string) (unlock func(), err error) {
	return fsx.LockUntil(ctx, filepath.Join(dir, commitLock), commitsWait)
}

// lockCommits takes the lock under which the commits of a run are made. Where none can be made, nothing is locked.
func (p Place) lockCommits(ctx context.Context) (unlock func(), err error) {
	unlock, err = LockCommits(ctx, commitsDir(p.Root))
	if errors.Is(err, fs.ErrPermission) {
		return func() {}, nil
	}
	return unlock, err
}

// warnCutOff names a commit that was cut off in the work tree at root.
func (c Call) warnCutOff(root string) {
	if cut, ok := FindCutOff(root); ok {
		c.warn("%s", cut)
	}
}

func (p *pendingCommit) cutOff() CutOff {
	switch {
	case p.From != "":
		return CutOff{"archive", path.Base(p.From), typed("archive-run", p.Args)}
	case p.Lead == "[":
		return CutOff{"commit", "", typed("commit", p.Args)}
	case p.Status == "" && len(p.Args) > 0 && p.Args[0] == "--e2e":
		return CutOff{"commit", "", typed("commit-task", p.Args)}
	}
	plan := slices.IndexFunc(p.Args, func(a string) bool { return !strings.HasPrefix(a, "--") })
	key := ""
	if plan >= 0 {
		key = path.Base(path.Dir(slashes(p.Args[plan])))
	}
	return CutOff{"commit", key, typed("commit-task", p.Args)}
}

// typed is a command of ours as a person would type it again.
func typed(command string, args []string) string {
	line := "viber " + command
	escape := strings.NewReplacer(`"`, `\"`, "$", `\$`, "`", "\\`")
	for _, a := range args {
		if strings.Trim(a, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") != "" || a == "" {
			a = `"` + escape.Replace(oneLine(a)) + `"`
		}
		line += " " + a
	}
	return line
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}
