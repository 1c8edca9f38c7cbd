package gate

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// RebuttalOptions say what to judge: a rebuttal and, when given, the file of the findings it answers.
type RebuttalOptions struct {
	File     string
	Stdin    io.Reader
	Findings string
	tweak
}

// CheckRebuttal judges where one reviewer disagrees with what the others found: every point names one of their findings as it
// stands, each once, with a reason.
func CheckRebuttal(o RebuttalOptions) Result {
	const name = "rebuttal"
	r := &report{}
	var in rebuttalWith
	if res, ok := read(name, o.File, o.Stdin, o.tweak, &in.Rebuttal, r); !ok {
		return res
	}
	if o.Findings != "" {
		data, err := readBounded(o.Findings, nil)
		if err != nil {
			return unreadable(name, o.File, err)
		}
		if err := json.Unmarshal(data, &in.others); err != nil {
			return unreadable(name, o.File, fmt.Errorf("%s: %w", o.Findings, err))
		}
		in.compared = true
	}
	apply(rebuttalRules(), in, r, o.without)
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d disagreements", len(in.Disagreements))
	return res
}

// Others are the findings that one reviewer is asked about, each with the reviewer who made it.
type Others struct {
	Findings []Accepted `json:"findings"`
}

type rebuttalWith struct {
	Rebuttal
	compared bool
	others   Others
}

func rebuttalRules() []rule[rebuttalWith] {
	return []rule[rebuttalWith]{
		{"names-a-finding", func(v rebuttalWith, r *report) {
			for i, d := range v.Disagreements {
				if v.compared && !slices.ContainsFunc(v.others.Findings, d.isAbout) {
					r.wrong(at("disagreements", i), fmt.Sprintf("no finding of the others stands at %s:%d with that issue", short(string(d.File)), d.Line), "file, line and issue as the finding has them")
				}
			}
		}},
		{"answered-once", func(v rebuttalWith, r *report) {
			for i, d := range v.Disagreements {
				if j := slices.IndexFunc(v.Disagreements, func(e Disagreement) bool { return e.File == d.File && e.Line == d.Line && e.Issue == d.Issue }); j < i {
					r.wrong(at("disagreements", i), fmt.Sprintf("answers the finding of row %d again", j), "each finding once")
				}
			}
		}},
		{"note-has-reason", func(v rebuttalWith, r *report) {
			for i, d := range v.Disagreements {
				if emptyReason(string(d.Note)) {
					r.wrong(at("disagreements", i, "note"), "no reason why the finding does not hold", "what the finding overlooks, and where it can be seen")
				}
			}
		}},
	}
}

func (d Disagreement) isAbout(f Accepted) bool {
	return f.File == d.File && f.Line == d.Line && f.Issue == d.Issue
}
