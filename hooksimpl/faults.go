package hooksimpl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"time"

	"viber/internal/fsx"
)

// Fault is a check that failed: it gave its harmless answer, and `viber doctor` shows it. It holds nothing of the payload.
type Fault struct {
	Time  time.Time `json:"time"`
	Check string    `json:"check"`
	Event string    `json:"event"`
	What  string    `json:"what"`
}

// FaultsFile returns the file faults are kept in, one JSON object a line, below viber's state directory.
func FaultsFile(state string) string { return filepath.Join(state, "faults.jsonl") }

// ReadFaults returns the faults noted below the state directory, oldest first; none when there is no file.
func ReadFaults(state string) ([]Fault, error) {
	text, err := fsx.Read(FaultsFile(state))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var all []Fault
	for line := range bytes.Lines(text) {
		var f Fault
		if json.Unmarshal(line, &f) == nil && f.Check != "" {
			all = append(all, f)
		}
	}
	return all, nil
}

const (
	faultsKept = 200
	faultWait  = 200 * time.Millisecond
)

// noteFault keeps a fault of a check. It must not harm the answer: whatever goes wrong here is let go.
func (w *World) noteFault(check string, p *Payload, what string) {
	defer func() { _ = recover() }()
	if w.State == nil || !w.mayWrite() {
		return
	}
	state := w.State()
	if state == "" {
		return
	}
	unlock, err := fsx.Lock(FaultsFile(state)+".lock", faultWait)
	if err != nil {
		return
	}
	defer unlock()
	faults, err := ReadFaults(state)
	if err != nil {
		return
	}
	faults = append(faults, Fault{Time: w.Now().UTC().Truncate(time.Second), Check: check, Event: p.Event, What: what})
	faults = faults[max(0, len(faults)-faultsKept):]
	var text bytes.Buffer
	for _, f := range faults {
		line, _ := json.Marshal(f)
		text.Write(append(line, '\n'))
	}
	_ = fsx.Door{}.WriteOwn(FaultsFile(state), text.Bytes(), nil)
}

// describePanic says where a check broke, without what it worked on: only the runtime's own errors are quoted.
func describePanic(r any) string {
	what := fmt.Sprintf("panic of type %T", r)
	if err, ok := r.(runtime.Error); ok {
		what = err.Error()
	}
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(0, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && filepath.Base(filepath.Dir(f.File)) == "hooksimpl":
			return fmt.Sprintf("%s at %s:%d", what, filepath.Base(f.File), f.Line)
		}
		if !more {
			return what
		}
	}
}
