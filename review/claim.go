package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"viber/gate"
	"viber/internal/exit"
	"viber/internal/fsx"
)

// panelFile says who takes part in a round and how far it is.
const panelFile = "panel.json"

// Panel is who reviews in a round. All of them are started with the very same words, so that their prompts share every
// byte; each then claims one of the parts.
type Panel struct {
	Round int      `json:"round"`
	Parts []string `json:"parts"`
	// Returned and Late are the parts whose reviews came in time and did not; both are empty until the panel was waited for.
	Returned []string `json:"returned"`
	Late     []string `json:"late"`
	// Malformed says what is wrong with a late part's review, when one is there that does not pass its gate.
	Malformed map[string]string `json:"malformed,omitempty"`
	Closed    bool              `json:"closed"`
	// Rebuttal is the panel of those who answer the others' findings, between the reviews and the triage; nil when nobody is asked.
	Rebuttal *Panel `json:"rebuttal,omitempty"`
}

// TriagePart is the part that is handed out once the reviewers' time is over.
const TriagePart = "triage"

// Claim is one part of a round: what to look for, and where the result goes.
type Claim struct {
	Part     string `json:"part"`
	Report   string `json:"report"`
	Criteria string `json:"criteria"`
	Reviews  string `json:"reviews,omitempty"` // for the triage: the directory of the reviews
	// For and Findings are whose eyes a rebuttal is written with, and the file of the others' findings.
	For      string `json:"for,omitempty"`
	Findings string `json:"findings,omitempty"`
}

// DefaultParts are what reviewers look for, one each.
func DefaultParts() []string { return []string{"correctness", "tests", "security"} }

// CheckParts refuses names that could not be part of a file's name, or stand twice.
func CheckParts(parts []string) error {
	for i, p := range parts {
		if p == "" || p == TriagePart || p == RebuttalPart || len(p) > 40 || strings.Trim(p, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return fmt.Errorf("%q is no part; write it in small letters, digits and dashes", p)
		}
		if slices.Contains(parts[:i], p) {
			return fmt.Errorf("the part %s stands twice", p)
		}
	}
	if len(parts) == 0 || len(parts) > 8 {
		return fmt.Errorf("a round has one to eight parts, not %d", len(parts))
	}
	return nil
}

func reviewFile(dir, part string) string { return filepath.Join(dir, "reviewer-"+part+".json") }

// seat makes the panel of a round that was just started; seats of the round before are free again.
func seat(files fsx.Door, dir string, round int, parts []string) error {
	var old []string
	for _, pattern := range []string{"claim-*", "rebuttal-*.json", "findings-*.json"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		old = append(old, names...)
	}
	for _, path := range append(old, triageFile(dir)) {
		if err := files.Remove(path); err != nil {
			return err
		}
	}
	return writePanel(files, dir, Panel{Round: round, Parts: parts, Returned: []string{}, Late: []string{}})
}

func writePanel(files fsx.Door, dir string, p Panel) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return files.Write(filepath.Join(dir, panelFile), append(text, '\n'), fsx.Options{})
}

// ReadPanel reads the panel of the round in dir.
func ReadPanel(dir string) (Panel, error) {
	var p Panel
	return p, readRecord(filepath.Join(dir, panelFile), &p, "viber review round start")
}

// Take claims the next free part of the round: a review, then a rebuttal where the round asks for them, and the triage once the
// time of all these is over. Two that come at once never get the same.
func Take(files fsx.Door, dir string) (Claim, error) {
	p, err := ReadPanel(dir)
	if err != nil {
		return Claim{}, err
	}
	stage, parts := "", p.Parts
	switch {
	case p.Closed && p.Rebuttal != nil && !p.Rebuttal.Closed:
		stage, parts = RebuttalPart+"-", p.Rebuttal.Parts
	case p.Closed:
		parts = []string{TriagePart}
	}
	for _, part := range parts {
		seat := filepath.Join(dir, "claim-"+strconv.Itoa(p.Round)+"-"+stage+part)
		err := files.Create(seat, nil, 0o600)
		if errors.Is(err, fs.ErrExist) && part != TriagePart {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return Claim{}, err
		}
		return p.claim(dir, part, stage != ""), nil
	}
	return Claim{}, exit.With(exit.Refused, fmt.Errorf("all %d parts of round %d are taken", len(parts), p.Round))
}

func (p Panel) claim(dir, part string, rebuts bool) Claim {
	c := Claim{Part: part, Report: reviewFile(dir, part), Criteria: filepath.Join(dir, manifestFile)}
	switch {
	case rebuts:
		c.Part, c.For, c.Report, c.Findings = RebuttalPart, part, rebuttalFile(dir, part), findingsFile(dir, part)
	case part == TriagePart:
		c.Report, c.Reviews = triageFile(dir), dir
	}
	return c
}

// WaitOptions say how long to wait, and how: Pause waits a moment and reports whether there is reason to go on.
type WaitOptions struct {
	Dir   string
	Limit time.Duration
	Pause func() bool
}

