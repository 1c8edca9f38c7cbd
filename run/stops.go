package run

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"time"

	"viber/internal/fsx"
)

// Stops is what a session remembers about the ends of turns that were refused while its run had work left.
type Stops struct {
	Run      string `json:"run"`
	Blocks   int    `json:"blocks"`             // in a row, without a tool call between them
	Chain    bool   `json:"chain,omitempty"`    // the turn at hand goes on because of a refusal of ours
	Seen     int64  `json:"seen,omitempty"`     // size of the transcript at the last refusal, in bytes
	Progress string `json:"progress,omitempty"` // of the run when it was halted; empty = not halted
}

const (
	stopsName = "stops.json"
	stopsWait = time.Second
)

// ReadStops returns what the session remembers; the zero value when that is nothing.
func ReadStops(root, session string) (s Stops) {
	text, err := os.ReadFile(filepath.Join(SessionDir(root, session), stopsName))
	if err != nil || json.Unmarshal(text, &s) != nil {
		return Stops{}
	}
	return s
}

// ChangeStops reads what the session remembers, lets change decide about the end of a turn, and writes it when it is another.
// Calls at the same time take turns.
func ChangeStops(files fsx.Door, root, session string, change func(*Stops)) error {
	if session == "" {
		return errors.New("the payload names no session")
	}
	path := filepath.Join(SessionDir(root, session), stopsName)
	unlock, err := fsx.Lock(path+".lock", stopsWait)
	if err != nil {
		return err
	}
	defer unlock()
	before := ReadStops(root, session)
	after := before
	change(&after)
	if after == before {
		return nil
	}
	text, err := json.Marshal(after)
	if err != nil {
		return err
	}
	return files.WriteOwn(path, append(text, '\n'), nil)
}

// Halt records in the run that its session stopped with work left: the status becomes stopped, and the log says why.
func (f Stored) Halt(reason string) error {
	_, err := f.File.Merge(-1, stoppedBy(StoppedByHalt))
	return errors.Join(err, f.AddEvent("run.halt", []string{"reason=" + reason}))
}

// GiveUp records that the user stopped the run: no session is held for it until somebody takes it up again.
func (f Stored) GiveUp(c StateCall) (RunState, error) {
	s, err := f.Merge(c, -1, stoppedBy(StoppedByUser))
	if err == nil {
		err = f.AddEvent("run.stopped", []string{"by=kill"})
	}
	return s, err
}

func stoppedBy(who Stopper) Tree { return Tree{"status": "stopped", "stoppedBy": string(who)} }

// GivenUp reports whether the user stopped the run and nobody took it up since.
func (s RunState) GivenUp() bool { return s.Status == "stopped" && s.StoppedBy == StoppedByUser }

// takeUp lets a run that was stopped go on: its build begins again. A run that was not stopped is left alone.
func (f StateFile) takeUp() error {
	s, _, err := f.Read()
	if errors.Is(err, ErrNoState) || err == nil && s.StoppedBy == "" {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.Swap(-1, func(s RunState, tree Tree) error {
		delete(tree, "stoppedBy")
		if s.Status == "stopped" {
			delete(tree, "status")
		}
		return nil
	})
	return err
}

// Stored names the run called key of the project at root.
func (c StateCall) Stored(root, key string) Stored {
	dir := StateDir(root, key)
	return Stored{Key: key, Project: root, Dir: dir, File: StateFile{Path: filepath.Join(dir, StateName), Files: c.Files, Now: c.Now}}
}
