package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"viber/internal/patch"
)

// maxIngest bounds the files that are ingested, in bytes.
const maxIngest = 16 << 20

// finding is what the ledger reads of a finding in a triage.
type finding struct {
	Severity, File, Issue, Fix, Fingerprint string
	Line                                    int
}

// triage is what the ledger reads of a triage file.
type triage struct {
	Accepted []finding
	Deferred []judged
	Rejected []judged
}

type judged struct {
	Finding finding
	Reason  string
}

func readTriage(path string) (triage, error) {
	var t triage
	data, err := bounded(path)
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func bounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxIngest {
		return nil, fmt.Errorf("%d bytes, more than %d", info.Size(), maxIngest)
	}
	return os.ReadFile(path)
}

// FromTriage turns rejected findings into preferences, so that reviewers stop raising them. A blocking one never becomes
// a preference: a wrong rejection must not silence its class for good.
func (s Store) FromTriage(path, task string) (Added, error) {
	t, err := readTriage(path)
	if err != nil {
		return Added{}, err
	}
	var entries []Entry
	for _, r := range t.Rejected {
		if r.Finding.Severity == "blocking" || strings.TrimSpace(r.Reason) == "" {
			continue
		}
		entries = append(entries, Entry{Kind: Rejected, Statement: fmt.Sprintf("not a finding here: %s (%s)", r.Finding.Issue, r.Reason),
			Scope: globOf(r.Finding.File), Severity: r.Finding.Severity, Fingerprint: r.Finding.Fingerprint, Task: task})
	}
	return s.keepClean(entries)
}

// globOf is a file as a scope: its name with the signs of globs taken literally.
func globOf(file string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(file)
}

// IngestTriage remembers every finding of a triage with its outcome.
func (s Store) IngestTriage(path, task string) (Added, error) {
	t, err := readTriage(path)
	if err != nil {
		return Added{}, err
	}
	var entries []Entry
	add := func(f finding, outcome, reason string) {
		entries = append(entries, Entry{Kind: Prior, Statement: f.Issue, File: f.File, Line: f.Line, Severity: f.Severity, Outcome: outcome, Reason: reason, Fingerprint: f.Fingerprint, Task: task})
	}
	for _, f := range t.Accepted {
		add(f, "accepted", f.Fix)
	}
	for _, d := range t.Deferred {
		add(d.Finding, "deferred", d.Reason)
	}
	for _, d := range t.Rejected {
		add(d.Finding, "rejected", d.Reason)
	}
	return s.keepClean(entries)
}

// keepClean writes the entries without a credential; the others are left out, so that one does not lose the rest.
func (s Store) keepClean(entries []Entry) (Added, error) {
	var clean []Entry
	var refused error
	for _, e := range entries {
		if _, err := e.line(s.Now()); err != nil {
			refused = err
			continue
		}
		clean = append(clean, e)
	}
	added, err := s.AddOnce(clean...)
	if err == nil {
		err = refused
	}
	return added, err
}

// AddMarkers remembers the shortcut markers that a patch adds.
func (s Store) AddMarkers(patchPath, task string) (Added, error) {
	text, err := bounded(patchPath)
	if err != nil {
		return Added{}, err
	}
	return s.keepMarkers(text, task)
}

func (s Store) keepMarkers(text []byte, task string) (Added, error) {
	var entries []Entry
	for _, m := range patch.Markers(text) {
		entries = append(entries, Entry{Kind: Debt, Statement: m.Text, File: m.File, Line: m.Line, Outcome: "marker", Task: task})
	}
	return s.keepClean(entries)
}

// RunFiles are the files of a run that the ledgers learn from; any may be missing.
type RunFiles struct {
	Triage string // triage-output.json
	State  string // state.json
	Patch  string // a file with the run's diff
	Diff   []byte // the diff itself, when no file has it
	Task   string
	Stamp  string // file that remembers what the last flush read; empty: always flush
}

