package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"viber/gate"
	"viber/internal/exit"
	"viber/internal/fsx"
)

// TriageFile is the copy of the last round's triage that validated, with its fingerprints.
const TriageFile = "triage-output.json"

// StartRound begins the next round in a review's directory: reviews of the last round are deleted, so that one that comes
// late cannot be taken for one of this round (decisions 5.6).
func StartRound(files fsx.Door, dir string, now time.Time) (gate.Round, error) {
	last, err := gate.ReadRound(dir)
	if err != nil {
		return gate.Round{}, err
	}
	old, older, err := gate.ReviewFiles(dir, time.Time{})
	if err != nil {
		return gate.Round{}, exit.With(exit.Refused, err)
	}
	for _, name := range older {
		old = append(old, filepath.Join(dir, name))
	}
	for _, path := range old {
		if err := files.Remove(path); err != nil {
			return gate.Round{}, err
		}
	}
	next := gate.Round{Round: last.Round + 1, StartedAt: now.UTC().Truncate(time.Second)}
	text, err := json.Marshal(next)
	if err != nil {
		return gate.Round{}, err
	}
	return next, files.Write(filepath.Join(dir, gate.RoundFile), append(text, '\n'), fsx.Options{})
}

// EndRound judges the round's triage and, when it holds, gives its findings their identity and keeps it as
// triage-round-<N>.json and triage-output.json. A contradiction is corrected first, as the gate says.
func EndRound(files fsx.Door, dir, triage string, look gate.Look) (gate.Result, error) {
	round, err := gate.ReadRound(dir)
	if err != nil || round.Round == 0 {
		return gate.Result{}, exit.With(exit.Refused, errors.Join(err, fmt.Errorf("%s: no round was started; run 'viber review round start %s'", dir, dir)))
	}
	if err := dropLate(files, dir); err != nil {
		return gate.Result{}, err
	}
	judge := func() gate.Result {
		return gate.CheckTriage(gate.TriageOptions{File: triage, Reviewers: dir, Look: look})
	}
	res := judge()
	if res.Exit == gate.Contradiction {
		if err := gate.Apply(files, triage, res.Corrections); err != nil {
			return res, err
		}
		res = judge()
	}
	if res.Exit != gate.Valid {
		return res, nil
	}
	earlier, err := earlierFindings(filepath.Join(dir, TriageFile))
	if err != nil {
		return res, err
	}
	done, err := gate.AnnotateFile(triage, earlier, look)
	if err != nil {
		return res, err
	}
	for _, name := range []string{"triage-round-" + strconv.Itoa(round.Round) + ".json", TriageFile} {
		if err := files.Write(filepath.Join(dir, name), done.Text, fsx.Options{}); err != nil {
			return res, err
		}
	}
	disputes, err := Disputes(dir)
	if len(disputes) > 0 {
		res.Facts = map[string]any{"disputed": disputes}
	}
	return res, err
}

func earlierFindings(path string) ([]gate.Finding, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	return gate.Findings(path)
}
