package commit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"viber/internal/program"
	"viber/run"
)

// journal remembers the commit that is under way, so that the call after a killed one can finish it or take it back.
type journal struct {
	Args   []string `json:"args"`
	Head   string   `json:"head"` // before the commit, "" on an unborn branch
	Mark   string   `json:"mark"` // a line the commit's message holds
	Status string   `json:"status,omitempty"`
	Before *string  `json:"before,omitempty"` // status.md, null = absent
	After  string   `json:"after,omitempty"`
	Others []string `json:"others,omitempty"` // staged by the user
	From   string   `json:"from,omitempty"`   // of an archived run, relative to the root
	To     string   `json:"to,omitempty"`
	Lead   string   `json:"lead,omitempty"` // what the command prints: the lead and the commit's id, then the rest
	Rest   string   `json:"rest"`

	landed string // short id, once it is known that the commit was made
}

// is reports whether the killed call had these arguments and had made its commit.
func (j *journal) is(args []string) bool {
	return j != nil && j.landed != "" && slices.Equal(j.Args, args)
}

// tell prints what the killed call did not come to print.
func (j *journal) tell(r *repo) error {
	id := j.landed
	if j.Lead == "" {
		id = ""
	}
	if _, err := fmt.Fprintf(r.call.Out, "%s%s%s\n", j.Lead, id, j.Rest); err != nil {
		return err
	}
	r.forget()
	return nil
}

func (r *repo) journalPath() string { return r.state(run.CommitNote) }
func (r *repo) processPath() string { return r.state("commit.pid") }

// remember writes the journal of j.
func (r *repo) remember(j *job) error {
	message := j.message()
	mark, _, _ := strings.Cut(message[len(message)-1], "\n")
	note := journal{Args: r.call.Args, Head: j.head, Mark: mark, Lead: "committed: ", Rest: "\n" + strings.Join(j.told(), "\n")}
	if j.form.kind == freeForm {
		note.Lead, note.Rest = "[", "] "+mark
	}
	if j.carries {
		note.Status, note.After = j.plan.statusPath(), string(j.after)
		if j.before != nil {
			before := string(j.before)
			note.Before = &before
		}
	}
	for _, o := range j.others {
		note.Others = append(note.Others, o.path)
	}
	return r.writeJournal(note)
}

func (r *repo) writeJournal(note journal) error {
	text, err := json.Marshal(note)
	if err != nil {
		return err
	}
	r.note = &note
	return r.files.WriteOwn(r.journalPath(), text, nil)
}

// madeAfterAll reports whether the commit of this call is there, although its git ended badly.
func (r *repo) madeAfterAll(ctx context.Context) bool {
	if r.note == nil {
		return false
	}
	_, err := r.madeSince(context.WithoutCancel(ctx), r.note)
	return err == nil && r.note.landed != ""
}

func (r *repo) forget() {
	_ = r.files.Remove(r.processPath())
	_ = r.files.Remove(r.journalPath())
}

// noteProcess writes down the git that runs the user's hooks: it may live on when this program is killed.
func (r *repo) noteProcess(pid int) {
	_ = r.files.WriteOwn(r.processPath(), []byte(strconv.Itoa(pid)), nil)
}

// recover settles what a killed call left: the commit was made and the index follows it, or it was not and status.md goes
// back. It returns the journal of a commit that was made.
func (r *repo) recover(ctx context.Context) (*journal, error) {
	text, err := os.ReadFile(r.journalPath())
	if errors.Is(err, fs.ErrNotExist) {
		r.removeIndexes()
		return nil, nil
	}
	var note journal
	if err == nil {
		err = json.Unmarshal(text, &note)
	}
	if err != nil {
		return nil, faultf(codeRefused, "%s: %v - remove it when no commit is under way", r.journalPath(), err)
	}
	changes, err := r.outcome(ctx, &note)
	if err != nil {
		return nil, err
	}
	r.removeIndexes()
	r.sweep(filepath.Dir(note.Status))
	if note.landed == "" {
		err = r.undo(&note)
		return nil, err
	}
	if note.From != "" {
		r.clear(note.From, note.To)
	}
	changes = slices.DeleteFunc(changes, func(c change) bool { return slices.Contains(note.Others, c.path) })
	if err := r.setIndex(ctx, indexInfo(changes, false)); err != nil {
		return nil, err
	}
	if !note.is(r.call.Args) {
		r.forget()
	}
	return &note, nil
}

