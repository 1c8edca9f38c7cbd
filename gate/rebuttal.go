package gate

import (
	"encoding/json"
	"fmt"
	"io"
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
			if !v.compared {
				return
			}
			made := map[Disagreement]bool{}
			for _, f := range v.others.Findings {
				made[Disagreement{File: f.File, Line: f.Line, Issue: f.Issue}] = true
			}
			for i, d := range v.Disagreements {
				if !made[d.subject()] {
					r.wrong(at("disagreements", i), fmt.Sprintf("no finding of the others stands at %s:%d with that issue", short(string(d.File)), d.Line), "file, line and issue as the finding has them")
				}
			}
		}},
		{"answered-once", func(v rebuttalWith, r *report) {
			answered := map[Disagreement]int{}
			for i, d := range v.Disagreements {
				if j, twice := answered[d.subject()]; twice {
					r.wrong(at("disagreements", i), fmt.Sprintf("answers the finding of row %d again", j), "each finding once")
					continue
				}
				answered[d.subject()] = i
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

// subject is the finding that d is about, without what d says of it.
func (d Disagreement) subject() Disagreement {
	d.Note = ""
	return d
}
