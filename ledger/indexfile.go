package ledger

import (
	"encoding/binary"
	"os"
	"path/filepath"
)

const (
	indexName  = "ledger.idx"
	indexMagic = "viber ledger index 1\n"
	rowSize    = 32
	// saveEvery is how much the store may grow before the index is written anew, in bytes
	saveEvery = 64 << 10
)

// loadIndex reads the index file; a missing or odd one gives an empty index, which extend then fills from the store.
func (s Store) loadIndex() *index {
	data, err := os.ReadFile(filepath.Join(s.Dir, indexName))
	if err != nil {
		return &index{}
	}
	if x, ok := decodeIndex(data); ok {
		return x
	}
	return &index{}
}

// saveIndex writes the index when it has outgrown the file. It is a cache: a failure to write it is none.
func (s Store) saveIndex(x *index) {
	if x.upTo-x.saved < saveEvery && x.saved > 0 || x.upTo < saveEvery {
		return
	}
	if s.Files.WriteOwn(filepath.Join(s.Dir, indexName), x.encode(), nil) == nil {
		x.saved = x.upTo
	}
}

func kinds() []Kind { return []Kind{Fact, Lesson, Rejected, Debt, Prior, Feedback} }

func (x *index) encode() []byte {
	b := append(make([]byte, 0, len(indexMagic)+24+len(x.rows)*rowSize+len(x.scopes)*32), indexMagic...)
	b = binary.LittleEndian.AppendUint64(b, uint64(x.upTo))
	b = binary.LittleEndian.AppendUint64(b, x.check)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(x.scopes)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(x.rows)))
	for _, s := range x.scopes {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(s)))
		b = append(b, s...)
	}
	for _, r := range x.rows {
		b = binary.LittleEndian.AppendUint64(b, r.id)
		b = binary.LittleEndian.AppendUint64(b, uint64(r.offset))
		b = binary.LittleEndian.AppendUint64(b, uint64(r.at))
		b = binary.LittleEndian.AppendUint32(b, r.scope)
		b = binary.LittleEndian.AppendUint16(b, uint16(r.score))
		b = append(b, kindNumber(r.kind), boolByte(r.gone))
	}
	return b
}

func kindNumber(k Kind) byte {
	for i, known := range kinds() {
		if k == known {
			return byte(i)
		}
	}
	return byte(len(kinds()))
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// decodeIndex reads what encode wrote; ok is false for anything else.
func decodeIndex(data []byte) (x *index, ok bool) {
	head := len(indexMagic)
	if len(data) < head+24 || string(data[:head]) != indexMagic {
		return nil, false
	}
	d := data[head:]
	x = &index{upTo: int64(binary.LittleEndian.Uint64(d)), check: binary.LittleEndian.Uint64(d[8:])}
	nScopes, nRows := int(binary.LittleEndian.Uint32(d[16:])), int(binary.LittleEndian.Uint32(d[20:]))
	if d, ok = x.readScopes(d[24:], nScopes); !ok || len(d) != nRows*rowSize {
		return nil, false
	}
	known := kinds()
	x.rows = make([]row, nRows)
	for i := range x.rows {
		p := d[i*rowSize : (i+1)*rowSize]
		r := row{id: binary.LittleEndian.Uint64(p), offset: int64(binary.LittleEndian.Uint64(p[8:])), at: int64(binary.LittleEndian.Uint64(p[16:])),
			scope: binary.LittleEndian.Uint32(p[24:]), score: int16(binary.LittleEndian.Uint16(p[28:])), gone: p[31] == 1}
		if int(p[30]) >= len(known) || int(r.scope) >= nScopes {
			return nil, false
		}
		r.kind = known[p[30]]
		x.rows[i] = r
	}
	x.saved = x.upTo
	return x, true
}

func (x *index) readScopes(d []byte, n int) (rest []byte, ok bool) {
	if n > len(d) {
		return nil, false
	}
	x.scopes = make([]string, n)
	text := string(d) // one copy; the scopes are parts of it
	at := 0
	for i := range x.scopes {
		if at+4 > len(d) {
			return nil, false
		}
		size := int(binary.LittleEndian.Uint32(d[at:]))
		at += 4
		if size < 0 || at+size > len(d) {
			return nil, false
		}
		x.scopes[i] = text[at : at+size]
		at += size
	}
	return d[at:], true
}
