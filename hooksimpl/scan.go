package hooksimpl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"viber/internal/gitx"
	"viber/internal/secrets"
)

// ScanOptions are one call of `viber scan`: the rules of guards.secrets outside a session. Staged, Range or Paths say what
// is scanned; none of them means Staged.
type ScanOptions struct {
	World  *World
	Dir    string // where the user is, absolute
	Staged bool
	Range  string // as git log reads it: A..B, a commit, several separated by blanks
	Paths  []string
	JSON   bool
	Out    io.Writer
}

// ScanResult is what `viber scan --json` prints.
type ScanResult struct {
	Findings []ScanFinding `json:"findings"`
	Skipped  []string      `json:"skipped"`          // files that were not looked into: binary, or too large
	Faults   []string      `json:"faults,omitempty"` // entries of the allow file that count for nothing
}

// ScanFinding is a credential, without its value.
type ScanFinding struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Rule   string `json:"rule"`
	Masked string `json:"masked"`
	SHA256 string `json:"sha256"`
	// Standing is refused, proposed (a mark or entry that is not in HEAD yet lets it through) or allowed.
	Standing string `json:"standing"`
}

// Clean reports whether nothing stands in the way of a commit.
func (r ScanResult) Clean() bool {
	for _, f := range r.Findings {
		if f.Standing != string(secrets.Allowed) {
			return false
		}
	}
	return true
}

// Scan scans what o names and prints the findings; clean is false when one is not allowed.
func Scan(o ScanOptions) (clean bool, err error) {
	layout, found := gitx.Find(o.Dir)
	if !found && len(o.Paths) == 0 {
		return false, fmt.Errorf("%s is in no git repository; name the files to scan", o.Dir)
	}
	repo := secrets.Repository{Git: o.World.git(o.Dir), Layout: layout, Now: o.World.Now()}
	repo.Git.Timeout = 0
	report, err := scanned(o, repo)
	if err != nil {
		return false, fmt.Errorf("the scan failed: %w", err)
	}
	result := scanResult(report)
	if o.JSON {
		enc := json.NewEncoder(o.Out)
		enc.SetIndent("", "  ")
		return result.Clean(), enc.Encode(result)
	}
	result.print(o.Out)
	return result.Clean(), nil
}

func scanned(o ScanOptions, repo secrets.Repository) (secrets.Report, error) {
	ctx := context.Background()
	switch {
	case o.Range != "":
		revisions := strings.Fields(o.Range)
		for _, r := range revisions {
			if strings.HasPrefix(r, "-") && r != "--all" && r != "--not" && r != "--branches" && r != "--remotes" && r != "--tags" {
				return secrets.Report{}, errors.New(r + " is no revision")
			}
		}
		return repo.Range(ctx, revisions...)
	case len(o.Paths) > 0:
		paths := make([]string, len(o.Paths))
		for i, p := range o.Paths {
			if paths[i] = p; !filepath.IsAbs(p) {
				paths[i] = filepath.Join(o.Dir, p)
			}
		}
		return repo.Files(ctx, paths)
	}
	return repo.Staged(ctx, secrets.Staging{})
}

func scanResult(report secrets.Report) ScanResult {
	result := ScanResult{Findings: []ScanFinding{}, Skipped: append([]string{}, report.Skipped...), Faults: report.Faults}
	for _, f := range report.Found {
		result.Findings = append(result.Findings, ScanFinding{Path: f.Path, Line: f.Line, Rule: f.Rule, Masked: f.Masked, SHA256: f.Hash, Standing: string(f.Standing)})
	}
	return result
}

func (r ScanResult) print(out io.Writer) {
	for _, f := range r.Findings {
		note := ""
		switch f.Standing {
		case string(secrets.Allowed):
			note = ", allowed"
		case string(secrets.Proposed):
			note = ", allowed once the mark or entry is in HEAD"
		}
		fmt.Fprintf(out, "%s:%d: %s (%s%s)\n", printable(f.Path), f.Line, f.Rule, printable(f.Masked), note)
	}
	for _, name := range r.Skipped {
		fmt.Fprintf(out, "%s: not looked into (binary or too large)\n", printable(name))
	}
	for _, fault := range r.Faults {
		fmt.Fprintln(out, fault)
	}
}
