package schema

import (
	"strings"
	"sync"
)

// Kind says how the value of a key is read.
type Kind int

// The kinds of values.
const (
	Switch Kind = iota // true or false
	Choice             // one of Values
	Title              // text, quotes taken off
	Dir                // a directory name
	Map                // entries below the key
	Count              // a whole number
	Amount             // a whole number from 1 to a billion
	List               // words separated by commas or blanks
	Text               // any text, quotes taken off
)

// mostAmount is the largest Amount: more bytes, lines or seconds than any limit needs.
const mostAmount = 1_000_000_000

// Key is one row of the table of keys, the only place that knows a key.
type Key struct {
	Name     string   // group.key, or the name of a line at column 0
	Kind     Kind     // how its value is read
	Values   []string // of a Choice: printed forms, for a guard from the loosest to the tightest
	Aliases  []string // other spellings, as pairs: written form, printed form
	Default  string   // what no value, or an invalid one, reads as
	Seed     string   // what the template writes
	Body     []string // template lines below the key, with their indentation
	Tail     []string // template lines after the key: a part that stays commented out
	Note     []string // comment lines above it in the template, without the #
	Text     string   // what it does, in one or two sentences
	Since    int      // schema it came with
	Local    bool     // viber.local.yml may override it
	Fragment bool     // `viber switch-text` takes it
	Guard    bool     // a project may only tighten it
	Optional bool     // not in the template
	Quiet    bool     // in the template as a comment with its Seed; never restored
	Personal bool     // only the user's own viber.yml counts
	Was      []Was    // how older schemas seeded it, oldest first
}

// Was is what the templates up to schema Until wrote for a key.
type Was struct {
	Until int
	Seed  string
	Note  []string
}

// Group is a key at column 0 with the keys below it.
type Group struct {
	Name  string
	Note  []string // comment lines above it in the template
	Text  string   // what its keys are about
	Since int
	Loose bool // its keys are never restored: deleting one lasts
	Keys  []Key
}

// groupRow is a group by its name, made when it is asked for.
type groupRow struct {
	name string
	make func() Group
}

// Groups returns the table of schema n: groups in template order, each with its keys in template order.
func Groups(n int) []Group {
	var all []Group
	for _, row := range groupRows(n) {
		g := row.make()
		g.Keys = upTo(n, g.Keys)
		all = append(all, g)
	}
	return all
}

func groupRows(n int) []groupRow {
	var all []groupRow
	for _, v := range versions() {
		if v.number <= n && v.groups != nil {
			all = append(all, v.groups()...)
		}
	}
	return all
}

func upTo(n int, keys []Key) []Key {
	in := make([]Key, 0, len(keys))
	for _, k := range keys {
		if k.Since <= n {
			in = append(in, k.at(n))
		}
	}
	return in
}

// at returns the key as the template of schema n writes it.
func (k Key) at(n int) Key {
	for _, was := range k.Was {
		if n <= was.Until {
			k.Seed, k.Note = was.Seed, was.Note
			break
		}
	}
	return k
}

// Keys returns all rows of the newest table, in template order.
func Keys() []Key {
	var all []Key
	for _, row := range groupRows(Newest) {
		all = append(all, keysOf(row)...)
	}
	return all
}

// tables holds the rows of the newest schema by group, each made on first use: a hook that reads a guard pays for the
// guards alone.
var tables struct {
	sync.Mutex
	made map[string][]Key
}

func keysOf(row groupRow) []Key {
	tables.Lock()
	defer tables.Unlock()
	keys, ok := tables.made[row.name]
	if !ok {
		if tables.made == nil {
			tables.made = map[string][]Key{}
		}
		keys = upTo(Newest, row.make().Keys)
		tables.made[row.name] = keys
	}
	return keys
}

// Lookup returns the row of the key named name (group.key).
func Lookup(name string) (Key, bool) {
	group := Key{Name: name}.Group()
	for _, row := range groupRows(Newest) {
		if row.name != group {
			continue
		}
		for _, k := range keysOf(row) {
			if k.Name == name {
				return k, true
			}
		}
	}
	return Key{}, false
}

// Group returns the part of the name before the dot, empty for a line at column 0.
func (k Key) Group() string {
	group, _, ok := strings.Cut(k.Name, ".")
	if !ok {
		return ""
	}
	return group
}

// Leaf returns the part of the name after the dot.
func (k Key) Leaf() string { return k.Name[strings.IndexByte(k.Name, '.')+1:] }
