package gate

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// TDDOptions say what to judge. Added are the files the diff adds, when known.
type TDDOptions struct {
	File  string
	Stdin io.Reader
	Added []string
	tweak
}

// CheckTDD judges the evidence of test-first work: a failing run before the passing one, of the same
// command; a Reuse todo writes no new file.
func CheckTDD(o TDDOptions) Result {
	const name = "tdd"
	r := &report{}
	in := tddWith{added: o.Added}
	if res, ok := read(name, o.File, o.Stdin, o.tweak, &in.TDD, r); !ok {
		return res
	}
	apply(tddRules(), in, r, o.without)
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d todos", len(in.Todos))
	return res
}

type tddWith struct {
	TDD
	added []string
}

// tested are the todos that need evidence, with their positions.
func (t tddWith) tested(visit func(i int, x Todo)) {
	for i, x := range t.Todos {
		if x.Exempt == "" && x.SourceTag != "Reuse" {
			visit(i, x)
		}
	}
}

func tddRules() []rule[tddWith] {
	return []rule[tddWith]{
		{"unique-ids", func(t tddWith, r *report) {
			seen := map[TaskID]bool{}
			for i, x := range t.Todos {
				if seen[x.ID] && x.ID != "" {
					r.wrong(at("todos", i, "id"), short(string(x.ID))+" stands twice", "an id of its own")
				}
				seen[x.ID] = true
			}
		}},
		{"red-there", func(t tddWith, r *report) {
			t.tested(func(i int, x Todo) {
				if x.Red == nil {
					r.wrong(at("todos", i, "red"), "no failing run", "the run of the new test before the change, or exempt with a reason")
				}
			})
		}},
		{"green-there", func(t tddWith, r *report) {
			t.tested(func(i int, x Todo) {
				if x.Green == nil {
					r.wrong(at("todos", i, "green"), "no passing run", "the run of the same command after the change")
				}
			})
		}},
		{"red-failed", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				if x.Red != nil && x.Red.Exit == 0 {
					r.wrong(at("todos", i, "red", "exit"), "the run ended 0: the test did not fail before the change", "a status other than 0")
				}
			}
		}},
		{"green-passed", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				if x.Green != nil && x.Green.Exit != 0 {
					r.wrong(at("todos", i, "green", "exit"), fmt.Sprintf("the run ended %d", x.Green.Exit), "0")
				}
			}
		}},
		{"red-before-green", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				if x.Red != nil && x.Green != nil && !moment(x.Red.At).Before(moment(x.Green.At)) {
					r.wrong(at("todos", i, "red", "at"), fmt.Sprintf("the failing run (%s) is not before the passing one (%s)", x.Red.At, x.Green.At), "the test first, then the change")
				}
			}
		}},
		{"same-command", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				if x.Red != nil && x.Green != nil && x.Red.Command != "" && folded(string(x.Red.Command)) != folded(string(x.Green.Command)) {
					r.wrong(at("todos", i, "green", "command"), "not the command that failed", string(x.Red.Command))
				}
			}
		}},
		{"real-exemption", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				if x.Exempt != "" && emptyReason(string(x.Exempt)) {
					r.wrong(at("todos", i, "exempt"), short(string(x.Exempt))+" is no reason", "a sentence that says why no test can fail first")
				}
			}
		}},
		{"reuse-writes-nothing-new", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				if x.SourceTag == "Reuse" && len(x.Created) > 0 {
					r.wrong(at("todos", i, "created"), "a Reuse todo created "+short(string(x.Created[0])), "the file that is there already, or the tag New")
				}
			}
		}},
		{"reuse-adds-nothing-to-diff", func(t tddWith, r *report) {
			for i, x := range t.Todos {
				for j, f := range x.Files {
					if x.SourceTag == "Reuse" && slices.Contains(t.added, clean(f)) {
						r.wrong(at("todos", i, "files", j), "the diff adds "+short(string(f))+", a Reuse todo's file", "the file that is there already, or the tag New")
					}
				}
			}
		}},
	}
}

func moment(s Stamp) time.Time {
	t, _ := time.Parse(time.RFC3339, string(s))
	return t
}
