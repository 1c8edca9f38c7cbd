package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/exit"
	"viber/internal/gitx"
)

// Summary is one run in the list of `viber runs`.
type Summary struct {
	Key     string    `json:"key"`
	Title   string    `json:"title"`
	State   string    `json:"state"` // open, done, draft
	Done    int       `json:"done"`
	Skipped int       `json:"skipped"`
	Total   int       `json:"total"`
	Branch  string    `json:"branch,omitempty"`
	Touched time.Time `json:"touched"`
	Session string    `json:"session,omitempty"`
	Plan    string    `json:"plan"`
}

// Summaries returns the runs of the project at root, the one touched last first.
func Summaries(root string) ([]Summary, error) {
	place := Call{Dir: root}.place()
	s, err := place.survey(place.runsDir())
	if err != nil {
		return nil, err
	}
	return place.summaries(s), nil
}

func (p Place) summaries(s Survey) []Summary {
	var list []Summary
	for _, f := range s.Runs {
		list = append(list, p.summary(f))
	}
	sortLatest(list)
	return list
}

// OpenRuns returns the runs with tasks left, the one touched last first. root is the top of the project.
func OpenRuns(root string) ([]Summary, error) {
	if _, err := os.Stat(onDisk(root, Place{Root: root}.runsDir())); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // what a session start asks of most projects
	}
	all, err := Summaries(root)
	var open []Summary
	for _, s := range all {
		if s.State == "open" {
			open = append(open, s)
		}
	}
	return open, err
}

func (p Place) summary(f Found) Summary {
	plan := f.Read()
	s := Summary{Key: f.Key, Title: plain(plan.Title), State: f.State(), Done: f.Done, Skipped: f.Skipped, Total: f.Total,
		Branch: plain(plan.Front.WantsBranch()), Touched: f.Touched, Plan: f.Plan}
	if owner, ok := Owner(p.Root, f.Key); ok {
		s.Session = plain(owner.ID)
	}
	return s
}

// ListRuns is `viber runs`.
func ListRuns(c Call, asJSON bool) error {
	place := c.place()
	found, err := place.survey(place.runsDir())
	if err != nil {
		return err
	}
	c.warnCutOff(place.Root)
	c.warnUnreadable(found)
	list := place.summaries(found)
	if asJSON {
		if list == nil {
			list = []Summary{}
		}
		return writeJSON(c.Out, list)
	}
	if len(list) == 0 {
		_, err := fmt.Fprintf(c.Out, "no runs in %s; an approved plan lands there with /viber:build\n", place.runsDir())
		return err
	}
	rows := [][]string{{"KEY", "STATE", "DONE", "BRANCH", "AGE", "SESSION", "TITLE"}}
	for _, s := range list {
		rows = append(rows, []string{s.Key, s.State, s.progress(), orDashText(s.Branch), age(c.Now().Sub(s.Touched)),
			orDashText(shortSession(s.Session)), orDashText(s.Title)})
	}
	_, err = c.Out.Write([]byte(table(rows)))
	return err
}

func (s Summary) progress() string {
	switch {
	case s.State == "draft":
		return "-"
	case s.Skipped > 0:
		return fmt.Sprintf("%d/%d (%d skipped)", s.Done, s.Total, s.Skipped)
	}
	return fmt.Sprintf("%d/%d", s.Done, s.Total)
}

// Details is what `viber runs show` tells about one run.
type Details struct {
	Summary
	Tasks      []Row      `json:"tasks"`
	Waits      []Wait     `json:"waits,omitempty"`
	Unreviewed []string   `json:"unreviewed,omitempty"`
	Deferred   []Deferral `json:"deferred,omitempty"`
	Decisions  []Decision `json:"decisions,omitempty"`
	Rulings    []string   `json:"rulings,omitempty"`
	Closed     []string   `json:"closed,omitempty"`
	Orphans    []string   `json:"orphans,omitempty"`
	Findings   []Finding  `json:"findings,omitempty"`
	Next       *Next      `json:"next,omitempty"`
	Question   *Question  `json:"question,omitempty"`
	NextStep   string     `json:"next_step"`
	Resume     string     `json:"resume"`
}

// Wait is a task that waits for others.
type Wait struct {
	Task string   `json:"task"`
	For  []string `json:"for"`
}

// ShowRun is `viber runs show KEY`; an empty key means the run touched last. Unknown keys end 2.
func ShowRun(ctx context.Context, c Call, key string, asJSON bool) error {
	place := c.place()
	s, err := place.survey(place.runsDir())
	if err != nil {
		return err
	}
	c.warnCutOff(place.Root)
	f, err := s.pick(key)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	d, err := place.details(ctx, f)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(c.Out, d)
	}
	_, err = c.Out.Write([]byte(d.text(c.Now())))
	return err
}

