package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"viber/gate"
	"viber/internal/exit"
	"viber/internal/fsx"
)

// RebuttalPart is what those take who answer the others' findings.
const RebuttalPart = "rebuttal"

func rebuttalFile(dir, part string) string {
	return filepath.Join(dir, RebuttalPart+"-"+part+".json")
}

func findingsFile(dir, part string) string { return filepath.Join(dir, "findings-"+part+".json") }

// Rebut opens the rebuttal of a round that was waited for (decisions 5.6): each reviewer whose review came is asked which
// findings of the others do not hold. Suggestions are not worth it. parts is empty, and why says why, when there is nothing to ask.
func Rebut(files fsx.Door, dir string) (parts []string, why string, err error) {
	p, err := ReadPanel(dir)
	switch {
	case err != nil:
		return nil, "", err
	case !p.Closed:
		return nil, "", exit.With(exit.Refused, errors.New("the reviews of this round were not waited for; run 'viber review round wait' first"))
	case p.Rebuttal != nil:
		return nil, "", exit.With(exit.Refused, fmt.Errorf("round %d had its rebuttal", p.Round))
	case len(p.Returned) < 2:
		return nil, "fewer than two reviews came", nil
	}
	made, err := weighty(dir, p.Returned)
	if err != nil {
		return nil, "", err
	}
	for _, part := range p.Returned {
		others := gate.Others{Findings: slices.DeleteFunc(slices.Clone(made), func(f gate.Accepted) bool { return string(f.Reviewer) == part })}
		if len(others.Findings) == 0 {
			continue
		}
		text, err := json.MarshalIndent(others, "", " ")
		if err != nil {
			return nil, "", err
		}
		if err := files.Write(findingsFile(dir, part), append(text, '\n'), fsx.Options{}); err != nil {
			return nil, "", err
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil, "no review has a blocking or important finding", nil
	}
	p.Rebuttal = &Panel{Round: p.Round, Parts: parts, Returned: []string{}, Late: []string{}}
	return parts, "", writePanel(files, dir, p)
}

// weighty are the blocking and important findings of the reviews, under the names of their parts.
func weighty(dir string, parts []string) ([]gate.Accepted, error) {
	var made []gate.Accepted
	for _, part := range parts {
		found, err := gate.Findings(reviewFile(dir, part))
		if err != nil {
			return nil, exit.With(exit.Refused, err)
		}
		for _, f := range found {
			if f.Severity != gate.Suggestion {
				made = append(made, gate.Accepted{Finding: f, Reviewer: gate.Text(part)})
			}
		}
	}
	return made, nil
}

// WaitRebuttal waits until every answer of an open rebuttal is there and passes its gate, or the time is over. One that is late
// is named, its file removed; a rebuttal to which nobody answers is no reason to stop.
func (w World) WaitRebuttal(o WaitOptions) (Panel, error) {
	p, err := ReadPanel(o.Dir)
	if err != nil {
		return Panel{}, err
	}
	r := p.Rebuttal
	if r == nil {
		return Panel{}, exit.With(exit.Refused, errors.New("this round has no rebuttal; run 'viber review round rebut' first"))
	}
	if r.Closed {
		return *r, nil
	}
	end := w.Now().Add(o.Limit)
	r.Late, r.Malformed = unanswered(o.Dir, r.Parts)
	for len(r.Late) > 0 && w.Now().Before(end) && o.Pause() {
		r.Late, r.Malformed = unanswered(o.Dir, r.Parts)
	}
	r.Closed = true
	for _, part := range r.Parts {
		if !slices.Contains(r.Late, part) {
			r.Returned = append(r.Returned, part)
			continue
		}
		if err := w.Files.Remove(rebuttalFile(o.Dir, part)); err != nil {
			return *r, err
		}
		if err := w.note(o.Dir, map[string]any{"event": "review.rebuttal_timeout", "reviewer": part, "seconds": int(o.Limit.Seconds())}); err != nil {
			return *r, err
		}
	}
	return *r, writePanel(w.Files, o.Dir, p)
}

// unanswered lists the parts whose rebuttal is not there or does not pass its gate; of the latter, the gate's first word.
func unanswered(dir string, parts []string) (late []string, malformed map[string]string) {
	late, malformed = []string{}, map[string]string{}
	for _, part := range parts {
		path := rebuttalFile(dir, part)
		if _, err := os.Stat(path); err != nil {
			late = append(late, part)
			continue
		}
		if res := gate.CheckRebuttal(gate.RebuttalOptions{File: path, Findings: findingsFile(dir, part)}); res.Exit != gate.Valid {
			late = append(late, part)
			malformed[part] = res.Problems[0].Pointer + ": " + res.Problems[0].Cause
		}
	}
	return late, malformed
}

// Dispute is a finding that another reviewer than its own disputes.
type Dispute struct {
	By string `json:"by"`
	gate.Disagreement
}

// Disputes are the disagreements of a round's rebuttal; none when it had no rebuttal.
func Disputes(dir string) ([]Dispute, error) {
	var p Panel
	all := []Dispute{}
	if text, err := fsx.Read(filepath.Join(dir, panelFile)); err != nil || text == nil || json.Unmarshal(text, &p) != nil || p.Rebuttal == nil {
		return all, err
	}
	for _, part := range p.Rebuttal.Returned {
		var r gate.Rebuttal
		if err := readRecord(rebuttalFile(dir, part), &r, "viber review round start"); err != nil {
			return all, err
		}
		for _, d := range r.Disagreements {
			all = append(all, Dispute{part, d})
		}
	}
	return all, nil
}
