package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"viber/gate"
	"viber/internal/fsx"
	"viber/internal/secrets"
)

// Event is one line of a run's log.
type Event struct {
	At     gate.Stamp        `json:"at"`
	Name   string            `json:"event"`
	Fields map[string]string `json:"fields,omitempty"`
}

const (
	eventsName   = "events.jsonl"
	maxEventLog  = 4 << 20 // bytes; the older half is dropped when the log grows over it
	maxEventLine = 4 << 10
)

// AddEvent writes one line to the run's log. words are KEY=VALUE. A credential among them is refused.
func (f Stored) AddEvent(name string, words []string) error {
	e := Event{At: f.File.stamp(), Name: name, Fields: map[string]string{}}
	for _, w := range words {
		key, value, ok := strings.Cut(w, "=")
		if !ok || key == "" {
			return fmt.Errorf("%q is not KEY=VALUE", w)
		}
		e.Fields[key] = value
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	switch {
	case len(line) > maxEventLine:
		return fmt.Errorf("the event has %d bytes; at most %d", len(line), maxEventLine)
	case len(secrets.Find(line)) > 0:
		return fmt.Errorf("the event holds a credential (%s); nothing was written", secrets.Find(line)[0].Rule)
	}
	return f.append(append(line, '\n'))
}

func (f Stored) append(line []byte) error {
	path := filepath.Join(f.Dir, eventsName)
	unlock, err := fsx.Lock(path+".lock", stateWait)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := fsx.ReadLines(path)
	if err != nil {
		return err
	}
	if len(data)+len(line) > maxEventLog {
		half := data[len(data)/2:]
		half = half[bytes.IndexByte(half, '\n')+1:]
		return f.File.Files.WriteOwn(path, append(half, line...), nil)
	}
	return f.File.Files.AppendLines(path, line)
}

// Events returns the run's log, oldest first; a line that is not an event is left out.
func (f Stored) Events() ([]Event, error) {
	data, err := fsx.ReadLines(filepath.Join(f.Dir, eventsName))
	if err != nil {
		return nil, err
	}
	var all []Event
	for line := range bytes.Lines(data) {
		var e Event
		if json.Unmarshal(line, &e) == nil && e.Name != "" {
			all = append(all, e)
		}
	}
	return all, nil
}

// String is the event as `viber run log` shows it.
func (e Event) String() string {
	var fields []string
	for k, v := range e.Fields {
		if strings.ContainsAny(v, " \t\n\"") || v == "" {
			v = fmt.Sprintf("%q", v)
		}
		fields = append(fields, k+"="+v)
	}
	slices.Sort(fields)
	return strings.TrimRight(fmt.Sprintf("%s %s %s", e.At, e.Name, strings.Join(fields, " ")), " ")
}
