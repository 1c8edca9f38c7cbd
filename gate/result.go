// Package gate judges what models write. A gate reads one file, checks its shape against a JSON Schema and its sense
// against named rules, and says everything that is wrong at once; the exit code decides, not the model's turn.
package gate

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The exit codes of every gate.
const (
	Valid         = 0  // the file holds
	Malformed     = 1  // the author corrects it once; a second time the run halts
	Contradiction = 2  // the caller applies the named corrections and goes on
	Unreadable    = 3  // there is nothing to judge: no file, no permission, too large
	UsageError    = 64 // the command line is wrong
)

// outputLimit bounds what a gate prints about errors, in characters: it is handed back to a model whole.
const outputLimit = 2000

// Problem is one thing that is wrong: where (a JSON pointer), the rule it breaks, why, and what would be right.
type Problem struct {
	Pointer string `json:"pointer"`
	Rule    string `json:"rule"`
	Cause   string `json:"cause"`
	Want    string `json:"want"`
}

// Correction is a change the caller makes to a file that contradicts itself.
type Correction struct {
	Pointer string `json:"pointer"`
	Value   any    `json:"value"`
	Reason  string `json:"reason"`
}

// Result is a gate's answer about one file.
type Result struct {
	Gate        string
	File        string
	Exit        int
	Problems    []Problem
	Corrections []Correction
	Warnings    []string
	Facts       map[string]any // what this gate found beside errors, by name: unjustified, stale, ask ...
	Summary     string         // one line for people when all is well
}

// JSON returns the answer as one object. Errors that do not fit the limit are counted in errorsOmitted.
func (r Result) JSON() ([]byte, error) {
	shown := len(r.Problems)
	for {
		text, err := json.Marshal(r.object(shown))
		if err != nil || shown == 0 || utf8.RuneCount(text) <= outputLimit {
			return append(text, '\n'), err
		}
		shown -= max(1, shown/8)
	}
}

func (r Result) object(shown int) map[string]any {
	o := map[string]any{"gate": r.Gate, "file": r.File, "valid": r.Exit == Valid, "exit": r.Exit, "errors": notNil(r.Problems[:shown])}
	if left := len(r.Problems) - shown; left > 0 {
		o["errorsOmitted"] = left
	}
	if len(r.Corrections) > 0 {
		o["corrections"] = r.Corrections
	}
	if len(r.Warnings) > 0 {
		o["warnings"] = firstFew(r.Warnings)
	}
	for name, fact := range r.Facts {
		o[name] = fact
	}
	return o
}

// Text returns the answer for people and prompts: one line an error, the rest counted.
func (r Result) Text() string {
	var b strings.Builder
	if r.Exit == Valid {
		fmt.Fprintf(&b, "%s: %s: ok%s\n", r.Gate, r.File, r.Summary)
	}
	for _, c := range r.Corrections {
		value, _ := json.Marshal(c.Value)
		fmt.Fprintf(&b, "correct %s=%s: %s\n", strings.TrimPrefix(c.Pointer, "/"), value, c.Reason)
	}
	size := utf8.RuneCountInString(b.String())
	for i, p := range r.Problems {
		line := p.line()
		size += utf8.RuneCountInString(line)
		if size > outputLimit-40 {
			fmt.Fprintf(&b, "... and %d more errors\n", len(r.Problems)-i)
			break
		}
		b.WriteString(line)
	}
	for _, w := range firstFew(r.Warnings) {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
}

func (p Problem) line() string {
	where := p.Pointer
	if where == "" {
		where = "(whole file)"
	}
	return fmt.Sprintf("error %s: %s; want: %s [%s]\n", where, p.Cause, p.Want, p.Rule)
}

func firstFew(lines []string) []string {
	const few = 8
	if len(lines) <= few {
		return lines
	}
	return append(append([]string{}, lines[:few]...), fmt.Sprintf("and %d more", len(lines)-few))
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// short quotes a value for a message, cut to a length that keeps the message readable.
func short(text string) string {
	const limit = 60
	if utf8.RuneCountInString(text) > limit {
		text = string([]rune(text)[:limit]) + "..."
	}
	return fmt.Sprintf("%q", text)
}
