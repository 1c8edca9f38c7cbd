package ledger

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// index is what recall needs to know of every entry without reading the store: 32 bytes a row, the scopes each once.
type index struct {
	upTo   int64  // bytes of the store it covers
	check  uint64 // hash of the store's beginning and of the bytes before upTo
	scopes []string
	rows   []row
	byID   map[uint64]int // row of an id, made when first needed
	scope  map[string]uint32
	saved  int64 // upTo when it was last written
}

// row is one entry that stands for itself, or one word of feedback.
type row struct {
	id     uint64
	offset int64
	at     int64 // unix seconds
	scope  uint32
	score  int16 // useful minus dead ends
	kind   Kind
	gone   bool // forgotten or resolved
}

func idNumber(id string) uint64 {
	var n uint64
	raw, err := hex.DecodeString(id)
	if err != nil {
		return 0
	}
	for _, b := range raw {
		n = n<<8 | uint64(b)
	}
	return n
}

// index returns the index of the store, brought up to date with what was appended since it was written.
func (s Store) index() (*index, error) {
	f, err := os.Open(s.path())
	if errors.Is(err, os.ErrNotExist) {
		return &index{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	x := s.loadIndex()
	if x.upTo > info.Size() || x.check != checksum(f, x.upTo) {
		x = &index{}
	}
	return x, x.extend(f, info.Size())
}

// extend reads the lines behind what the index covers.
func (x *index) extend(f *os.File, size int64) error {
	if size == x.upTo {
		return nil
	}
	tail := make([]byte, size-x.upTo)
	if _, err := f.ReadAt(tail, x.upTo); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	tail = tail[:bytes.LastIndexByte(tail, '\n')+1]
	offset := x.upTo
	for line := range bytes.Lines(tail) {
		var e Entry
		if json.Unmarshal(line, &e) == nil && e.ID != "" {
			x.noteAt(e, offset)
		}
		offset += int64(len(line))
	}
	x.upTo = offset
	x.check = checksum(f, x.upTo)
	return nil
}

// checksum tells a store that was rewritten from one that only grew.
func checksum(f *os.File, upTo int64) uint64 {
	const part = 128
	buf := make([]byte, 2*part)
	n, _ := f.ReadAt(buf[:min(part, upTo)], 0)
	m, _ := f.ReadAt(buf[n:n+int(min(part, upTo))], max(0, upTo-part))
	h := uint64(14695981039346656037)
	for _, c := range buf[:n+m] {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h ^ uint64(upTo)
}

func (x *index) note(e Entry) { x.noteAt(e, -1) }

func (x *index) noteAt(e Entry, offset int64) {
	x.ids()
	switch e.Kind {
	case Forget, Resolved:
		of := idNumber(e.Of)
		i, known := x.byID[of]
		if !known { // compacted away; the word stays
			i = len(x.rows)
			x.byID[of] = i
			x.rows = append(x.rows, row{id: of, offset: -1, scope: x.scopeOf(Entry{}), kind: Fact})
		}
		x.rows[i].gone = true
		return
	case Feedback:
		if i, known := x.byID[idNumber(e.Of)]; known {
			x.rows[i].score += weight(e.Outcome)
		}
	}
	id := idNumber(e.ID)
	at, _ := time.Parse(time.RFC3339, e.At)
	r := row{id: id, offset: offset, at: at.Unix(), scope: x.scopeOf(e), kind: e.Kind}
	if i, known := x.byID[id]; known { // said again
		r.score = x.rows[i].score
		x.rows[i] = r
		return
	}
	x.byID[id] = len(x.rows)
	x.rows = append(x.rows, r)
}

func weight(outcome string) int16 {
	switch outcome {
	case "useful":
		return 1
	case "dead_end":
		return -2
	case "corrected":
		return -3
	}
	return 0
}

// scopeOf is the number of an entry's scope; a file is a scope of its own.
func (x *index) scopeOf(e Entry) uint32 {
	text := e.Scope
	if e.File != "" {
		text = exactly + e.File
	}
	if x.scope == nil {
		x.scope = make(map[string]uint32, len(x.scopes))
		for i, s := range x.scopes {
			x.scope[s] = uint32(i)
		}
	}
	n, known := x.scope[text]
	if !known {
		n = uint32(len(x.scopes))
		x.scopes = append(x.scopes, text)
		x.scope[text] = n
	}
	return n
}

// exactly marks a scope that is a file's name and no glob.
const exactly = "="

func (x *index) ids() {
	if x.byID != nil {
		return
	}
	x.byID = make(map[uint64]int, len(x.rows))
	for i, r := range x.rows {
		x.byID[r.id] = i
	}
}

// knows says that writing e would say nothing new. With once an entry that was taken out counts as known.
func (x *index) knows(e Entry, once bool) bool {
	x.ids()
	if e.Kind == Forget || e.Kind == Resolved {
		i, known := x.byID[idNumber(e.Of)]
		return !known || x.rows[i].gone
	}
	i, known := x.byID[idNumber(e.ID)]
	return known && (once || !x.rows[i].gone)
}

// find returns the row of the entry that id, or the beginning of one, names.
func (x *index) find(id string) (row, bool) {
	if len(id) < 4 {
		return row{}, false
	}
	found, n := row{}, 0
	for _, r := range x.rows {
		if text := fmt.Sprintf("%012x", r.id); len(id) <= len(text) && text[:len(id)] == id && r.kind.subject() {
			found, n = r, n+1
		}
	}
	return found, n == 1
}
