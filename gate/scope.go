package gate

import (
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"
)

// DiffFile is one file of a diff: its path, the path it had before a rename, and git's status letter.
type DiffFile struct {
	Path, Old string
	Status    byte
}

// ScopeOptions say what to judge: the record and the files of the diff.
type ScopeOptions struct {
	File  string
	Stdin io.Reader
	Diff  []DiffFile
	tweak
}

// CheckScope judges the hand-off record of a change: every file of the diff has a reason that says something.
// Facts: unjustified (paths), stale (reasons for files that are not in the diff).
func CheckScope(o ScopeOptions) Result {
	const name = "scope"
	r := &report{}
	in := scopeWith{diff: o.Diff}
	if res, ok := read(name, o.File, o.Stdin, o.tweak, &in.Scope, r); !ok {
		return res
	}
	in.reasons = map[string]int{}
	for i, f := range in.Files {
		if _, seen := in.reasons[clean(f.Path)]; !seen {
			in.reasons[clean(f.Path)] = i
		}
	}
	apply(scopeRules(), in, r, o.without)
	r.fact("unjustified", notNil(in.unjustified()))
	if stale := in.stale(); len(stale) > 0 {
		r.fact("stale", stale)
		r.warn("reasons for files that are not in the diff: %s", strings.Join(firstFew(stale), ", "))
	}
	res := r.result(name, o.File)
	res.Summary = fmt.Sprintf(", %d files, %d not done", len(in.Files), len(in.NotDone))
	return res
}

type scopeWith struct {
	Scope
	diff    []DiffFile
	reasons map[string]int // clean path -> index in Files
}

func scopeRules() []rule[scopeWith] {
	return []rule[scopeWith]{
		{"relative-paths", func(s scopeWith, r *report) {
			for i, f := range s.Files {
				checkPath(f.Path, at("files", i, "path"), r)
			}
			for i, f := range s.Simplifier {
				checkPath(f.Path, at("simplifier", i, "path"), r)
			}
		}},
		{"one-reason-a-file", func(s scopeWith, r *report) {
			for i, f := range s.Files {
				if first := s.reasons[clean(f.Path)]; first != i && f.Path != "" {
					r.wrong(at("files", i, "path"), fmt.Sprintf("%s stands in entry %d too", short(string(f.Path)), first), "each file once")
				}
			}
		}},
		{"justified", func(s scopeWith, r *report) {
			for _, d := range s.diff {
				if _, there := s.reason(d); !there {
					r.wrong("/files", d.name()+" has no reason", fmt.Sprintf(`{"path": %q, "reason": "<why this file had to change>"}`, d.Path))
				}
			}
		}},
		{"no-placeholder", func(s scopeWith, r *report) {
			for i, f := range s.Files {
				if why := placeholder(f.Reason, f.Path); why != "" {
					r.wrong(at("files", i, "reason"), why, "a sentence that says why this file had to change")
				}
			}
		}},
	}
}

func (d DiffFile) name() string {
	if d.Old != "" {
		return fmt.Sprintf("%q (was %q)", d.Path, d.Old)
	}
	if d.Status == 'D' {
		return fmt.Sprintf("%q (deleted)", d.Path)
	}
	return fmt.Sprintf("%q", d.Path)
}

// reason finds the record's entry for a file of the diff, under either of its names.
func (s scopeWith) reason(d DiffFile) (FileReason, bool) {
	for _, p := range []string{d.Path, d.Old} {
		if i, there := s.reasons[path.Clean(p)]; there && p != "" {
			return s.Files[i], true
		}
	}
	return FileReason{}, false
}

func (s scopeWith) unjustified() []string {
	var all []string
	for _, d := range s.diff {
		f, there := s.reason(d)
		if !there || placeholder(f.Reason, f.Path) != "" {
			all = append(all, d.Path)
		}
	}
	return all
}

func (s scopeWith) stale() []string {
	inDiff := map[string]bool{}
	for _, d := range s.diff {
		inDiff[path.Clean(d.Path)] = true
		inDiff[path.Clean(d.Old)] = d.Old != ""
	}
	var all []string
	for _, f := range s.Files {
		if !inDiff[clean(f.Path)] {
			all = append(all, string(f.Path))
		}
	}
	return all
}

// placeholder says why a reason says nothing; empty when it says something.
func placeholder(reason string, file Path) string {
	plain := bare(reason)
	letters := 0
	for _, c := range reason {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	switch {
	case plain == "":
		return "the reason is empty"
	case isPlaceholder(plain):
		return short(reason) + " is a placeholder"
	case plain == bare(string(file)) || plain == bare(path.Base(string(file))):
		return "the reason is the path itself"
	case letters < 10:
		return short(reason) + " has fewer than 10 letters"
	}
	return ""
}

// isPlaceholder knows the texts that stand where an answer should be, and several of them one after another. It takes bare
// text.
func isPlaceholder(plain string) bool {
	if isOnePlaceholder(plain) || strings.HasPrefix(plain, "tbd ") || strings.HasPrefix(plain, "todo ") {
		return true
	}
	for i := min(len(plain), 24) - 1; i > 0; i-- { // no placeholder is longer; the longest counts
		if plain[i] == ' ' && isOnePlaceholder(plain[:i]) {
			return isPlaceholder(plain[i+1:])
		}
	}
	return false
}

func isOnePlaceholder(plain string) bool {
	switch plain {
	case "tbd", "tba", "todo", "to do", "fixme", "n a", "na", "none", "nothing", "unknown", "see above", "see below", "same", "same as above", "as above", "ditto", "idem",
		"placeholder", "fill in", "fill me in", "to be done", "to be determined", "to be filled", "not applicable", "no reason", "because", "various", "misc", "wip",
		"work in progress", "as discussed", "self explanatory", "see diff", "see the diff", "see code", "see the code", "as requested", "per request", "lorem ipsum", "xxx":
		return true
	}
	return false
}

// bare is text in lower case, letters and digits only, one blank between words.
func bare(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }), " ")
}
