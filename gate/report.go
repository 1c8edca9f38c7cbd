package gate

import "fmt"

// maxProblems bounds the errors one run remembers; no author reads more.
const maxProblems = 500

// report collects what the rules say.
type report struct {
	rule        string
	problems    []Problem
	corrections []Correction
	warnings    []string
	facts       map[string]any
}

// wrong notes an error at pointer: cause says what is there, want what would be right.
func (r *report) wrong(pointer, cause, want string) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, Problem{Pointer: pointer, Rule: r.rule, Cause: cause, Want: want})
	}
}

func (r *report) correct(pointer string, value any, reason string) {
	r.corrections = append(r.corrections, Correction{Pointer: pointer, Value: value, Reason: reason})
}

func (r *report) warn(format string, args ...any) {
	r.warnings = append(r.warnings, fmt.Sprintf(format, args...))
}

func (r *report) fact(name string, value any) {
	if r.facts == nil {
		r.facts = map[string]any{}
	}
	r.facts[name] = value
}

// rule is one named sentence of a gate's contract.
type rule[T any] struct {
	name  string
	check func(in T, r *report)
}

// apply runs every rule but the one named without.
func apply[T any](rules []rule[T], in T, r *report, without string) {
	for _, x := range rules {
		if x.name == without {
			continue
		}
		r.rule = x.name
		x.check(in, r)
	}
}

// result turns a report into the gate's answer: errors outrank contradictions.
func (r *report) result(gate, file string) Result {
	out := Result{Gate: gate, File: file, Problems: r.problems, Corrections: r.corrections, Warnings: r.warnings, Facts: r.facts}
	switch {
	case len(r.problems) > 0:
		out.Exit, out.Corrections = Malformed, nil
	case len(r.corrections) > 0:
		out.Exit = Contradiction
	}
	return out
}

// unreadable is the answer when a gate has nothing to judge.
func unreadable(gate, file string, err error) Result {
	return Result{Gate: gate, File: file, Exit: Unreadable, Problems: []Problem{{Rule: "readable", Cause: err.Error(), Want: "a readable file of at most 8 MiB"}}}
}

// at joins parts to a JSON pointer; strings are names of fields, ints positions in lists.
func at(parts ...any) string {
	var p string
	for _, part := range parts {
		p += fmt.Sprintf("/%v", part)
	}
	return p
}
