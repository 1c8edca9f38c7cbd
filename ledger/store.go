package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"viber/internal/fsx"
)

// Store is the ledger of one repository.
type Store struct {
	Dir   string
	Files fsx.Door
	Now   func() time.Time
}

// Open returns the ledger of the repository with this identity; userState is viber's state directory of the user. Nothing
// is made until something is written.
func Open(userState, identity string, files fsx.Door, now func() time.Time) Store {
	return Store{Dir: filepath.Join(userState, "ledger", folder(identity)), Files: files, Now: now}
}

const (
	storeName = "ledger.jsonl"
	wait      = 20 * time.Second
)

func (s Store) path() string { return filepath.Join(s.Dir, storeName) }

// Added says what a write did: how many entries are new, and the ids of all.
type Added struct {
	New int      `json:"new"`
	IDs []string `json:"ids"`
}

// Add writes the entries that are not there yet; one that was forgotten or resolved comes back. A credential in any of
// them refuses all.
func (s Store) Add(entries ...Entry) (Added, error) { return s.add(entries, false) }

// AddOnce is Add for what programs collect: an entry that a person has forgotten or resolved stays away.
func (s Store) AddOnce(entries ...Entry) (Added, error) { return s.add(entries, true) }

func (s Store) add(entries []Entry, once bool) (Added, error) {
	out := Added{IDs: []string{}}
	lines := make([][]byte, len(entries))
	for i := range entries {
		entries[i] = entries[i].identified()
		line, err := entries[i].line(s.Now())
		if err != nil {
			return Added{}, err
		}
		lines[i] = line
		out.IDs = append(out.IDs, entries[i].ID)
	}
	unlock, err := fsx.Lock(s.path()+".lock", wait)
	if err != nil {
		return Added{}, err
	}
	defer unlock()
	index, err := s.index()
	if err != nil {
		return Added{}, err
	}
	s.saveIndex(index)
	var fresh []byte
	for i, e := range entries {
		if !index.knows(e, once) {
			fresh = append(fresh, lines[i]...)
			index.note(e)
			out.New++
		}
	}
	if len(fresh) == 0 {
		return out, nil
	}
	return out, s.Files.AppendLines(s.path(), fresh)
}

// About writes a word about the entry called id: feedback with its outcome, forget or resolved. The entry must be there.
func (s Store) About(kind Kind, id, outcome, task string) error {
	id = bareID(id)
	if id == "" {
		return errors.New("--id is missing; 'viber ledger list' and 'viber debt list' show the ids")
	}
	index, err := s.index()
	if err != nil {
		return err
	}
	e, known := index.find(id)
	if !known {
		return fmt.Errorf("there is no entry %s; 'viber ledger list' and 'viber debt list' show them", id)
	}
	if kind == Resolved && e.kind != Debt {
		return fmt.Errorf("entry %s is no debt; 'viber ledger forget --id %s' takes it out", id, id)
	}
	_, err = s.Add(Entry{Kind: kind, Of: id, Outcome: outcome, Task: task})
	return err
}

func bareID(id string) string {
	if len(id) > 2 && id[:2] == "L:" {
		return id[2:]
	}
	return id
}

// Entries returns every entry that stands, oldest first, and how many lines of the store could not be read.
func (s Store) Entries(kinds ...Kind) ([]Entry, int, error) {
	data, err := fsx.ReadLines(s.path())
	if err != nil {
		return nil, 0, err
	}
	var all []Entry
	gone := map[string]bool{}
	broken := 0
	for line := range bytes.Lines(data) {
		var e Entry
		if json.Unmarshal(line, &e) != nil || e.ID == "" {
			broken++
			continue
		}
		switch {
		case e.Kind == Forget || e.Kind == Resolved:
			gone[e.Of] = true
		case e.Kind.subject() && wanted(e.Kind, kinds):
			delete(gone, e.ID)
			all = append(all, e)
		}
	}
	kept := all[:0]
	for _, e := range all {
		if !gone[e.ID] {
			kept = append(kept, e)
		}
	}
	return kept, broken, nil
}

func wanted(k Kind, kinds []Kind) bool {
	for _, w := range kinds {
		if w == k {
			return true
		}
	}
	return len(kinds) == 0
}

// Compact rewrites the store without forgotten and resolved entries and what was said about them.
func (s Store) Compact() (dropped int, err error) {
	unlock, err := fsx.Lock(s.path()+".lock", wait)
	if err != nil {
		return 0, err
	}
	defer unlock()
	before, err := os.ReadFile(s.path())
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	after, dropped := compacted(before)
	if dropped == 0 {
		return 0, nil
	}
	return dropped, s.Files.WriteOwn(s.path(), after, &before)
}

// compacted keeps the lines that count, the words that took entries out, and what it cannot read.
func compacted(data []byte) (kept []byte, dropped int) {
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	entries := map[int]Entry{}
	said := map[string]int{} // the line that said an entry last
	gone := map[string]int{} // the line that took it out last
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var e Entry
		if json.Unmarshal(line, &e) != nil || e.ID == "" {
			continue
		}
		entries[n] = e
		switch {
		case e.Kind == Forget || e.Kind == Resolved:
			gone[e.Of] = n
		case e.Kind.subject():
			said[e.ID] = n
		}
	}
	n = 0
	for line := range bytes.Lines(data) {
		n++
		if e, readable := entries[n]; readable && !counts(e, n, said, gone) {
			dropped++
			continue
		}
		kept = append(kept, line...)
	}
	return kept, dropped
}

func counts(e Entry, n int, said, gone map[string]int) bool {
	switch {
	case e.Kind == Forget || e.Kind == Resolved:
		return gone[e.Of] == n && said[e.Of] < n
	case e.Kind.subject():
		return said[e.ID] == n && gone[e.ID] < n
	}
	return gone[e.Of] < said[e.Of]
}
