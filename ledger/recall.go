package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Recalled is an entry with what its place in the order rests on.
type Recalled struct {
	Entry
	Score int `json:"score"` // useful minus dead ends
}

// Line is the entry as prompts show it.
func (r Recalled) Line() string { return fmt.Sprintf("[L:%s] %s", r.ID, r.Statement) }

// DefaultLimit is how many entries Recall returns when nothing else was asked for.
const DefaultLimit = 20

// Recall returns what is known about the paths: facts, lessons and rejected preferences whose scope covers one of them,
// the narrowest scope first, then the most useful, then the youngest. No path means the whole project.
func (s Store) Recall(paths []string, limit int) ([]Recalled, error) {
	return s.best(paths, limit, func(k Kind) bool { return k == Fact || k == Lesson || k == Rejected })
}

// AboutFile returns what is known about one file for a reader of it: facts, lessons, preferences, open debt, earlier findings.
func (s Store) AboutFile(file string, limit int) ([]Recalled, error) {
	return s.best([]string{file}, limit, Kind.subject)
}

func (s Store) best(paths []string, limit int, want func(Kind) bool) ([]Recalled, error) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	x, err := s.index()
	if err != nil {
		return nil, err
	}
	s.saveIndex(x)
	near := x.nearness(paths)
	var rows []row
	for _, r := range x.rows {
		if !r.gone && want(r.kind) && near[r.scope] > 0 {
			rows = append(rows, r)
		}
	}
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		return cmp.Or(cmp.Compare(near[b.scope], near[a.scope]), cmp.Compare(b.score, a.score), cmp.Compare(b.at, a.at), cmp.Compare(b.offset, a.offset)) < 0
	})
	return s.read(rows[:min(limit, len(rows))])
}

// read fetches the entries of rows from the store.
func (s Store) read(rows []row) ([]Recalled, error) {
	all := []Recalled{}
	if len(rows) == 0 {
		return all, nil
	}
	f, err := os.Open(s.path())
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	for _, r := range rows {
		n, _ := f.ReadAt(buf, r.offset)
		line, _, _ := bytes.Cut(buf[:n], []byte("\n"))
		var e Entry
		if json.Unmarshal(line, &e) != nil || idNumber(e.ID) != r.id {
			return nil, fmt.Errorf("%s: the index does not fit the store; remove %s", s.path(), indexName)
		}
		all = append(all, Recalled{Entry: e, Score: int(r.score)})
	}
	return all, nil
}

// nearness says for every scope how narrowly it covers one of the paths: 0 not at all, more the more of the path it names.
func (x *index) nearness(paths []string) []int {
	near := make([]int, len(x.scopes))
	for i, scope := range x.scopes {
		for _, p := range paths {
			near[i] = max(near[i], covers(scope, path.Clean(strings.ReplaceAll(p, `\`, "/"))))
		}
		if len(paths) == 0 {
			near[i] = 1
		}
	}
	return near
}

// covers is 0 when the scope does not hold the file, else 1 and one more for every part of the path it spells out.
func covers(scope, file string) int {
	if name, isFile := strings.CutPrefix(scope, exactly); isFile {
		if name == file {
			return 1000
		}
		return 0
	}
	if scope == "" || scope == "**" || scope == "." {
		return 1
	}
	literal := scope
	if i := strings.IndexAny(scope, `*?[{\`); i >= 0 {
		literal = scope[:i]
	}
	if !strings.HasPrefix(file, literal) && literal != scope {
		return 0
	}
	switch {
	case scope == file:
		return 1000
	case literal == scope: // a directory
		if strings.HasPrefix(file, strings.TrimSuffix(scope, "/")+"/") {
			return 2 + strings.Count(strings.TrimSuffix(scope, "/"), "/")
		}
		return 0
	}
	if ok, err := doublestar.Match(scope, file); err != nil || !ok {
		return 0
	}
	return 1 + strings.Count(literal, "/") + boolInt(!strings.HasSuffix(scope, "*"))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// PriorArt returns earlier findings that are like an issue in a file, the likest first: same file before others, then the
// share of words in common.
func (s Store) PriorArt(file, issue string, limit int) ([]Recalled, error) {
	if limit <= 0 {
		limit = 5
	}
	entries, _, err := s.Entries(Prior)
	if err != nil {
		return nil, err
	}
	type match struct {
		e    Entry
		like float64
	}
	var all []match
	want := words(issue)
	for _, e := range entries {
		like := common(want, words(e.Statement))
		switch {
		case e.File == file:
			like += 0.3
		case path.Dir(e.File) == path.Dir(file):
			like += 0.1
		}
		if like >= 0.35 || e.File == file && issue == "" {
			all = append(all, match{e, like})
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		return cmp.Or(cmp.Compare(all[j].like, all[i].like), cmp.Compare(all[j].e.At, all[i].e.At)) < 0
	})
	out := []Recalled{}
	for _, m := range all[:min(limit, len(all))] {
		out = append(out, Recalled{Entry: m.e})
	}
	return out, nil
}

func words(text string) []string {
	all := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c <= 127 && (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	all = slices.DeleteFunc(all, func(w string) bool { return len(w) < 3 })
	slices.Sort(all)
	return slices.Compact(all)
}

func common(a, b []string) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	n := 0
	for _, w := range a {
		if _, found := slices.BinarySearch(b, w); found {
			n++
		}
	}
	return float64(n) / float64(min(len(a), len(b)))
}

// Told is a finding as prior art: where it was, what came of it and why.
func (r Recalled) Told() string {
	text := fmt.Sprintf("%s (%s:%d, %s", r.Statement, r.File, r.Entry.Line, r.Outcome)
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text + ")"
}