// pick finds a run by its key, by the end of it, or by the path of its plan or directory.
func (s Survey) pick(key string) (Found, error) {
	if key == "" {
		if f, ok := s.Latest(func(Found) bool { return true }); ok {
			return f, nil
		}
		return Found{}, fmt.Errorf("no runs in %s", s.Dir)
	}
	want := strings.TrimSuffix(strings.TrimSuffix(slashes(key), "/plan.md"), "/")
	if f, ok := s.Get(path.Base(want)); ok {
		return f, nil
	}
	var like []string
	var found Found
	for _, f := range s.Runs {
		if strings.HasSuffix(f.Key, "_"+key) {
			found, like = f, append(like, f.Key)
		}
	}
	switch len(like) {
	case 0:
		return Found{}, fmt.Errorf("no run %q in %s; viber runs lists them", key, s.Dir)
	case 1:
		return found, nil
	}
	return Found{}, fmt.Errorf("%q could be any of %s; name one", key, strings.Join(like, ", "))
}

func (p Place) details(ctx context.Context, f Found) (*Details, error) {
	r, err := LoadRun(p.Root, path.Dir(f.Plan))
	if err != nil {
		return nil, err
	}
	d := &Details{Summary: p.summary(f), Unreviewed: r.Status.Unreviewed.IDs(), Deferred: r.Status.Deferrals(),
		Decisions: r.Status.Decisions, Rulings: r.Rulings, Closed: r.Status.Closed.IDs()}
	if r.Plan.Draft() {
		d.NextStep = "finish the draft"
		d.Resume = "/viber:intent " + f.Plan
		return d, nil
	}
	d.Findings = r.Plan.Validate(Check{Frozen: true, InTree: p.inTree})
	var changes []gitx.Change
	if p.InGit {
		if changes, err = p.git.Changes(ctx); err != nil {
			return nil, err
		}
	}
	ix := r.Index(gitx.Paths(changes), path.Dir(f.Plan))
	d.Tasks, d.Orphans, d.Next = ix.Tasks, ix.Orphans, ix.Next
	d.look()
	d.ask(StateFile{Path: filepath.Join(p.StateDir(f.Key), StateName)})
	return d, nil
}

// ask puts the question a parked run waits on in front of what comes next. A state that cannot be read asks nothing.
func (d *Details) ask(f StateFile) {
	s, _, err := f.Read()
	if err != nil || s.PendingQuestion == nil {
		return
	}
	d.Question = s.PendingQuestion
	d.NextStep = fmt.Sprintf("answer the question: viber answer %s --answer ID (%s)", d.Key, d.Question.choices())
}

// look works out who waits for whom, and what comes next.
func (d *Details) look() {
	done := make(map[string]bool)
	for _, t := range d.Tasks {
		done[t.ID] = t.State == Done
	}
	var ready []string
	for _, t := range d.Tasks {
		if t.State != Todo {
			continue
		}
		var waits []string
		for _, dep := range t.Deps {
			if !done[dep] {
				waits = append(waits, dep)
			}
		}
		if len(waits) > 0 {
			d.Waits = append(d.Waits, Wait{Task: t.ID, For: waits})
		} else {
			ready = append(ready, t.ID)
		}
	}
	d.Resume = "/viber:resume " + d.Key
	switch {
	case len(d.Findings) > 0:
		d.NextStep = "repair the plan: viber runs validate " + d.Plan
	case len(ready) > 0:
		d.NextStep = "build " + strings.Join(ready, ", ")
	case len(d.Waits) > 0:
		d.NextStep = "nothing can be built: the tasks left wait for skipped ones"
	case d.Next != nil:
		d.NextStep = fmt.Sprintf("close the run, then part %d of %d: %s", d.Next.Part, d.Next.Of, d.Next.Name)
	default:
		d.NextStep = "close the run"
	}
}

// ValidatePlan is `viber runs validate PLAN`: every finding, sorted by line. A plan with findings ends 1, a missing one 2.
func ValidatePlan(c Call, name string, asJSON bool) error {
	place := c.place()
	text, err := readText(place.Dir, slashes(name))
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	p := ParsePlan(slashes(name), text)
	found := p.Validate(Check{InTree: place.inTree})
	sortFindings(found)
	if asJSON {
		if found == nil {
			found = []Finding{}
		}
		err := writeJSON(c.Out, struct {
			Plan     string    `json:"plan"`
			Valid    bool      `json:"valid"`
			Tasks    int       `json:"tasks"`
			Findings []Finding `json:"findings"`
		}{p.Path, len(found) == 0, len(p.Tasks), found})
		return errors.Join(err, exit.Status(min(len(found), 1)))
	}
	if len(found) == 0 {
		_, err := fmt.Fprintf(c.Out, "%s: %s, no findings\n", p.Path, counted(len(p.Tasks), "task"))
		return err
	}
	for _, f := range found {
		fmt.Fprintln(c.Out, oneLine(f.String()))
	}
	return exit.With(exit.Failed, fmt.Errorf("%s: %s", p.Path, counted(len(found), "finding")))
}

// counted is a number with what it counts: "1 task", "2 tasks".
func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
