package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// TriageOptions say what to judge: the triage and the directory of the round's reviews.
type TriageOptions struct {
	File      string
	Stdin     io.Reader
	Reviewers string    // directory of reviewer-*.json; empty: the reviews are not compared
	Since     time.Time // start of the round; zero: what StartRound recorded in the directory
	Look      Look
	tweak
}

// CheckTriage judges a triage against the reviews it stands on: no finding lost, doubled or invented,
// every open requirement settled, approval and count true.
func CheckTriage(o TriageOptions) Result {
	const name = "triage"
	r := &report{}
	in := triageWith{look: o.Look}
	if res, ok := read(name, o.File, o.Stdin, o.tweak, &in.Triage, r); !ok {
		return res
	}
	if o.Reviewers != "" {
		reviews, ignored, err := readReviews(o.Reviewers, o.Since)
		if err != nil {
			return unreadable(name, o.File, err)
		}
		for _, file := range ignored {
			r.warn("%s is older than the round's start and was ignored", file)
		}
		in.reviews, in.compared = reviews, true
	}
	in.prepare()
	apply(triageRules(), in, r, o.without)
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d accepted, %d deferred, %d rejected", len(in.Accepted), len(in.Deferred), len(in.Rejected))
	return res
}

type triageWith struct {
	Triage
	look     Look
	compared bool
	reviews  []reviewFile
	rows     []row // every finding of the triage
	made     []made

	// filled in by match
	makers  map[Fingerprint][]string // reviewers of each finding
	judged  map[Fingerprint]bool     // findings of the triage
	renamed map[string]int           // first row no reviewer made, by its spot
	changed map[string]int           // finding whose fingerprint the row there has changed
}

// row is a finding of the triage with its place and whether its identity stood in the file.
type row struct {
	Finding
	where    string
	list     string
	reviewer string
	echoed   bool
}

// made is a finding as a reviewer made it.
type made struct {
	Finding
	reviewer, file string
}

func (t *triageWith) prepare() {
	var plain []Finding
	add := func(f Finding, where, list, reviewer string) {
		t.rows = append(t.rows, row{Finding: f, where: where, list: list, reviewer: reviewer, echoed: f.Fingerprint != ""})
		plain = append(plain, f)
	}
	for i, a := range t.Accepted {
		add(a.Finding, at("accepted", i), "accepted", string(a.Reviewer))
	}
	for i, d := range t.Deferred {
		add(d.Finding.Plain(), at("deferred", i, "finding"), "deferred", string(d.Finding.Reviewer))
	}
	for i, d := range t.Rejected {
		add(d.Finding.Plain(), at("rejected", i, "finding"), "rejected", string(d.Finding.Reviewer))
	}
	for _, rv := range t.reviews {
		for _, f := range Annotate(rv.Findings, nil, t.look) {
			t.made = append(t.made, made{f, string(rv.Reviewer), rv.file})
		}
	}
	for i, f := range Annotate(plain, t.madeFindings(), t.look) {
		t.rows[i].Finding = f
	}
	t.match()
}

// match finds once what the rules ask of each finding: who made it, whether it is judged, and under which other fingerprint.
func (t *triageWith) match() {
	t.makers, t.judged, t.renamed, t.changed = map[Fingerprint][]string{}, map[Fingerprint]bool{}, map[string]int{}, map[string]int{}
	for _, m := range t.made {
		t.makers[m.Fingerprint] = append(t.makers[m.Fingerprint], m.reviewer)
	}
	for i, x := range t.rows {
		t.judged[x.Fingerprint] = true
		if _, there := t.renamed[spot(x.Finding)]; x.echoed && !t.isMade(x.Fingerprint) && !there {
			t.renamed[spot(x.Finding)] = i
		}
	}
	for i, m := range t.made {
		if x := t.renamedRow(m); x != nil {
			if _, there := t.changed[x.where]; !there {
				t.changed[x.where] = i
			}
		}
	}
}

// spot is the place and the words of a finding.
func spot(f Finding) string {
	return fmt.Sprintf("%s\n%d\n%s", clean(f.File), f.Line, bare(string(f.Issue)))
}

func (t *triageWith) madeFindings() []Finding {
	var all []Finding
	for _, m := range t.made {
		all = append(all, m.Finding)
	}
	return all
}

func triageRules() []rule[triageWith] {
	return []rule[triageWith]{
		{"relative-paths", func(t triageWith, r *report) {
			for _, x := range t.rows {
				checkPath(x.File, x.where+"/file", r)
			}
		}},
		{"every-finding-judged", everyFindingJudged},
		{"judged-once", judgedOnce},
		{"no-new-finding", noNewFinding},
		{"fingerprint-kept", fingerprintKept},
		{"known-reviewer", knownReviewer},
		{"requirements-settled", requirementsSettled},
		{"verified-has-place", func(t triageWith, r *report) {
			for i, s := range t.CannotVerify {
				if _, _, ok := fileLine(s.Evidence); s.Resolution == "verified" && !ok {
					r.wrong(at("cannotVerify", i, "evidence"), "verified without the place that was read", "file:line")
				}
			}
		}},
		{"finding-evidence-is-a-finding", findingEvidence},
		{"out-of-scope-has-reason", func(t triageWith, r *report) {
			for i, s := range t.CannotVerify {
				if s.Resolution == "out-of-scope" && emptyReason(s.Evidence) {
					r.wrong(at("cannotVerify", i, "evidence"), "no reason why this is out of scope", "a sentence")
				}
			}
		}},
		{"deferred-has-reason", func(t triageWith, r *report) { reasons(t.Deferred, "deferred", r) }},
		{"rejected-has-reason", func(t triageWith, r *report) { reasons(t.Rejected, "rejected", r) }},
		{"approved-without-blocking", func(t triageWith, r *report) {
			n := 0
			for _, a := range t.Accepted {
				if a.Severity == Blocking {
					n++
				}
			}
			if t.Approved && n > 0 {
				r.correct("/approved", false, fmt.Sprintf("approved with %d accepted blocking findings", n))
			}
		}},
		{"true-reviewer-count", func(t triageWith, r *report) {
			if t.compared && t.Consensus != nil && t.Consensus.ReviewerCount != len(t.reviews) {
				r.correct("/consensus/reviewerCount", len(t.reviews), fmt.Sprintf("%d reviews of this round are there", len(t.reviews)))
			}
		}},
	}
}

