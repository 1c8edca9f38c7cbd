package run

import (
	"reflect"
	"strings"
	"testing"
)

const samplePlan = `---
source: /home/a/plans/calm.md
work: feature
issue: https://github.com/o/r/issues/31?x
---

# Export invoices

## Goal

One month as a file.

## Roadmap

1. Ledger (built)
2. Export (this plan)
3. Mailing

## Constraints

- amounts in cents

## Review focus

- an empty month -> T2

## Acceptance criteria

1. One row per invoice.
2. An empty month yields a header.

## Tasks

<!-- TASK -->
### T1 - Write the rows
- TDD: required
- Covers: #1
- Uses: C1
- Files: lib/export.go, ./lib/row.go
- Delivers: rows
- Verification: go test ./lib -> ok
- DoD: one row; sorted
<!-- /TASK -->

<!-- TASK -->
### T2 - Handle the empty month
- TDD: none
- Exclusive: true
- Hard: true
- Covers: #2
- Uses: none
- Depends-on: T1
- Files: lib/empty.go
- Delivers: header
- Verification: go test ./lib
- DoD: header only
<!-- /TASK -->

## Contracts

### C1 - Row shape

- File: lib/row.go

number;date
`

func TestParsePlanReadsEveryPartWithItsPlace(t *testing.T) {
	p := ParsePlan("p.md", samplePlan)
	if p.Title != "Export invoices" || p.Front.Issue.Number != "31" || p.Front.Work != "feature" {
		t.Errorf("head: %q %+v", p.Title, p.Front)
	}
	if len(p.Tasks) != 2 || len(p.Contracts) != 1 || len(p.Criteria) != 2 || len(p.Roadmap) != 3 {
		t.Fatalf("counts: %d tasks, %d contracts, %d criteria, %d parts", len(p.Tasks), len(p.Contracts), len(p.Criteria), len(p.Roadmap))
	}
	t1 := p.Tasks[0]
	if got := textAt(p, t1.Paths[1].Pos); !strings.HasPrefix(got, "./lib/row.go") {
		t.Errorf("second path stands at %q", got)
	}
	if got := textAt(p, p.Contracts[0].Paths[0].Pos); got != "lib/row.go" {
		t.Errorf("contract path stands at %q", got)
	}
	if got := textAt(p, p.Tasks[1].Deps[0].Pos); got != "T1" {
		t.Errorf("dependency stands at %q", got)
	}
	if !reflect.DeepEqual(t1.Clauses(), []string{"one row", "sorted"}) || t1.Command() != "go test ./lib" {
		t.Errorf("clauses %q, command %q", t1.Clauses(), t1.Command())
	}
	if name, n, of, ok := p.NextPart(); name != "Mailing" || n != 3 || of != 3 || !ok {
		t.Errorf("next part: %q %d %d %v", name, n, of, ok)
	}
	if p.Constraints[0].Text != "amounts in cents" || p.Focus[0] != (Focus{"an empty month", "T2", p.Focus[0].Line}) {
		t.Errorf("constraints %v, focus %v", p.Constraints, p.Focus)
	}
}

func TestParsePlanReadsCRLFAndAByteOrderMarkAlike(t *testing.T) {
	want := ParsePlan("p.md", samplePlan)
	got := ParsePlan("p.md", "\ufeff"+strings.ReplaceAll(samplePlan, "\n", "\r\n"))
	want.lines, got.lines = nil, nil
	for _, p := range []*Plan{want, got} {
		for i := range p.Criteria {
			p.Criteria[i].Text = trimRight(p.Criteria[i].Text)
		}
	}
	if !reflect.DeepEqual(want, got) {
		t.Errorf("CRLF reads differently:\n%+v\n%+v", want, got)
	}
}

func textAt(p *Plan, at Pos) string { return p.lines[at.Line-1][at.Col-1:] }

func TestStatusHasTwoReaders(t *testing.T) {
	s := ParseStatus("done: T1\nskipped: T2 T1\ndone: T2\ndecision: T1: use: x\r\ndeferred: T2:a T2\n")
	if st := s.States(); st["T2"] != Done || st["T1"] != Skipped {
		t.Errorf("index states: %v", st)
	}
	if done, skipped := s.Progress([]string{"T1", "T2", "T3"}); done != 1 || skipped != 1 {
		t.Errorf("progress: %d done, %d skipped", done, skipped)
	}
	if d := s.Decisions[0]; d.Task != "T1" || d.Text != "use: x" || d.Raw != "decision: T1: use: x" {
		t.Errorf("decision: %+v", d)
	}
	if got := s.Deferrals(); len(got) != 1 || got[0] != (Deferral{"T2", "a"}) {
		t.Errorf("deferrals: %v", got)
	}
}
