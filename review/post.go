package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"viber/forge"
	"viber/gate"
	"viber/internal/exit"
	"viber/internal/fsx"
)

// PostOptions say what to post where. Head is the commit that was reviewed; empty: what the review's directory recorded.
type PostOptions struct {
	Triage string
	Ref    forge.Reference
	Dir    string // of the review; empty: the one of Ref
	Head   string
	DryRun bool
	// Consent is asked with what would be sent, before anything is; its error ends the post.
	Consent func(Posting) error
}

// Posting is what a post sends, or has sent.
type Posting struct {
	// ID names exactly these requests on this commit.
	ID       string          `json:"id"`
	Ref      forge.Reference `json:"ref"`
	Head     string          `json:"head"`
	Verdict  forge.Verdict   `json:"verdict"`
	Inline   int             `json:"inline"`
	General  int             `json:"general"`
	Already  int             `json:"already"`
	Requests []forge.Request `json:"requests"`
	Sent     int             `json:"sent"`
	// Notes say what was left out, and why.
	Notes []string `json:"notes"`

	host forge.Pulls
	pull forge.Pull
}

// Post puts the accepted findings of a triage on a pull request, at their lines, and then the verdict (gates contract, 5).
// What the user's account has posted before is not posted again. It closes, merges and resolves nothing.
func (w World) Post(ctx context.Context, o PostOptions) (Posting, error) {
	t, err := readTriage(o.Triage)
	if err != nil {
		return Posting{}, err
	}
	findings := accepted(t)
	if err := noSecrets(findings); err != nil {
		return Posting{}, err
	}
	p, d, err := w.prepare(ctx, o)
	if err != nil {
		return Posting{}, err
	}
	if err := w.plan(ctx, &p, d, t, findings); err != nil || o.DryRun || len(p.Requests) == 0 {
		return p, err
	}
	if err := o.Consent(p); err != nil {
		return p, err
	}
	return p, w.sendAlone(ctx, &p, d, t, findings)
}

// sendAlone sends while no other post of this review does, and only when what was agreed to is still what is missing: another
// post may have come first.
func (w World) sendAlone(ctx context.Context, p *Posting, d Diff, t gate.Triage, findings []gate.Finding) error {
	unlock, err := fsx.Lock(filepath.Join(d.Dir, "post.lock"), time.Second)
	if err != nil {
		return exit.With(exit.Refused, fmt.Errorf("another post of this review is under way: %w", err))
	}
	defer unlock()
	at, err := p.host.Pull(ctx, p.pull.Reference) // people take their time to agree
	if err != nil {
		return err
	}
	if err := p.stands(at, p.Head); err != nil {
		return err
	}
	now := Posting{Ref: p.Ref, Head: p.Head, host: p.host, pull: p.pull}
	if err := w.plan(ctx, &now, d, t, findings); err != nil {
		return err
	}
	if now.ID != p.ID {
		return exit.With(exit.Refused, fmt.Errorf("%s was commented on meanwhile, so something else is missing there now; nothing was posted: look again with --dry-run", p.Ref.URL))
	}
	return w.send(ctx, p)
}

// name gives the posting the id by which its exact requests are agreed to.
func (p *Posting) name() error {
	text, err := json.Marshal([]any{p.Ref.URL, p.Head, p.Requests})
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	p.ID = hex.EncodeToString(sum[:])[:12]
	return nil
}

// readTriage reads a triage that its gate lets through.
func readTriage(path string) (gate.Triage, error) {
	var t gate.Triage
	text, err := fsx.Read(path)
	if err == nil && text == nil {
		err = fmt.Errorf("%s: there is no such triage; 'viber review round end' writes one", path)
	}
	if err != nil {
		return t, exit.With(exit.Refused, err)
	}
	res := gate.CheckTriage(gate.TriageOptions{File: path})
	if res.Exit != gate.Valid {
		return t, exit.With(exit.Refused, fmt.Errorf("%s does not pass its gate, so nothing is posted:\n%s", path, res.Text()))
	}
	return t, json.Unmarshal(text, &t)
}

// accepted are the findings to post, each with its identity and each once.
func accepted(t gate.Triage) []gate.Finding {
	var all []gate.Finding
	for _, a := range t.Accepted {
		all = append(all, a.Finding)
	}
	var once []gate.Finding
	known := map[gate.Fingerprint]bool{}
	for _, f := range gate.Annotate(all, nil, gate.Look{}) {
		if !known[f.Fingerprint] {
			once = append(once, f)
		}
		known[f.Fingerprint] = true
	}
	return once
}

// prepare reads the pull request and makes sure that it still stands where it was reviewed.
func (w World) prepare(ctx context.Context, o PostOptions) (Posting, Diff, error) {
	host, ref, err := w.Places.Host(ctx, o.Ref)
	if err != nil {
		return Posting{}, Diff{}, exit.With(exit.Refused, err)
	}
	w.progress("asking %s", host.Name())
	pull, err := host.Pull(ctx, ref)
	if err != nil {
		return Posting{}, Diff{}, err
	}
	if o.Dir == "" {
		o.Dir = filepath.Join(w.Root, ".temp", "viber", "review", dirName(pull.Reference))
	}
	d, err := ReadDiff(o.Dir)
	if err != nil {
		return Posting{}, Diff{}, exit.With(exit.Refused, fmt.Errorf("%s was not reviewed here: run 'viber review diff' on it first (%w)", pull.URL, err))
	}
	if d.Ref.URL != pull.URL {
		return Posting{}, Diff{}, exit.With(exit.Refused, fmt.Errorf("%s holds the review of %s, not of %s", o.Dir, d.Ref.URL, pull.URL))
	}
	if o.Head != "" {
		d.Head = o.Head
	}
	p := Posting{Ref: pull.Reference, Head: pull.Head, host: host, pull: pull, Requests: []forge.Request{}, Notes: []string{}}
	return p, d, p.stands(pull, d.Head)
}

