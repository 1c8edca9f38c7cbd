package gate

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tailscale/hujson"
)

// located is a finding with the place of its object in a file.
type located struct {
	Finding
	pointer string
}

// findingsIn reads the findings of a review (findings[]) or a triage (accepted[], deferred[].finding, rejected[].finding).
func findingsIn(data []byte) ([]located, error) {
	if _, err := parse(data); err != nil {
		return nil, err
	}
	var f struct {
		Findings []Finding
		Accepted []Finding
		Deferred []Judged
		Rejected []Judged
	}
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	var all []located
	for i, x := range f.Findings {
		all = append(all, located{x, at("findings", i)})
	}
	for i, x := range f.Accepted {
		all = append(all, located{x, at("accepted", i)})
	}
	for i, x := range f.Deferred {
		all = append(all, located{x.Finding.Plain(), at("deferred", i, "finding")})
	}
	for i, x := range f.Rejected {
		all = append(all, located{x.Finding.Plain(), at("rejected", i, "finding")})
	}
	return all, nil
}

// Findings returns the findings of a review or triage file that count as present: all of a review, accepted and deferred
// of a triage.
func Findings(path string) ([]Finding, error) {
	data, err := readBounded(path, nil)
	if err != nil {
		return nil, err
	}
	all, err := findingsIn(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var present []Finding
	for _, f := range all {
		if len(f.pointer) < 9 || f.pointer[:9] != "/rejected" {
			present = append(present, f.Finding)
		}
	}
	return present, nil
}

// Annotated is a file with identities: its new text, how many findings it holds and how many got their identity now.
type Annotated struct {
	File     string `json:"file"`
	Findings int    `json:"findings"`
	Added    int    `json:"added"`
	Text     []byte `json:"-"`
}

// AnnotateFile returns the file at path with an identity on every finding; every other byte stays.
func AnnotateFile(path string, earlier []Finding, look Look) (Annotated, error) {
	data, err := readBounded(path, nil)
	if err != nil {
		return Annotated{}, err
	}
	all, err := findingsIn(data)
	if err != nil {
		return Annotated{}, fmt.Errorf("%s: %w", path, err)
	}
	plain := make([]Finding, len(all))
	for i, f := range all {
		plain[i] = f.Finding
	}
	out := Annotated{File: path, Findings: len(all), Text: data}
	var edits []edit
	for i, f := range Annotate(plain, earlier, look) {
		if all[i].Fingerprint == "" {
			edits = append(edits, edit{"add", all[i].pointer + "/fingerprint", string(f.Fingerprint)})
		}
	}
	out.Added = len(edits)
	if len(edits) > 0 {
		out.Text, err = patched(data, edits)
	}
	return out, err
}

// edit is one operation of a JSON patch.
type edit struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// patched changes values in a JSON text and leaves its layout alone.
func patched(data []byte, edits []edit) ([]byte, error) {
	v, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	patch, err := json.Marshal(edits)
	if err != nil {
		return nil, err
	}
	if err := v.Patch(patch); err != nil {
		return nil, err
	}
	return v.Pack(), nil
}

// Corrected returns data with the corrections of a gate applied; every other byte stays.
func Corrected(data []byte, corrections []Correction) ([]byte, error) {
	var edits []edit
	for _, c := range corrections {
		edits = append(edits, edit{"replace", c.Pointer, c.Value})
	}
	return patched(data, edits)
}

// Text says in a line what was done to a file.
func (a Annotated) String() string {
	return a.File + ": " + strconv.Itoa(a.Findings) + " findings, " + strconv.Itoa(a.Added) + " new fingerprints"
}
