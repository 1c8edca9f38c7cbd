package run

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Index is what `viber plan-index` tells about a run (spec plan 6.3); its JSON form is `viber plan-index --json`.
type Index struct {
	Plan        string     `json:"plan"`
	Title       string     `json:"title"`
	Done        int        `json:"done"`
	Total       int        `json:"total"`
	Skipped     string     `json:"skipped,omitempty"`
	Unreviewed  string     `json:"unreviewed,omitempty"`
	Deferred    string     `json:"deferred,omitempty"`
	Closed      string     `json:"closed,omitempty"`
	Decisions   []string   `json:"decisions,omitempty"`
	Rulings     []string   `json:"rulings,omitempty"`
	Next        *Next      `json:"next,omitempty"`
	Tasks       []Row      `json:"tasks"`
	Orphans     []string   `json:"orphans,omitempty"`
	Criteria    []JSONItem `json:"criteria,omitempty"`
	Contracts   []JSONItem `json:"contracts,omitempty"`
	Constraints []string   `json:"constraints,omitempty"`
	Focus       []Focus    `json:"review_focus,omitempty"`
}

// Next is the roadmap entry that follows this plan.
type Next struct {
	Part int    `json:"part"`
	Of   int    `json:"of"`
	Name string `json:"name"`
}

// Row is one task of the index.
type Row struct {
	ID        string   `json:"id"`
	State     State    `json:"state"`
	TDD       string   `json:"tdd"`
	Exclusive bool     `json:"exclusive"`
	Hard      bool     `json:"hard"`
	Deps      []string `json:"deps"`
	Feeds     []string `json:"feeds"`
	Files     []string `json:"files"`
	Title     string   `json:"title"`
	Verify    string   `json:"verify"`
	DoD       []string `json:"dod"`
	Covers    []string `json:"covers"`
	Uses      []string `json:"uses"`
	Repro     string   `json:"repro,omitempty"`
	Dirty     []string `json:"dirty,omitempty"`
	Line      int      `json:"line"`
	EndLine   int      `json:"end_line"`
}

// JSONItem is a criterion or contract of the model, with its first line in the plan.
type JSONItem struct {
	ID    string   `json:"id"`
	Text  string   `json:"text"`
	Files []string `json:"files,omitempty"`
	Line  int      `json:"line"`
}

// Index computes the index of the run. changed are the paths git reports, in its order; own is the run's directory
// relative to the repository, "" when the plan lies at its top.
func (r *Run) Index(changed []string, own string) *Index {
	p, s := r.Plan, r.Status
	ix := &Index{Plan: p.Path, Title: p.Title, Total: len(p.Tasks), Skipped: s.Skipped.Text, Unreviewed: s.Unreviewed.Text,
		Deferred: s.Deferred.Text, Closed: s.Closed.Text, Rulings: r.Rulings, Focus: p.Focus}
	for _, d := range s.Decisions {
		ix.Decisions = append(ix.Decisions, d.Raw)
	}
	if name, n, of, ok := p.NextPart(); ok {
		ix.Next = &Next{Part: n, Of: of, Name: name}
	}
	states, feeds := s.States(), p.feeds()
	for i, t := range p.Tasks {
		row := newRow(t, states[t.ID], feeds[i])
		if row.State == Done {
			ix.Done++
		}
		ix.Tasks = append(ix.Tasks, row)
	}
	ix.claim(p, changed, own)
	ix.describe(p)
	return ix
}

func newRow(t *Task, state State, feeds []string) Row {
	if state == "" {
		state = Todo
	}
	dod := t.Clauses()
	if dod == nil {
		dod = []string{}
	}
	return Row{ID: t.ID, State: state, TDD: t.TDD.Value, Exclusive: t.IsExclusive(), Hard: t.IsHard(), Deps: texts(t.Deps),
		Feeds: feeds, Files: texts(t.Paths), Title: t.Title, Verify: t.Command(), DoD: dod, Covers: texts(t.CoversIDs),
		Uses: texts(t.UsesIDs), Repro: t.ReproPath(), Line: t.Open, EndLine: t.To}
}

func texts(entries []Entry) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = e.Text
	}
	return out
}

