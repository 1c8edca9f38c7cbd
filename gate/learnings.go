package gate

import (
	"fmt"
	"io"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"viber/internal/secrets"
)

// LearningsOptions say what to judge.
type LearningsOptions struct {
	File  string
	Stdin io.Reader
	tweak
}

// CheckLearnings judges what a run wants the project to remember: single sentences with a scope,
// nothing twice, no credential.
func CheckLearnings(o LearningsOptions) Result {
	const name = "learnings"
	r := &report{}
	var in Learnings
	if res, ok := read(name, o.File, o.Stdin, o.tweak, &in, r); !ok {
		return res
	}
	apply(learningsRules(), in, r, o.without)
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d learnings", len(in.Learnings))
	return res
}

func learningsRules() []rule[Learnings] {
	return []rule[Learnings]{
		{"one-sentence", func(l Learnings, r *report) {
			for i, x := range l.Learnings {
				if cause, want := StatementProblem(string(x.Statement)); cause != "" {
					r.wrong(at("learnings", i, "statement"), cause, want)
				}
			}
		}},
		{"glob-scope", func(l Learnings, r *report) {
			for i, x := range l.Learnings {
				if cause, want := ScopeProblem(string(x.Scope)); cause != "" {
					r.wrong(at("learnings", i, "scope"), cause, want)
				}
			}
		}},
		{"no-repeats", func(l Learnings, r *report) {
			seen := map[string]int{}
			for i, x := range l.Learnings {
				key := bare(string(x.Statement))
				if j, twice := seen[key]; twice {
					r.wrong(at("learnings", i, "statement"), fmt.Sprintf("says the same as entry %d", j), "each learning once")
					continue
				}
				seen[key] = i
			}
		}},
		{"no-secret", func(l Learnings, r *report) {
			for i, x := range l.Learnings {
				if found := secrets.Find([]byte(x.Statement)); len(found) > 0 {
					r.wrong(at("learnings", i, "statement"), "holds a credential ("+found[0].Rule+")", "the sentence without it")
				}
			}
		}},
	}
}

// StatementProblem says why a text cannot be remembered as one sentence; empty when it can.
func StatementProblem(statement string) (cause, want string) {
	const longest = 300
	switch words := strings.Fields(bare(statement)); {
	case strings.ContainsAny(strings.TrimSpace(statement), "\n\r"):
		return "the statement has several lines", "one sentence on one line"
	case len([]rune(statement)) > longest:
		return fmt.Sprintf("the statement has %d characters", len([]rune(statement))), fmt.Sprintf("at most %d", longest)
	case len(words) < 3 || isPlaceholder(strings.Join(words, " ")):
		return short(statement) + " says too little", "a sentence that a stranger understands"
	}
	return "", ""
}

// ScopeProblem says why a text is no glob over the project's files; empty when it is.
func ScopeProblem(scope string) (cause, want string) {
	switch {
	case strings.HasPrefix(scope, "/") || strings.Contains(scope, `\`) || len(scope) > 1 && scope[1] == ':' || hasDotDot(scope):
		return short(scope) + " is not relative to the project", "a glob such as src/api/**"
	case !doublestar.ValidatePattern(scope):
		return short(scope) + " is not a valid glob", "a glob such as src/api/**"
	}
	return "", ""
}
