package run

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"viber/internal/gitx"
)

// Candidate is something that can be taken up again: a run that is not done, or the branch's own changes.
type Candidate struct {
	Kind     string    `json:"kind"` // run or branch
	ID       int       `json:"id,omitempty"`
	Key      string    `json:"key,omitempty"`
	Project  string    `json:"project"`
	Task     string    `json:"task,omitempty"`
	Branch   string    `json:"branch,omitempty"`
	Phase    string    `json:"phase,omitempty"`
	Status   string    `json:"status"`
	Duration string    `json:"duration,omitempty"`
	History  string    `json:"history,omitempty"`
	Question *Question `json:"question,omitempty"`
	Next     string    `json:"next"` // what the agent does next
}

// Offer is what resume has to say: the candidates and, when there is only one, the way out.
type Offer struct {
	Candidates []Candidate `json:"candidates"`
	WayOut     *WayOut     `json:"wayOut,omitempty"`
	CutOff     *CutOff     `json:"cutOff,omitempty"` // a commit to finish first
}

// WayOut is the second choice beside a single candidate.
type WayOut struct {
	Label   string `json:"label"`
	Command string `json:"command"`
}

// ResumeOptions widen what counts: All drops the status filter, RunsOnly leaves the branch's changes out.
type ResumeOptions struct{ All, RunsOnly bool }

// Resumable lists what can be taken up again in this project.
func (c StateCall) Resumable(ctx context.Context, o ResumeOptions) (Offer, error) {
	p := c.place()
	var offer Offer
	if cut, ok := FindCutOff(p.Root); ok {
		offer.CutOff = &cut
	}
	for _, key := range c.keys(p) {
		cand, open, err := c.candidate(p, key)
		if err != nil {
			c.warn("%v", err)
			continue
		}
		if open || o.All {
			offer.Candidates = append(offer.Candidates, cand)
		}
	}
	if branch, ok := c.branchDiff(ctx, p, offer.Candidates); ok && !o.RunsOnly {
		offer.Candidates = append(offer.Candidates, branch)
	}
	if len(offer.Candidates) == 1 {
		offer.WayOut = wayOut(offer.Candidates[0].Kind, o)
	}
	return offer, nil
}

func wayOut(kind string, o ResumeOptions) *WayOut {
	switch {
	case kind == "run" && !o.All:
		return &WayOut{"Show every run", "viber resume --all"}
	case kind == "branch" && !o.RunsOnly:
		return &WayOut{"Pick a stopped run instead", "viber resume --runs"}
	}
	return nil
}

// candidate describes a run; open is false when it is done.
func (c StateCall) candidate(p Place, key string) (Candidate, bool, error) {
	return c.describe(p, c.found(p, key, p.StateDir(key)))
}

func (c StateCall) describe(p Place, f Stored) (Candidate, bool, error) {
	key := f.Key
	s, _, err := f.Load()
	if err != nil {
		return Candidate{}, false, err
	}
	out := Candidate{Kind: "run", Key: key, Project: p.Root, Task: s.Task, Branch: s.Branch, Phase: s.Phase, Status: string(s.Status), Question: s.PendingQuestion, Duration: s.duration(c.Now())}
	out.ID, err = c.numberOf(f)
	if err != nil {
		return out, false, err
	}
	out.fromPlan(f)
	if out.Status == "running" && s.ownerGone() {
		out.Status = "stopped"
	}
	out.History = s.history(out.Task, key, c.prices())
	out.Next = f.next(s)
	return out, out.Status != "done", nil
}

// fromPlan fills what the state does not say from the plan and its progress.
func (c *Candidate) fromPlan(f Stored) {
	r, err := f.Plan()
	if err != nil {
		if c.Status == "" {
			c.Status = "stopped"
		}
		return
	}
	ids := r.Plan.IDs()
	done, skipped := r.Status.Progress(ids)
	if c.Task == "" {
		c.Task = r.Plan.Title
	}
	if c.Phase == "" && len(ids) > 0 {
		c.Phase = fmt.Sprintf("%d/%d tasks", done, len(ids))
	}
	if c.Status == "" {
		c.Status = "stopped"
		if len(ids) > 0 && done+skipped == len(ids) && r.Status.Closed.Text != "" {
			c.Status = "done"
		}
	}
}

func (s RunState) ownerGone() bool {
	if s.Owner == nil || s.Owner.PID <= 0 {
		return false
	}
	host, _ := os.Hostname()
	return (s.Owner.Host == "" || s.Owner.Host == host) && !alive(s.Owner.PID)
}