// Wait waits until every part's review is there and passes its gate, or the time is over: what comes later is late and is not
// taken. An approval that contradicts a blocking finding counts as there: the correction is known.
func (w World) Wait(o WaitOptions) (Panel, error) {
	p, err := ReadPanel(o.Dir)
	if err != nil || p.Closed {
		return p, err
	}
	w.gather(o, &p, judgeReview(o.Dir))
	for _, part := range p.Late {
		if err := w.note(o.Dir, map[string]any{"event": "review.reviewer_timeout", "reviewer": part, "seconds": int(o.Limit.Seconds())}); err != nil {
			return p, err
		}
	}
	return p, writePanel(w.Files, o.Dir, p)
}

// gather waits until every part of p is there by judge, or the time is over, and closes p.
func (w World) gather(o WaitOptions, p *Panel, judge judgePart) {
	end := w.Now().Add(o.Limit)
	p.Late, p.Malformed = missing(p.Parts, judge)
	for len(p.Late) > 0 && w.Now().Before(end) && o.Pause() {
		p.Late, p.Malformed = missing(p.Parts, judge)
	}
	p.Closed = true
	for _, part := range p.Parts {
		if !slices.Contains(p.Late, part) {
			p.Returned = append(p.Returned, part)
		}
	}
}

// WaitTriage waits until the triage of a round that was waited for is there and passes its gate, or the time is over.
func (w World) WaitTriage(o WaitOptions) (gate.Result, error) {
	p, err := ReadPanel(o.Dir)
	if err != nil {
		return gate.Result{}, err
	}
	if !p.Closed {
		return gate.Result{}, exit.With(exit.Refused, errors.New("the reviews of this round were not waited for; run 'viber review round wait' first"))
	}
	if err := dropLate(w.Files, o.Dir); err != nil {
		return gate.Result{}, err
	}
	end := w.Now().Add(o.Limit)
	for {
		res := gate.CheckTriage(gate.TriageOptions{File: triageFile(o.Dir), Reviewers: o.Dir})
		if res.Exit == gate.Valid || res.Exit == gate.Contradiction {
			res.Exit, res.Corrections = gate.Valid, nil // the end of the round makes the corrections
			return res, nil
		}
		if !w.Now().Before(end) || !o.Pause() {
			if res.Exit == gate.Unreadable {
				err = exit.With(exit.Failed, errors.Join(errors.New("no triage came in time"), w.note(o.Dir, map[string]any{"event": "review.triage_timeout"})))
			}
			return res, err
		}
	}
}

func triageFile(dir string) string { return filepath.Join(dir, "triage.json") }

// judgePart judges what one part of a round handed in; ok is false when it cannot be taken, and res is nil when it is not there.
type judgePart func(part string) (res *gate.Result, ok bool)

func judgeReview(dir string) judgePart {
	return func(part string) (*gate.Result, bool) {
		path := reviewFile(dir, part)
		if !exists(path) {
			return nil, false
		}
		criteria := filepath.Join(dir, manifestFile)
		if !exists(criteria) {
			criteria = ""
		}
		res := gate.CheckReviewer(gate.ReviewerOptions{File: path, Criteria: criteria})
		return &res, res.Exit != gate.Malformed && res.Exit != gate.Unreadable
	}
}

// missing lists the parts that judge does not take; of those that are there, the gate's first word.
func missing(parts []string, judge judgePart) (late []string, malformed map[string]string) {
	late, malformed = []string{}, map[string]string{}
	for _, part := range parts {
		res, ok := judge(part)
		if ok {
			continue
		}
		late = append(late, part)
		if res != nil {
			malformed[part] = res.Problems[0].Pointer + ": " + res.Problems[0].Cause
		}
	}
	return late, malformed
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// dropLate removes reviews that came after their time.
func dropLate(files fsx.Door, dir string) error {
	p, err := ReadPanel(dir)
	if err != nil {
		return nil // a round without a panel: people start it so
	}
	for _, part := range p.Late {
		if err := files.Remove(reviewFile(dir, part)); err != nil {
			return err
		}
	}
	return nil
}

// current is the file that names the review one is at, so that an agent's preload needs no argument.
func current(root string) string { return filepath.Join(root, ".temp", "viber", "review", "current") }

// Current returns the directory of the review that was begun last in the project at root.
func Current(root string) (string, error) {
	text, err := fsx.Read(current(root))
	dir := strings.TrimSpace(string(text))
	if err != nil || dir == "" {
		return "", exit.With(exit.Refused, errors.Join(err, errors.New("no review was begun here; run 'viber review diff REF' first")))
	}
	return dir, nil
}

// Begin starts the next round of the review in dir with a reviewer for each part, and makes it the current one.
func Begin(files fsx.Door, root, dir string, parts []string, now time.Time) (gate.Round, error) {
	for _, path := range []string{dir, filepath.Join(filepath.Dir(current(root)), filepath.Base(dir))} {
		if err := noLinks(root, path); err != nil {
			return gate.Round{}, err
		}
	}
	round, err := StartRound(files, dir, now)
	if err != nil {
		return round, err
	}
	if err := seat(files, dir, round.Round, parts); err != nil {
		return round, err
	}
	return round, files.Write(current(root), []byte(dir+"\n"), fsx.Options{})
}
