package review

import (
	"encoding/json"
	"errors"
	"fmt"
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
	w.gather(o, r, judgeRebuttal(o.Dir))
	for _, part := range r.Late {
		if err := w.Files.Remove(rebuttalFile(o.Dir, part)); err != nil {
			return *r, err
		}
		if err := w.note(o.Dir, map[string]any{"event": "review.rebuttal_timeout", "reviewer": part, "seconds": int(o.Limit.Seconds())}); err != nil {
			return *r, err
		}
	}
	return *r, writePanel(w.Files, o.Dir, p)
}

func judgeRebuttal(dir string) judgePart {
	return func(part string) (*gate.Result, bool) {
		path := rebuttalFile(dir, part)
		if !exists(path) {
			return nil, false
		}
		res := gate.CheckRebuttal(gate.RebuttalOptions{File: path, Findings: findingsFile(dir, part)})
		return &res, res.Exit == gate.Valid
	}
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