func (s RunState) duration(now time.Time) string {
	start, err := time.Parse(time.RFC3339, string(s.StartedAt))
	if err != nil {
		return ""
	}
	end := now
	if s.Status != "running" {
		if t, err := time.Parse(time.RFC3339, string(s.UpdatedAt)); err == nil {
			end = t
		}
	}
	return elapsed(int(end.Sub(start).Seconds()))
}

func elapsed(seconds int) string {
	switch {
	case seconds < 60:
		return fmt.Sprintf("%ds", seconds)
	case seconds < 3600:
		return fmt.Sprintf("%dm", seconds/60)
	}
	return fmt.Sprintf("%dh%02dm", seconds/3600, seconds/60%60)
}

// history is one line about what earlier sessions did.
func (s RunState) history(task, key string, t Prices) string {
	var done []string
	seconds := 0
	for _, name := range s.phaseNames() {
		ph := s.Phases[name]
		seconds += ph.Elapsed
		if ph.Status == "completed" || ph.Status == "skipped" {
			done = append(done, name)
		}
	}
	if len(done) == 0 {
		return ""
	}
	in, out := 0, 0
	for _, u := range s.Cost {
		in, out = in+u.In, out+u.Out
	}
	line := fmt.Sprintf("Continuing %s: %s finished earlier (%s", first(task, key), strings.Join(done, ", "), elapsed(seconds))
	if in+out > 0 {
		line += fmt.Sprintf(", %.1fk tok", float64(in+out)/1000)
		if usd, known := s.price(t); known {
			line += fmt.Sprintf(", ~$%.2f estimated", usd)
		}
	}
	return line + ")"
}

// prices are those of ReadPrices; a table of the user that cannot be read is warned about.
func (c StateCall) prices() Prices {
	t, err := ReadPrices(c.ConfigDir)
	if err != nil {
		c.warn("%v", err)
	}
	return t
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// next is what the agent does to take the run up.
func (f Stored) next(s RunState) string {
	if q := s.PendingQuestion; q != nil {
		return fmt.Sprintf("ask the question, then viber answer %s --answer ID (%s)", f.Key, q.choices())
	}
	if s.tripped() && !s.decided() {
		return "viber rework clear --run " + f.Key + " (a person's decision: the run went in circles)"
	}
	r, err := f.Plan()
	if err != nil {
		return "viber run state get " + f.Key
	}
	return "skill viber:implementor with " + r.Dir + "/plan.md (state: existing)"
}

// decided reports whether a person answered a question after the circuit breaker tripped.
func (s RunState) decided() bool {
	return s.LastAnswer != nil && s.LastAnswer.At >= s.CircuitBreaker.TrippedAt
}

// branchDiff is the candidate of work that no run owns: changes of the current branch against its base.
func (c StateCall) branchDiff(ctx context.Context, p Place, runs []Candidate) (Candidate, bool) {
	if !p.InGit {
		return Candidate{}, false
	}
	branch, ok := p.git.Branch(ctx, p.Layout)
	if !ok {
		return Candidate{}, false
	}
	for _, r := range runs {
		if r.Branch == branch {
			return Candidate{}, false
		}
	}
	base := baseOf(ctx, p.git, branch)
	if base == "" {
		return Candidate{}, false
	}
	res, err := p.git.Read(ctx, "diff", "--no-ext-diff", "--quiet", base+"...HEAD", "--")
	if err != nil || res.Code != 1 {
		return Candidate{}, false
	}
	return Candidate{Kind: "branch", Project: p.Root, Branch: branch, Status: "unreviewed",
		Next: fmt.Sprintf("build and run the tests (say \"no tests present\" when there are none), then skill viber:review with %s; a pull request only if none exists", branch)}, true
}

// baseOf is the branch that this one left: the remote's default branch or a usual name, none when that is this branch.
func baseOf(ctx context.Context, git gitx.Git, branch string) string {
	if text, err := git.Out(ctx, "symbolic-ref", "--short", "refs/remotes/origin/HEAD"); err == nil && text != "" && strings.TrimPrefix(text, "origin/") != branch {
		return text
	}
	for _, name := range []string{"origin/main", "origin/master", "origin/develop", "main", "master", "develop"} {
		if strings.TrimPrefix(name, "origin/") == branch {
			return ""
		}
		if _, err := git.Out(ctx, "rev-parse", "--verify", "--quiet", name+"^{commit}"); err == nil {
			return name
		}
	}
	return ""
}
