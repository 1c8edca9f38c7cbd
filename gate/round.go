package gate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// RoundFile is the name of the record of a review round, beside the round's reviewer-*.json.
const RoundFile = "round.json"

// Round says which round of reviews a directory holds and when it began.
type Round struct {
	Round     int       `json:"round"`
	StartedAt time.Time `json:"startedAt"`
}

// ReadRound returns the round recorded in dir; the zero value when none is.
func ReadRound(dir string) (Round, error) {
	data, err := os.ReadFile(filepath.Join(dir, RoundFile))
	if os.IsNotExist(err) {
		return Round{}, nil
	}
	if err != nil {
		return Round{}, plainPathError(filepath.Join(dir, RoundFile), err)
	}
	var round Round
	if err := json.Unmarshal(data, &round); err != nil {
		return Round{}, fmt.Errorf("%s: %w", filepath.Join(dir, RoundFile), err)
	}
	return round, nil
}

// ReviewFiles returns the reviews in dir, those of the round and those that are older than its start.
func ReviewFiles(dir string, since time.Time) (ofRound, older []string, err error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: not a directory of reviews", dir)
	}
	if since.IsZero() {
		round, err := ReadRound(dir)
		if err != nil {
			return nil, nil, err
		}
		since = round.StartedAt
	}
	files, err := filepath.Glob(filepath.Join(escapeGlob(dir), "reviewer-*.json"))
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			return nil, nil, plainPathError(f, err)
		}
		// file systems keep times less exactly than clocks do
		if info.ModTime().Add(time.Second).Before(since) {
			older = append(older, filepath.Base(f))
			continue
		}
		ofRound = append(ofRound, f)
	}
	return ofRound, older, err
}

func escapeGlob(dir string) string {
	var out []byte
	for i := 0; i < len(dir); i++ {
		if c := dir[i]; filepath.Separator == '/' && (c == '*' || c == '?' || c == '[' || c == '\\') {
			out = append(out, '\\')
		}
		out = append(out, dir[i])
	}
	return string(out)
}

type reviewFile struct {
	Review
	file string
}

// readReviews reads the reviews of a round. One that its own gate would refuse cannot be judged against.
func readReviews(dir string, since time.Time) (reviews []reviewFile, older []string, err error) {
	files, older, err := ReviewFiles(dir, since)
	if err != nil {
		return nil, nil, err
	}
	s, err := shapeOf("reviewer", tweak{})
	if err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		data, err := readBounded(f, nil)
		if err != nil {
			return nil, nil, err
		}
		r, rv := &report{}, reviewFile{file: filepath.Base(f)}
		load(data, s, &rv.Review, r)
		if len(r.problems) > 0 {
			p := r.problems[0]
			return nil, nil, fmt.Errorf("%s: %s: %s; run 'viber gate reviewer' on it first", f, p.Pointer, p.Cause)
		}
		reviews = append(reviews, rv)
	}
	return reviews, older, nil
}
