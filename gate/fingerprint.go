package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Look is what may be known about the code that findings speak of. The zero value knows nothing: identities then rest on
// path, rule and words alone.
type Look struct {
	tree   *tree
	origin func(path string) string
}

// LookAt reads the code of findings under the directory repo. origin, when not nil, gives the first name a renamed file had.
func LookAt(repo string, origin func(path string) string) (Look, error) {
	t, err := openTree(repo)
	return Look{tree: t, origin: origin}, err
}

// LookAtNames knows no code, but the first name a renamed file had. Rounds that are compared long after they were written
// are looked at so: their lines have moved since.
func LookAtNames(origin func(path string) string) Look { return Look{origin: origin} }

// Annotate gives every finding of one file its identity across rounds; one that has it keeps it. The identity stays when
// lines move, when the code is reformatted or its file renamed, and when the wording changes a little; it differs for two
// findings on the same line. Findings of earlier, when one is the same, lend their identity.
func Annotate(findings, earlier []Finding, look Look) []Finding {
	out := slices.Clone(findings)
	taken := map[Fingerprint]bool{}
	for i, f := range out {
		if f.Fingerprint == "" {
			out[i].Fingerprint = inherited(f, earlier, taken, look)
		}
		taken[out[i].Fingerprint] = true
	}
	for _, i := range byPlace(out) {
		if out[i].Fingerprint != "" {
			continue
		}
		if j := slices.IndexFunc(out, func(f Finding) bool { return f.Fingerprint != "" && identical(f, out[i]) }); j >= 0 {
			out[i].Fingerprint = out[j].Fingerprint
			continue
		}
		out[i].Fingerprint = fresh(look.base(out[i]), taken)
		taken[out[i].Fingerprint] = true
	}
	return out
}

// fresh numbers findings that nothing but their place tells apart, from the top of the file.
func fresh(base string, taken map[Fingerprint]bool) Fingerprint {
	for n := 1; ; n++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "viber finding 1\n%s\n%d", base, n))
		f := Fingerprint(hex.EncodeToString(sum[:8]))
		if !taken[f] {
			return f
		}
	}
}

func inherited(f Finding, earlier []Finding, taken map[Fingerprint]bool, look Look) Fingerprint {
	for _, e := range earlier {
		if e.Fingerprint != "" && !taken[e.Fingerprint] && look.same(e, f) {
			return e.Fingerprint
		}
	}
	return ""
}

func identical(a, b Finding) bool {
	return a.File == b.File && a.Line == b.Line && (a.Side == OldSide) == (b.Side == OldSide) && a.RuleID == b.RuleID && bare(string(a.Issue)) == bare(string(b.Issue))
}

// byPlace lists the positions of findings in the order of their file and line.
func byPlace(findings []Finding) []int {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := findings[a], findings[b]
		if x.File != y.File {
			if x.File < y.File {
				return -1
			}
			return 1
		}
		return int(x.Line) - int(y.Line)
	})
	return order
}

// base is what a finding's identity is made of: where it is, without the line's number, and what it is about.
func (l Look) base(f Finding) string {
	code := ""
	if f.Side != OldSide { // the tree has the new files
		code = l.statement(f)
	}
	subject := string(f.RuleID)
	if subject == "" {
		subject = topic(string(f.Issue))
	}
	if subject == "" {
		subject = fmt.Sprint(terms(string(f.Issue)))
	}
	return fmt.Sprintf("%s\n%s\n%s\n%s", l.file(f.File), anchor(code), subject, mentioned(string(f.Issue), code))
}

func (l Look) file(p Path) string {
	name := clean(p)
	if l.origin != nil {
		return l.origin(name)
	}
	return name
}

// same says that two findings of different rounds are one: equal identities, or the same place and subject in other words.
func (l Look) same(a, b Finding) bool {
	if a.Fingerprint != "" && a.Fingerprint == b.Fingerprint {
		return true
	}
	if l.file(a.File) != l.file(b.File) || a.RuleID != "" && b.RuleID != "" && a.RuleID != b.RuleID {
		return false
	}
	if a.Fingerprint != "" && a.RuleID == b.RuleID && bare(string(a.Issue)) == bare(string(b.Issue)) {
		return false // the same words: their own places tell them apart
	}
	if m, n := firstQuoted(string(a.Issue)), firstQuoted(string(b.Issue)); m != "" && n != "" && m != n {
		return false
	}
	alike := overlap(terms(string(a.Issue)), terms(string(b.Issue)))
	if a.RuleID != "" && a.RuleID == b.RuleID || topic(string(a.Issue)) != "" && topic(string(a.Issue)) == topic(string(b.Issue)) {
		return alike >= 0.4
	}
	return alike >= 0.6
}

// overlap is the share of words two lists have in common.
func overlap(a, b []string) float64 {
	common := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			common++
		}
	}
	all := len(a) + len(b) - common
	if all == 0 {
		return 0
	}
	return float64(common) / float64(all)
}

// Delta compares the findings of two rounds.
type Delta struct {
	Fixed        []Finding `json:"fixed"`
	StillPresent []Finding `json:"stillPresent"`
	New          []Finding `json:"new"`
}

// Compare says which findings of the earlier round are gone, which are still there (with the identity they had), which are new.
func Compare(earlier, now []Finding, look Look) Delta {
	now = Annotate(now, earlier, look)
	earlier = Annotate(earlier, now, look)
	d := Delta{Fixed: []Finding{}, StillPresent: []Finding{}, New: []Finding{}}
	for _, e := range earlier {
		if !slices.ContainsFunc(now, func(f Finding) bool { return f.Fingerprint == e.Fingerprint }) {
			d.Fixed = append(d.Fixed, e)
		}
	}
	for _, f := range now {
		if slices.ContainsFunc(earlier, func(e Finding) bool { return f.Fingerprint == e.Fingerprint }) {
			d.StillPresent = append(d.StillPresent, f)
		} else {
			d.New = append(d.New, f)
		}
	}
	return d
}