// undo takes back what was done for a commit that was not made.
func (r *repo) undo(note *journal) error {
	var before []byte
	if note.Before != nil {
		before = []byte(*note.Before)
	}
	err := r.takeBack(note.Status, before, []byte(note.After))
	if err == nil && note.From != "" {
		err = r.moveBack(note.From, note.To)
	}
	if err != nil {
		return refused(err)
	}
	r.forget()
	return nil
}

// removeIndexes removes the indexes and half-written files killed calls left; this call holds the lock, so none is in use.
func (r *repo) removeIndexes() {
	for _, pattern := range []string{"index.commit-task.*", ".index.commit-task.*", "viber/.commit.*.viber-*"} {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(r.layout.GitDir), filepath.FromSlash(pattern)))
		for _, f := range found {
			_ = r.files.Remove(f)
		}
	}
}

// outcome waits for the git of the killed call and finds out what became of its commit. A call that was killed before it
// noted the process may have left one that is just ending.
func (r *repo) outcome(ctx context.Context, note *journal) ([]change, error) {
	_, statErr := os.Stat(r.processPath())
	if err := r.awaitProcess(); err != nil {
		return nil, err
	}
	changes, err := r.madeSince(ctx, note)
	for waited := 0; statErr != nil && err == nil && note.landed == "" && waited < 6; waited++ {
		time.Sleep(50 * time.Millisecond)
		changes, err = r.madeSince(ctx, note)
	}
	return changes, err
}

// awaitProcess waits for the git of a killed call, which may still be running hooks.
func (r *repo) awaitProcess() error {
	text, err := os.ReadFile(r.processPath())
	if err != nil {
		return nil
	}
	pid, _ := strconv.Atoi(string(bytes.TrimSpace(text)))
	for waited := time.Duration(0); program.Alive(pid); waited += 100 * time.Millisecond {
		if waited >= 10*time.Second {
			return faultf(codeRefused, "the commit of a call that was killed is still under way (process %d) - wait for it; "+
				"if that is another program, remove %s", pid, r.processPath())
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// madeSince looks for the journal's commit: the first on top of the HEAD of before, with its mark.
func (r *repo) madeSince(ctx context.Context, note *journal) ([]change, error) {
	if r.layout.GitDir == "" {
		return nil, r.movedOutside(note)
	}
	span := "HEAD"
	if note.Head != "" {
		span = note.Head + "..HEAD"
	}
	res, err := r.run(ctx, "", nil, "-c", "log.showSignature=false", "log", "--first-parent", "--reverse", "-z",
		"--format=%h %H %P%n%B", span, "--")
	if err != nil || res.Code != 0 {
		return nil, err // unborn still, or the old HEAD is gone: nothing of ours was made
	}
	first, _, _ := bytes.Cut(res.Stdout, []byte{0})
	ids, body, _ := strings.Cut(string(first), "\n")
	f := strings.Fields(ids)
	fits := len(f) == 2 && note.Head == "" || len(f) > 2 && f[2] == note.Head
	if !fits || !strings.Contains(body, note.Mark) {
		return nil, nil
	}
	note.landed = f[0]
	return r.between(ctx, note.Head, f[1])
}

// movedOutside settles an archive where there is no repository: once the run has moved, the rest is tidying.
func (r *repo) movedOutside(note *journal) error {
	_, fromErr := os.Lstat(r.at(note.From))
	_, toErr := os.Lstat(r.at(note.To))
	if errors.Is(fromErr, fs.ErrNotExist) && toErr == nil {
		note.landed = note.To
	}
	return nil
}

// statusPathOr is statusPath, "" for a form without a plan.
func (p *planFile) statusPathOr() string {
	if p.path == "" {
		return ""
	}
	return p.statusPath()
}

// told is what the command prints below the commit's id.
func (j *job) told() []string {
	subject := "subject: " + j.subject
	switch j.form.kind {
	case taskForm:
		return []string{j.progress()}
	case landedForm:
		return []string{subject, j.progress()}
	case fixForm:
		return []string{"progress: unchanged"}
	case repairForm:
		return []string{subject, "progress: unchanged"}
	}
	return []string{subject}
}

func (j *job) progress() string {
	done := len(run.StatusWords(string(j.after), "done"))
	return "progress: " + strconv.Itoa(done) + "/" + strconv.Itoa(j.plan.total())
}
