package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
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
	lenders := look.traitsOf(earlier)
	for i, f := range out {
		if f.Fingerprint == "" && len(lenders) > 0 {
			out[i].Fingerprint = inherited(look.traits(f), lenders, taken)
		}
		taken[out[i].Fingerprint] = true
	}
	known := map[string]Fingerprint{} // by what identical findings share
	for _, f := range out {
		if _, there := known[likeness(f)]; f.Fingerprint != "" && !there {
			known[likeness(f)] = f.Fingerprint
		}
	}
	numbers := map[string]int{}
	for _, i := range byPlace(out) {
		if out[i].Fingerprint != "" {
			continue
		}
		like := likeness(out[i])
		if known[like] == "" {
			known[like] = fresh(look.base(out[i]), numbers, taken)
			taken[known[like]] = true
		}
		out[i].Fingerprint = known[like]
	}
	return out
}

// fresh numbers findings that nothing but their place tells apart, from the top of the file. numbers holds the last one
// that each base got.
func fresh(base string, numbers map[string]int, taken map[Fingerprint]bool) Fingerprint {
	for {
		numbers[base]++
		sum := sha256.Sum256(fmt.Appendf(nil, "viber finding 1\n%s\n%d", base, numbers[base]))
		f := Fingerprint(hex.EncodeToString(sum[:8]))
		if !taken[f] {
			return f
		}
	}
}

func inherited(f traits, earlier []traits, taken map[Fingerprint]bool) Fingerprint {
	for _, e := range earlier {
		if e.Fingerprint != "" && !taken[e.Fingerprint] && same(e, f) {
			return e.Fingerprint
		}
	}
	return ""
}

// likeness is equal for findings that are one: the same place, the same rule, the same words.
func likeness(f Finding) string {
	return fmt.Sprintf("%s\n%d\n%t\n%s\n%s", f.File, f.Line, f.Side == OldSide, f.RuleID, bare(string(f.Issue)))
}

// traits is a finding with what is compared of it, worked out once.
type traits struct {
	Finding
	file, words, quoted, topic string
	terms                      []string
}

func (l Look) traits(f Finding) traits {
	issue := string(f.Issue)
	return traits{Finding: f, file: l.file(f.File), words: bare(issue), quoted: firstQuoted(issue), topic: topic(issue), terms: terms(issue)}
}

func (l Look) traitsOf(findings []Finding) []traits {
	all := make([]traits, len(findings))
	for i, f := range findings {
		all[i] = l.traits(f)
	}
	return all
}

// byPlace lists the positions of findings in the order of their file and line.
func byPlace(findings []Finding) []int {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		x, y := findings[order[i]], findings[order[j]]
		return x.File < y.File || x.File == y.File && x.Line < y.Line
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
func same(a, b traits) bool {
	if a.Fingerprint != "" && a.Fingerprint == b.Fingerprint {
		return true
	}
	if a.file != b.file || a.RuleID != "" && b.RuleID != "" && a.RuleID != b.RuleID {
		return false
	}
	if a.Fingerprint != "" && a.RuleID == b.RuleID && a.words == b.words {
		return false // the same words: their own places tell them apart
	}
	if a.quoted != "" && b.quoted != "" && a.quoted != b.quoted {
		return false
	}
	alike := overlap(a.terms, b.terms)
	if a.RuleID != "" && a.RuleID == b.RuleID || a.topic != "" && a.topic == b.topic {
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
