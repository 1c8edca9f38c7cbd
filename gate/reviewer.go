package gate

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// ReviewerOptions say what to judge. Criteria is the path of the manifest the review must answer, Repo the root its files
// must exist under; either may be empty.
type ReviewerOptions struct {
	File     string
	Stdin    io.Reader
	Criteria string
	Repo     string
	tweak
}

// CheckReviewer judges one review. Approval against a blocking finding is a contradiction.
func CheckReviewer(o ReviewerOptions) Result {
	const name = "reviewer"
	r := &report{}
	var in reviewWith
	if res, ok := read(name, o.File, o.Stdin, o.tweak, &in.Review, r); !ok {
		return res
	}
	if o.Criteria != "" {
		c, err := readCriteria(o.Criteria)
		if err != nil {
			return unreadable(name, o.File, err)
		}
		in.criteria = c
	}
	if o.Repo != "" {
		tree, err := openTree(o.Repo)
		if err != nil {
			return unreadable(name, o.File, err)
		}
		in.tree = tree
	}
	apply(reviewerRules(), in, r, o.without)
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d findings", len(in.Findings))
	return res
}

func readCriteria(path string) (*Criteria, error) {
	data, err := readBounded(path, nil)
	if err != nil {
		return nil, err
	}
	s, err := shapeOf("criteria", tweak{})
	if err != nil {
		return nil, err
	}
	r, c := &report{}, &Criteria{}
	load(data, s, c, r)
	if len(r.problems) > 0 {
		p := r.problems[0]
		return nil, fmt.Errorf("%s: %s: %s; want %s", path, p.Pointer, p.Cause, p.Want)
	}
	return c, nil
}

type reviewWith struct {
	Review
	criteria *Criteria
	tree     *tree
}

func reviewerRules() []rule[reviewWith] {
	return []rule[reviewWith]{
		{"relative-paths", func(v reviewWith, r *report) {
			for i, f := range v.Findings {
				checkPath(f.File, at("findings", i, "file"), r)
			}
			for i, c := range v.CannotVerify {
				checkPath(c.File, at("cannotVerify", i, "file"), r)
			}
		}},
		{"one-verdict-a-rule", oneVerdictARule},
		{"every-criterion-answered", everyCriterionAnswered},
		{"only-selected-criteria", onlySelectedCriteria},
		{"conformant-has-evidence", conformantHasEvidence},
		{"violated-has-finding", violatedHasFinding},
		{"place-exists", placeExists},
		{"evidence-exists", evidenceExists},
		{"approved-without-blocking", func(v reviewWith, r *report) {
			if n := blocking(v.Findings); v.Approved && n > 0 {
				r.correct("/approved", false, fmt.Sprintf("approved with %d blocking findings", n))
			}
		}},
	}
}

func blocking(findings []Finding) int {
	n := 0
	for _, f := range findings {
		if f.Severity == Blocking {
			n++
		}
	}
	return n
}

func oneVerdictARule(v reviewWith, r *report) {
	seen := map[RuleID]int{}
	for i, c := range v.Conformance {
		if j, twice := seen[c.RuleID]; twice {
			r.wrong(at("conformance", i, "ruleId"), fmt.Sprintf("%s has a verdict in row %d already", short(string(c.RuleID)), j), "one verdict a rule")
			continue
		}
		seen[c.RuleID] = i
	}
}

func everyCriterionAnswered(v reviewWith, r *report) {
	if v.criteria == nil {
		return
	}
	for _, id := range v.criteria.Selected {
		if !slices.ContainsFunc(v.Conformance, func(c Conformance) bool { return c.RuleID == id }) {
			r.wrong("/conformance", "the selected rule "+short(string(id))+" has no verdict", "a row with conformant, violated or not-applicable")
		}
	}
}

func onlySelectedCriteria(v reviewWith, r *report) {
	if v.criteria == nil {
		return
	}
	for i, c := range v.Conformance {
		if !slices.Contains(v.criteria.Selected, c.RuleID) {
			r.wrong(at("conformance", i, "ruleId"), short(string(c.RuleID))+" was not selected", "only the selected rules: "+joinIDs(v.criteria.Selected))
		}
	}
}

func conformantHasEvidence(v reviewWith, r *report) {
	if v.criteria == nil {
		return
	}
	for i, c := range v.Conformance {
		if _, _, ok := fileLine(string(c.Evidence)); c.Verdict == "conformant" && !ok {
			r.wrong(at("conformance", i, "evidence"), "conformant without a place in a file", "the file:line that shows it")
		}
	}
}

func violatedHasFinding(v reviewWith, r *report) {
	if v.criteria == nil {
		return
	}
	for i, c := range v.Conformance {
		has := slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.RuleID == c.RuleID })
		if c.Verdict == "violated" && !has {
			r.wrong(at("conformance", i), "violated, and no finding has the ruleId "+short(string(c.RuleID)), "a finding with that ruleId, or another verdict")
		}
	}
}

func placeExists(v reviewWith, r *report) {
	if v.tree == nil {
		return
	}
	for i, f := range v.Findings {
		if f.Side == OldSide {
			continue // the tree has the new files
		}
		v.tree.check(f.File, int(f.Line), at("findings", i), r)
	}
	for i, c := range v.CannotVerify {
		v.tree.check(c.File, 0, at("cannotVerify", i), r)
	}
}

func evidenceExists(v reviewWith, r *report) {
	if v.tree == nil {
		return
	}
	for i, c := range v.Conformance {
		if file, line, ok := fileLine(string(c.Evidence)); ok {
			v.tree.checkEvidence(file, line, at("conformance", i, "evidence"), r)
		}
	}
}

func joinIDs(ids []RuleID) string {
	var all []string
	for _, id := range ids {
		all = append(all, string(id))
	}
	return strings.Join(firstFew(all), ", ")
}