// feeds lists for each task the contract blocks it declares and how many other tasks use each: "<id>:<count>".
func (p *Plan) feeds() [][]string {
	feeds := make([][]string, len(p.Tasks))
	for i := range feeds {
		feeds[i] = []string{}
	}
	users := make(map[string][]int)
	holders := make(map[string][]int)
	for i, t := range p.Tasks {
		for _, e := range t.UsesIDs {
			users[e.Text] = appendOnce(users[e.Text], i)
		}
		for _, e := range t.Paths {
			holders[samePath(e.Text)] = appendOnce(holders[samePath(e.Text)], i)
		}
	}
	for _, c := range p.Contracts {
		uses := make(map[int]bool, len(users[c.ID]))
		for _, u := range users[c.ID] {
			uses[u] = true
		}
		fed := make(map[int]bool)
		for _, e := range c.Paths {
			for _, h := range holders[samePath(e.Text)] {
				others := len(uses)
				if uses[h] {
					others--
				}
				if others > 0 && !fed[h] {
					fed[h] = true
					feeds[h] = append(feeds[h], fmt.Sprintf("%s:%d", c.ID, others))
				}
			}
		}
	}
	return feeds
}

// appendOnce appends i unless it is the last element already; tasks come in order.
func appendOnce(list []int, i int) []int {
	if n := len(list); n > 0 && list[n-1] == i {
		return list
	}
	return append(list, i)
}

// claim gives each changed path to the tasks that are not done and list it; the rest outside own are orphans. A Repro path
// is claimed but shown nowhere.
func (ix *Index) claim(p *Plan, changed []string, own string) {
	if len(changed) == 0 {
		return
	}
	dirty := make(map[string]string, len(changed))
	for _, path := range changed {
		dirty[samePath(path)] = path
	}
	claimed := make(map[string]bool)
	for i, t := range p.Tasks {
		row := &ix.Tasks[i]
		if row.State == Done {
			continue
		}
		for _, e := range t.Paths {
			key := samePath(e.Text)
			claimed[key] = true
			if _, ok := dirty[key]; ok && e.Text != row.Repro {
				row.Dirty = append(row.Dirty, e.Text)
			}
		}
	}
	for _, path := range changed {
		if !claimed[samePath(path)] && (own == "" || !strings.HasPrefix(path, own+"/")) {
			ix.Orphans = append(ix.Orphans, path)
		}
	}
}

func (ix *Index) describe(p *Plan) {
	for _, c := range p.Criteria {
		ix.Criteria = append(ix.Criteria, JSONItem{ID: c.Number, Text: trim(strings.TrimPrefix(c.Text, c.Number+".")), Line: c.Line})
	}
	for _, c := range p.Contracts {
		ix.Contracts = append(ix.Contracts, JSONItem{ID: c.ID, Text: c.Name, Files: texts(c.Paths), Line: c.Line})
	}
	for _, e := range p.Constraints {
		ix.Constraints = append(ix.Constraints, e.Text)
	}
}

// Write prints the index as the contract lists it.
func (ix *Index) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "plan: %s\ntitle: %s\nprogress: %d/%d\n", ix.Plan, ix.Title, ix.Done, ix.Total)
	for _, l := range []struct{ key, text string }{
		{"skipped", ix.Skipped}, {"unreviewed", ix.Unreviewed}, {"deferred", ix.Deferred}, {"closed", ix.Closed},
	} {
		if l.text != "" {
			fmt.Fprintf(w, "%s: %s\n", l.key, l.text)
		}
	}
	for _, d := range ix.Decisions {
		fmt.Fprintln(w, d)
	}
	for _, r := range ix.Rulings {
		fmt.Fprintf(w, "ruling: %s\n", r)
	}
	if ix.Next != nil {
		fmt.Fprintf(w, "next: part %d of %d - %s\n", ix.Next.Part, ix.Next.Of, ix.Next.Name)
	}
	ix.writeTasks(w)
	if len(ix.Orphans) > 0 {
		fmt.Fprintf(w, "orphan: %s\n", strings.Join(ix.Orphans, ","))
	}
	return w.Flush()
}

func (ix *Index) writeTasks(w io.Writer) {
	fmt.Fprintln(w, "tasks: id | state | tdd | excl | hard | deps | feeds | files | title")
	for _, r := range ix.Tasks {
		fmt.Fprintln(w, strings.Join([]string{r.ID, string(r.State), r.TDD, yes(r.Exclusive), yes(r.Hard),
			orDash(r.Deps), orDash(r.Feeds), strings.Join(r.Files, ","), r.Title}, " | "))
	}
	for _, r := range ix.Tasks {
		fmt.Fprintf(w, "verify: %s | %s\n", r.ID, r.Verify)
	}
	for _, r := range ix.Tasks {
		if len(r.Dirty) > 0 {
			fmt.Fprintf(w, "dirty: %s | %s\n", r.ID, strings.Join(r.Dirty, ","))
		}
	}
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "-"
}

func orDash(list []string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ",")
}
