package secrets

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"
)

// AllowFile is the file, relative to the top of the work tree, whose entries let single credentials through.
const AllowFile = ".claude/viber-allow.yml"

// Entry lets one value through where it stands. All fields are needed: an entry with one missing counts for nothing.
type Entry struct {
	Rule   string `yaml:"rule"`
	Path   string `yaml:"path"`   // a glob; `**` stands for any folders
	SHA256 string `yaml:"sha256"` // of the value, as Hash writes it
	Who    string `yaml:"who"`
	Until  string `yaml:"until"` // the last day it counts, YYYY-MM-DD
}

// ParseAllow reads the text of an allow file. faults name the entries that count for nothing, and why.
func ParseAllow(text []byte) (entries []Entry, faults []string) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	var all []Entry
	if err := yaml.Unmarshal(text, &all); err != nil {
		return nil, []string{AllowFile + " is no list of entries: " + strings.TrimPrefix(err.Error(), "yaml: ")}
	}
	for i, e := range all {
		if what := e.fault(); what != "" {
			faults = append(faults, fmt.Sprintf("%s: entry %d: %s", AllowFile, i+1, what))
			continue
		}
		entries = append(entries, e)
	}
	return entries, faults
}

func (e Entry) fault() string {
	for _, f := range []struct{ name, value string }{{"rule", e.Rule}, {"path", e.Path}, {"sha256", e.SHA256}, {"who", e.Who}, {"until", e.Until}} {
		if f.value == "" {
			return f.name + " is missing"
		}
	}
	if len(e.SHA256) != 64 || !isHex([]byte(e.SHA256)) {
		return "sha256 is no hash of 64 hexadecimal digits; 'viber scan --json' prints it"
	}
	if _, err := time.Parse(time.DateOnly, e.Until); err != nil {
		return "until is no date as 2027-01-31"
	}
	if !doublestar.ValidatePattern(e.Path) {
		return "path is no glob"
	}
	return ""
}

// Covers reports whether the entry lets f through at the time now.
func (e Entry) Covers(f InFile, now time.Time) bool {
	last, err := time.Parse(time.DateOnly, e.Until)
	if err != nil || now.After(last.AddDate(0, 0, 1)) {
		return false
	}
	fits, err := doublestar.Match(e.Path, f.Path)
	return err == nil && fits && e.Rule == f.Rule && strings.EqualFold(e.SHA256, f.Hash)
}

// Standing says what became of a finding.
type Standing string

// The standings of a finding.
const (
	Refused  Standing = "refused"
	Proposed Standing = "proposed" // a mark or an entry lets it through, but it is not in HEAD yet
	Allowed  Standing = "allowed"
)

// Allowance is what lets credentials through in a repository: the allow file as it is in HEAD and as it is now.
type Allowance struct {
	Committed, Present []Entry
	// Marked returns whether HEAD's version of the file at path holds the value with this hash on a line with AllowMark.
	Marked func(path, hash string) bool
	Now    time.Time
}

// Standing returns what becomes of f.
func (a Allowance) Standing(f InFile) Standing {
	for _, e := range a.Committed {
		if e.Covers(f, a.Now) {
			return Allowed
		}
	}
	if f.Marked {
		if a.Marked != nil && a.Marked(f.Path, f.Hash) {
			return Allowed
		}
		return Proposed
	}
	for _, e := range a.Present {
		if e.Covers(f, a.Now) {
			return Proposed
		}
	}
	return Refused
}
