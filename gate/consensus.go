package gate

import (
	"fmt"
	"io"
	"time"
)

// ConsensusOptions say what to judge: a triage and, when given, the reviews it speaks of.
type ConsensusOptions struct {
	File      string
	Stdin     io.Reader
	Reviewers string
	Since     time.Time
	tweak
}

// CheckConsensus judges the consensus block of a triage: the verdict must follow from the reviews, a split names its points.
func CheckConsensus(o ConsensusOptions) Result {
	const name = "consensus"
	r := &report{}
	in := consensusWith{}
	data, err := readBounded(o.File, o.Stdin)
	if err != nil {
		return unreadable(name, o.File, err)
	}
	s, err := shapeOf("triage", o.tweak)
	if err != nil {
		return unreadable(name, o.File, err)
	}
	if !load(data, s, &in.Triage, r) {
		return r.result(name, o.File)
	}
	if o.Reviewers != "" {
		in.reviews, _, err = readReviews(o.Reviewers, o.Since)
		if err != nil {
			return unreadable(name, o.File, err)
		}
		in.compared = true
	}
	apply(consensusRules(), in, r, o.without)
	res := r.result(name, o.File)
	if in.Consensus != nil {
		res.Summary = fmt.Sprintf(", %s of %d", in.Consensus.Verdict, in.Consensus.ReviewerCount)
	}
	return res
}

type consensusWith struct {
	Triage
	compared bool
	reviews  []reviewFile
}

func consensusRules() []rule[consensusWith] {
	return []rule[consensusWith]{
		{"consensus-there", func(t consensusWith, r *report) {
			if t.Consensus == nil {
				r.wrong("/consensus", "there is no consensus", `{"reviewerCount": <n>, "verdict": "unanimous-pass|unanimous-block|split|unverified"}`)
			}
		}},
		{"split-names-points", func(t consensusWith, r *report) {
			if c := t.Consensus; c != nil && c.Verdict == "split" && len(c.Disagreements) == 0 {
				r.wrong("/consensus/disagreements", "a split without a disagreement", "each point: file, line, issue, note")
			}
		}},
		{"unanimous-has-no-points", func(t consensusWith, r *report) {
			if c := t.Consensus; c != nil && (c.Verdict == "unanimous-pass" || c.Verdict == "unanimous-block") && len(c.Disagreements) > 0 {
				r.wrong("/consensus/disagreements", fmt.Sprintf("%s with %d disagreements", c.Verdict, len(c.Disagreements)), "no disagreements, or the verdict split")
			}
		}},
		{"true-reviewer-count", func(t consensusWith, r *report) {
			if c := t.Consensus; c != nil && t.compared && c.ReviewerCount != len(t.reviews) {
				r.correct("/consensus/reviewerCount", len(t.reviews), fmt.Sprintf("%d reviews of this round are there", len(t.reviews)))
			}
		}},
		{"true-verdict", func(t consensusWith, r *report) {
			if c := t.Consensus; c != nil && t.compared && c.Verdict != t.verdict() {
				r.correct("/consensus/verdict", t.verdict(), t.count())
			}
		}},
		{"pass-means-approved", func(t consensusWith, r *report) {
			if c := t.Consensus; c != nil && c.Verdict == "unanimous-block" && t.Approved && len(t.Accepted) > 0 {
				r.correct("/approved", false, "every reviewer blocks and findings were accepted")
			}
		}},
	}
}

// verdict follows from the reviews alone; one review is nobody's agreement.
func (t consensusWith) verdict() ConsensusVerdict {
	pass := t.passes()
	switch {
	case len(t.reviews) < 2:
		return "unverified"
	case pass == len(t.reviews):
		return "unanimous-pass"
	case pass == 0:
		return "unanimous-block"
	}
	return "split"
}

func (t consensusWith) passes() int {
	n := 0
	for _, rv := range t.reviews {
		if rv.Approved && blocking(rv.Findings) == 0 {
			n++
		}
	}
	return n
}

func (t consensusWith) count() string {
	return fmt.Sprintf("%d of %d reviews approve", t.passes(), len(t.reviews))
}