// stands refuses a pull request that is closed or has moved.
func (p Posting) stands(now forge.Pull, reviewed string) error {
	switch {
	case !now.Open:
		return exit.With(exit.Refused, fmt.Errorf("%s is not open any more; nothing was posted", now.URL))
	case now.Head != reviewed:
		return exit.With(exit.Refused, fmt.Errorf("%s stands at %s now, and %s was reviewed; nothing was posted: review it again", now.URL, short(now.Head), short(reviewed)))
	}
	return nil
}

func short(commit string) string { return commit[:min(len(commit), 12)] }

// plan turns findings and verdict into the requests that are still to be made.
func (w World) plan(ctx context.Context, p *Posting, d Diff, t gate.Triage, findings []gate.Finding) error {
	lines, err := indexFile(d.Whole, true)
	if err != nil {
		return exit.With(exit.Refused, err)
	}
	said, err := p.host.Said(ctx, p.pull)
	if err != nil {
		return err
	}
	var out forge.Outcome
	before := posted(said.Texts)
	for _, f := range findings {
		look := lines.Anchor
		if f.Side == gate.OldSide {
			look = lines.AnchorOld
		}
		a, shown := look(string(f.File), int(f.Line))
		switch {
		case before[f.Fingerprint]:
			p.Already++
		case shown:
			p.Inline++
			out.Notes = append(out.Notes, forge.Note{Text: noteText(f), Anchor: a})
		default:
			p.General++
			out.General = append(out.General, generalText(f))
		}
	}
	out.Verdict = p.verdict(said, t, d.Head)
	out.Text = verdictText(out.Verdict, len(findings))
	if p.Inline+p.General > 0 || out.Verdict != forge.NoVerdict {
		p.Requests = append(p.Requests, p.host.Outbox(p.pull, said, out)...)
	}
	p.Verdict = out.Verdict
	return p.name()
}

// verdict is the one still to be given. Nobody judges their own pull request, and the same verdict is not given twice.
func (p *Posting) verdict(said forge.Said, t gate.Triage, head string) forge.Verdict {
	v := forge.NeedsWork
	if t.Approved {
		v = forge.Approve
	}
	switch {
	case said.User == p.pull.Author:
		p.Notes = append(p.Notes, "the pull request is your own: the host takes no verdict on it")
		return forge.NoVerdict
	case said.Verdict == v && (said.At == "" || said.At == head):
		return forge.NoVerdict
	}
	return v
}

func verdictText(v forge.Verdict, findings int) string {
	switch {
	case v == forge.NeedsWork && findings == 0:
		return "Not approved."
	case v == forge.NeedsWork && findings == 1:
		return "One finding."
	case v == forge.NeedsWork:
		return fmt.Sprintf("%d findings.", findings)
	}
	return ""
}

// send makes the requests in order. The verdict is only given on the commit that was reviewed. Cancelled, what this run has
// posted is taken back; stopped otherwise, the next run goes on where this one ended.
func (w World) send(ctx context.Context, p *Posting) error {
	steady := context.WithoutCancel(ctx) // a request that is under way is not torn off
	var undo []forge.Request
	for i, r := range p.Requests {
		if ctx.Err() != nil {
			return w.takeBack(steady, p, undo)
		}
		if i > 0 && i == len(p.Requests)-1 && p.Verdict != forge.NoVerdict {
			now, err := p.host.Pull(steady, p.pull.Reference)
			if err == nil && (now.Head != p.pull.Head || !now.Open) {
				err = exit.With(exit.Refused, fmt.Errorf("%s moved to %s while findings were posted; no verdict was given: review it again", p.pull.URL, short(now.Head)))
			}
			if err != nil {
				return err
			}
		}
		w.progress("posting %d of %d", i+1, len(p.Requests))
		back, err := p.host.Send(steady, p.pull, r)
		if err != nil {
			return fmt.Errorf("%w; %d of %d requests were made, run the command again to go on", err, p.Sent, len(p.Requests))
		}
		p.Sent++
		if back.Method != "" {
			undo = append(undo, back)
		}
	}
	return nil
}

func (w World) takeBack(ctx context.Context, p *Posting, undo []forge.Request) error {
	left := p.Sent - len(undo) // what the host named no way back for
	for _, r := range undo {
		if _, err := p.host.Send(ctx, p.pull, r); err != nil {
			left++
		}
	}
	p.Sent = left
	if left > 0 {
		return exit.With(exit.Cancelled, fmt.Errorf("cancelled; %d comments could not be taken back, run the command again to post the rest", left))
	}
	return exit.With(exit.Cancelled, errors.New("cancelled; nothing is left on the pull request"))
}