// DebtFromRun remembers what a run left undone: deferred findings of its triage, findings parked by rulings.
func (s Store) DebtFromRun(r RunFiles) (Added, error) {
	var entries []Entry
	if there(r.Triage) {
		t, err := readTriage(r.Triage)
		if err != nil {
			return Added{}, err
		}
		for _, d := range t.Deferred {
			entries = append(entries, Entry{Kind: Debt, Statement: d.Finding.Issue, File: d.Finding.File, Line: d.Finding.Line, Severity: d.Finding.Severity, Outcome: "deferred", Reason: d.Reason, Fingerprint: d.Finding.Fingerprint, Task: r.Task})
		}
	}
	if there(r.State) {
		parked, err := parkedIn(r.State)
		if err != nil {
			return Added{}, err
		}
		for _, p := range parked {
			p.Task = r.Task
			entries = append(entries, p)
		}
	}
	return s.keepClean(entries)
}

func there(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Stat(path)
	return err == nil
}

func parkedIn(path string) ([]Entry, error) {
	var state struct {
		ReviewIterations []struct {
			Rulings []struct {
				Fingerprint, Ruling, Severity, File, Issue, Reason string
				Line                                               int
			}
		}
	}
	data, err := bounded(path)
	if err == nil {
		err = json.Unmarshal(data, &state)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all []Entry
	for _, it := range state.ReviewIterations {
		for _, r := range it.Rulings {
			if r.Ruling == "parked" {
				all = append(all, Entry{Kind: Debt, Statement: r.Issue, File: r.File, Line: r.Line, Severity: r.Severity, Outcome: "parked", Reason: r.Reason, Fingerprint: r.Fingerprint})
			}
		}
	}
	return all, nil
}

// Flushed says what a flush wrote.
type Flushed struct {
	Findings    int  `json:"findings"`
	Preferences int  `json:"preferences"`
	Debt        int  `json:"debt"`
	Fresh       bool `json:"fresh"` // nothing had changed since the last flush
}

// Flush runs every ingest for a run: findings, preferences, debt, markers. It calls no model and may run in a hook. With
// ifStale it does nothing when no file has changed since the last one.
func (s Store) Flush(r RunFiles, ifStale bool) (Flushed, error) {
	now := r.signature()
	if old, err := os.ReadFile(r.Stamp); ifStale && r.Stamp != "" && err == nil && string(old) == now {
		return Flushed{Fresh: true}, nil
	}
	out, err := s.flush(r)
	if err == nil && r.Stamp != "" {
		err = s.Files.WriteOwn(r.Stamp, []byte(now), nil)
	}
	return out, err
}

// Stale reports whether a file a flush reads changed since the last flush; a run without any is not stale.
func (r RunFiles) Stale() bool {
	now := r.signature()
	old, err := os.ReadFile(r.Stamp)
	return now != "" && (err != nil || string(old) != now)
}

// signature is the size and time of every file a flush reads.
func (r RunFiles) signature() string {
	var b strings.Builder
	for _, path := range []string{r.Triage, r.State, r.Patch} {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

func (s Store) flush(r RunFiles) (Flushed, error) {
	var out Flushed
	if there(r.Triage) {
		a, err := s.IngestTriage(r.Triage, r.Task)
		if err != nil {
			return out, err
		}
		b, err := s.FromTriage(r.Triage, r.Task)
		if err != nil {
			return out, err
		}
		out.Findings, out.Preferences = a.New, b.New
	}
	d, err := s.DebtFromRun(r)
	out.Debt = d.New
	if err == nil && there(r.Patch) {
		d, err = s.AddMarkers(r.Patch, r.Task)
		out.Debt += d.New
	}
	if err == nil && len(r.Diff) > 0 {
		d, err = s.keepMarkers(r.Diff, r.Task)
		out.Debt += d.New
	}
	return out, err
}