func everyFindingJudged(t triageWith, r *report) {
	told := map[Fingerprint]bool{}
	for _, m := range t.made {
		if told[m.Fingerprint] || t.judged[m.Fingerprint] || t.renamedRow(m) != nil {
			continue
		}
		told[m.Fingerprint] = true
		r.wrong("", fmt.Sprintf("%s's finding %s (%s:%d, %s) is in none of the three lists", m.reviewer, m.Fingerprint, m.File, m.Line, short(string(m.Issue))), "this finding in accepted, deferred or rejected")
	}
}

// renamedRow finds the row that carries a reviewer's finding under another fingerprint.
func (t triageWith) renamedRow(m made) *row {
	if i, there := t.renamed[spot(m.Finding)]; there {
		return &t.rows[i]
	}
	return nil
}

func (t triageWith) isMade(f Fingerprint) bool { return len(t.makers[f]) > 0 }

func judgedOnce(t triageWith, r *report) {
	first := map[Fingerprint]row{}
	for _, x := range t.rows {
		old, seen := first[x.Fingerprint]
		if seen && old.list != x.list {
			r.wrong(x.where, fmt.Sprintf("finding %s stands in %s already (%s)", x.Fingerprint, old.list, old.where), "each finding in one list")
		}
		if !seen {
			first[x.Fingerprint] = x
		}
	}
}

func noNewFinding(t triageWith, r *report) {
	if !t.compared {
		return
	}
	for _, x := range t.rows {
		if t.isMade(x.Fingerprint) || t.changedFrom(x) != nil {
			continue
		}
		r.wrong(x.where, fmt.Sprintf("no reviewer made this finding (%s:%d, %s)", x.File, x.Line, short(string(x.Issue))), "only the reviewers' findings, each with its fingerprint")
	}
}

// changedFrom finds the reviewer's finding whose fingerprint a row has changed.
func (t triageWith) changedFrom(x row) *made {
	if i, there := t.changed[x.where]; there {
		return &t.made[i]
	}
	return nil
}

func fingerprintKept(t triageWith, r *report) {
	for _, x := range t.rows {
		if m := t.changedFrom(x); m != nil {
			r.wrong(x.where+"/fingerprint", fmt.Sprintf("the fingerprint was changed to %s", short(string(x.Fingerprint))), string(m.Fingerprint))
		}
	}
}

func knownReviewer(t triageWith, r *report) {
	if !t.compared {
		return
	}
	for _, x := range t.rows {
		if x.list != "accepted" || x.reviewer == "" || !t.isMade(x.Fingerprint) {
			continue
		}
		names := slices.Clone(t.makers[x.Fingerprint])
		if !slices.Contains(names, x.reviewer) {
			r.wrong(x.where+"/reviewer", short(x.reviewer)+" did not make this finding", "one of "+strings.Join(slices.Compact(names), ", "))
		}
	}
}

func requirementsSettled(t triageWith, r *report) {
	told := map[string]bool{}
	for _, rv := range t.reviews {
		for _, c := range rv.CannotVerify {
			key := bare(string(c.Requirement))
			settled := slices.ContainsFunc(t.CannotVerify, func(s Settled) bool { return bare(string(s.Requirement)) == key })
			if !settled && !told[key] {
				told[key] = true
				r.wrong("/cannotVerify", fmt.Sprintf("%s could not verify %s, and nothing settles it", rv.Reviewer, short(string(c.Requirement))), "a row with the same requirement and verified, finding or out-of-scope")
			}
		}
	}
}

func findingEvidence(t triageWith, r *report) {
	for i, s := range t.CannotVerify {
		if s.Resolution != "finding" {
			continue
		}
		file, line, ok := fileLine(s.Evidence)
		known := slices.ContainsFunc(t.rows, func(x row) bool {
			return x.list != "rejected" && clean(x.File) == clean(Path(file)) && int(x.Line) == line
		})
		if !ok || !known {
			r.wrong(at("cannotVerify", i, "evidence"), short(s.Evidence)+" is not the place of an accepted or deferred finding", "that finding's file:line")
		}
	}
}

func reasons(list []Judged, name string, r *report) {
	for i, j := range list {
		if emptyReason(j.Reason) {
			r.wrong(at(name, i, "reason"), "the reason is empty or a placeholder", "a sentence that says why")
		}
	}
}

func emptyReason(text string) bool {
	plain := bare(text)
	return plain == "" || isPlaceholder(plain)
}
