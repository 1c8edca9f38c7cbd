package hooksimpl

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"viber/gate"
	"viber/internal/gitx"
	"viber/ledger"
	"viber/run"
)

// captureLimit is the time capture takes at most: the client ends what still runs at the end of a session after 1.5 s.
const captureLimit = 1200 * time.Millisecond

// capture keeps what a session learned from being lost with it: what a run found goes into the ledgers when the session
// ends or is compacted, and the next session hears of an unfinished run. A session without a run leaves its shape.
func capture() check {
	return check{
		name:    "capture",
		events:  []string{EventSessionStart, EventPreCompact, EventSessionEnd},
		sources: []string{"", "startup", "clear", "compact"},
		limit:   captureLimit,
		run:     runCapture,
		fault:   silence,
		because: explainCapture,
	}
}

func runCapture(w *World, p *Payload) Verdict {
	c, value := w.guard(p, "capture")
	if value == switchOff {
		return Verdict{}
	}
	r := ownedRun{root: c.Root, config: c}
	if p.Event == EventSessionStart {
		text := strings.Join(startLines(w, r), "\n")
		return Verdict{Context: text, System: text}
	}
	if !w.mayWrite() {
		return Verdict{}
	}
	key, owns := run.Owned(r.root, p.Session)
	switch r.key = key; {
	case owns:
		w.flush(r, p.Event == EventSessionEnd)
	case p.Event == EventSessionEnd:
		w.noteSession(r, p)
	}
	if p.Event == EventSessionEnd {
		run.SweepSessions(w.Files, r.root, w.Now())
	}
	return Verdict{}
}

// flush writes what the run found into the repository's ledgers; with ifStale only when its files changed since the last time.
func (w *World) flush(r ownedRun, ifStale bool) {
	if r.config.Value("gates.ledger") == switchOff {
		return
	}
	files := r.learned(w)
	if ifStale && !files.Stale() {
		return
	}
	if store, ok := w.ledger(r.root); ok {
		_, _ = store.Flush(files, ifStale)
	}
}

func (w *World) noteSession(r ownedRun, p *Payload) {
	shape := sessionShape(w, p.Transcript)
	if l, found := gitx.Find(r.root); p.Session == "" || len(shape.Tools) == 0 || found && l.Foreign {
		return // nothing to say, or nowhere of this account's own to write it
	}
	_ = run.NoteSession(w.Files, r.root, run.SessionNote{
		Session: p.Session, At: gate.Stamp(w.Now().UTC().Format(time.RFC3339)), Shape: shape,
	})
}

// learned are the files of the run the ledgers learn from.
func (r ownedRun) learned(w *World) ledger.RunFiles {
	f := r.stored(w)
	triage, state := f.LearningFiles()
	return ledger.RunFiles{Triage: triage, State: state, Task: f.Key, Stamp: f.FlushStamp()}
}

// ledger opens the memory of the repository at root; ok is false when viber has no place for one.
func (w *World) ledger(root string) (s ledger.Store, ok bool) {
	state := w.stateDir()
	if state == "" {
		return ledger.Store{}, false
	}
	identity, ok := w.identity(root)
	return ledger.Open(state, identity, w.Files, w.Now), ok
}

// sessionLedger is ledger without a git process where the session asked before, or where nothing was ever remembered.
func (w *World) sessionLedger(root, session string) (s ledger.Store, ok bool) {
	state := w.stateDir()
	if state == "" || !w.IsDir(filepath.Join(state, "ledger")) {
		return ledger.Store{}, false
	}
	identity := run.SessionIdentity(root, session)
	if identity == "" {
		if identity, ok = w.identity(root); !ok {
			return ledger.Store{}, false
		}
		if w.mayWrite() {
			run.KeepIdentity(w.Files, root, session, identity)
		}
	}
	return ledger.Open(state, identity, w.Files, w.Now), true
}

func (w *World) stateDir() string {
	if w.State == nil {
		return ""
	}
	return w.State()
}

// identity names the repository at root for the ledgers; ok is false where git has to be asked for the name and gives no
// answer: the memory would go where nobody looks for it.
func (w *World) identity(root string) (name string, ok bool) {
	at, inGit := root, false
	if l, found := gitx.Find(root); found && l.CommonDir != "" {
		at, inGit = l.CommonDir, true
	}
	ctx, cancel := context.WithTimeout(context.Background(), captureLimit)
	defer cancel()
	git := w.gitAt(root)
	name = ledger.Identity(ctx, git, at)
	if inGit && strings.HasPrefix(name, "dir:") {
		_, err := git.Out(ctx, "rev-parse", "--git-dir")
		return name, err == nil
	}
	return name, true
}

// gitAt is the git that was there at setup, in the project at root, with an environment no project can steer.
func (w *World) gitAt(root string) gitx.Git {
	g := gitx.Git{Dir: root, Env: gitx.Env(w.Environ, root)}
	var record struct{ Git string }
	text, err := w.Read(filepath.Join(w.stateDir(), "record.json"), recordLimit)
	if err == nil && json.Unmarshal(text, &record) == nil && filepath.IsAbs(record.Git) && w.IsFile(record.Git) {
		g.Path = record.Git
	}
	return g
}

// startLines are what a new session should know, two lines at most: a commit that was cut off, the unfinished run that was
// touched last, and whether what it found is not in the ledgers yet.
func startLines(w *World, r ownedRun) []string {
	var lines []string
	if cut, ok := run.FindCutOff(r.root); ok {
		lines = append(lines, "viber: "+cut.String())
	}
	lines = append(lines, openRunLines(w, r)...)
	return lines[:min(len(lines), 2)]
}

func openRunLines(w *World, r ownedRun) []string {
	open, err := run.OpenRuns(r.root)
	if err != nil || len(open) == 0 {
		return nil
	}
	last := open[0]
	lines := []string{fmt.Sprintf("viber: the run %s is unfinished, %d of %d tasks are done; /viber:resume %s goes on with it", last.Key, last.Done, last.Total, last.Key)}
	r.key = last.Key
	if r.config.Value("gates.ledger") != switchOff && r.learned(w).Stale() {
		lines = append(lines, "viber: what it found is not in the ledgers yet; viber flush "+last.Key+" writes it")
	}
	return lines
}

func explainCapture(w *World, p *Payload) []string {
	c, value := w.guard(p, "capture")
	if value == switchOff {
		return []string{"guards.capture is off here"}
	}
	key, owns := run.Owned(c.Root, p.Session)
	switch {
	case p.Event == EventSessionStart:
		return []string{"names the unfinished run that was touched last, and whether the ledgers know what it found"}
	case owns && p.Event == EventSessionEnd:
		return []string{"what the run " + key + " found goes into the ledgers, when it changed since the last time"}
	case owns:
		return []string{"what the run " + key + " found goes into the ledgers"}
	case p.Event == EventSessionEnd:
		return []string{"the session has no run: its shape is noted (names of tools and programs with counts, no argument, no output)"}
	}
	return []string{"the session has no run: nothing to keep before a compaction"}
}
