package gate

import (
	"fmt"
	"strings"
)

// IntentOptions hold a person's request.
type IntentOptions struct {
	Text string
	tweak
}

// CheckIntent judges whether a request can be planned as it stands. A refused one is empty, asks
// for opposite things or for several tasks; the fact "ask" holds the question that would settle it.
func CheckIntent(o IntentOptions) Result {
	r := &report{}
	in := request{text: strings.TrimSpace(o.Text), parts: parts(o.Text)}
	apply(intentRules(), in, r, o.without)
	var ask []string
	for _, p := range r.problems {
		ask = append(ask, p.Want)
	}
	if len(ask) > 0 {
		r.fact("ask", ask)
	}
	return r.result("intent", "request")
}

type request struct {
	text  string
	parts []string
}

func intentRules() []rule[request] {
	return []rule[request]{
		{"says-something", func(q request, r *report) {
			if bare(q.text) == "" || isPlaceholder(bare(q.text)) {
				r.wrong("", "the request is empty", "ask: What should be different when this is done?")
			}
		}},
		{"names-a-thing", func(q request, r *report) {
			if bare(q.text) != "" && !isPlaceholder(bare(q.text)) && vague(q.text) {
				r.wrong("", "the request names neither a thing nor a result: "+short(q.text), "ask: Which part of the project, and what should it do instead?")
			}
		}},
		{"one-mind", func(q request, r *report) {
			if a, b := opposites(q.text); a != "" {
				r.wrong("", fmt.Sprintf("the request asks for opposite things: %s and %s", short(a), short(b)), fmt.Sprintf("ask: Which one holds: %s or %s?", short(a), short(b)))
			}
		}},
		{"one-task", func(q request, r *report) {
			if len(q.parts) > 1 {
				r.wrong("", fmt.Sprintf("the request holds %d tasks", len(q.parts)), "ask: Which one first? "+numbered(q.parts))
			}
		}},
	}
}

func numbered(parts []string) string {
	var all []string
	for i, p := range firstFew(parts) {
		all = append(all, fmt.Sprintf("(%d) %s", i+1, short(p)))
	}
	return strings.Join(all, " ")
}

// vague knows requests that are all verb and pronoun: "fix it", "make it better", "please improve the code".
func vague(text string) bool {
	for _, w := range strings.Fields(bare(text)) {
		if !isVerb(w) && !isEmptyWord(w) {
			return false
		}
	}
	return true
}

func isEmptyWord(w string) bool {
	switch w {
	case "it", "this", "that", "them", "everything", "all", "stuff", "things", "thing", "something", "code", "the", "a", "an", "my", "our", "please", "better", "work", "working",
		"works", "good", "nice", "nicer", "now", "again", "to", "project", "app", "application", "just", "be", "so", "and", "issue", "bug", "problem", "can", "you", "some", "do", "up":
		return true
	}
	return false
}

func isVerb(w string) bool {
	switch w {
	case "add", "fix", "make", "change", "remove", "delete", "drop", "rename", "refactor", "implement", "create", "build", "write", "update", "upgrade", "move", "extract", "replace",
		"improve", "introduce", "support", "show", "hide", "allow", "migrate", "convert", "split", "merge", "document", "test", "speed", "optimize", "optimise", "clean", "handle",
		"enable", "disable", "port", "rewrite", "bump", "validate", "log", "cache", "expose", "export", "import", "send", "store", "save", "load", "redesign", "translate", "set", "stop", "let":
		return true
	}
	return false
}

// parts are the separate tasks of a request: entries of a list that each begin with a verb, or clauses joined by words
// that start something new. A single task is one part.
func parts(text string) []string {
	if list := listEntries(text); len(list) > 1 {
		return list
	}
	var all []string
	rest := folded(text)
	for _, cut := range []string{"; also ", ". also ", ", and also ", " and also ", "; then ", ". then ", ". additionally, ", ". additionally ", ". separately, ", "; separately, ", " as well as "} {
		rest = strings.Join(splitFold(rest, cut), "\x00")
	}
	for part := range strings.SplitSeq(rest, "\x00") {
		words := strings.Fields(bare(part))
		if len(words) < 2 || !isVerb(first(words)) {
			if len(all) > 0 { // no task of its own: belongs to the one before
				continue
			}
		}
		all = append(all, strings.TrimSpace(part))
	}
	return all
}

// first is the first word that is not a courtesy.
func first(words []string) string {
	for _, w := range words {
		if w != "please" && w != "also" && w != "then" && w != "and" && w != "we" && w != "should" && w != "you" && w != "could" && w != "can" {
			return w
		}
	}
	return ""
}

func splitFold(text, sep string) []string {
	var all []string
	low := strings.ToLower(text)
	for {
		i := strings.Index(low, sep)
		if i < 0 {
			return append(all, text)
		}
		all = append(all, text[:i])
		text, low = text[i+len(sep):], low[i+len(sep):]
	}
}

// listEntries returns the entries of a list in text when at least two begin with a verb at the outermost level.
func listEntries(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		entry, ok := listEntry(line)
		if ok && isVerb(first(strings.Fields(bare(entry)))) {
			all = append(all, entry)
		}
	}
	return all
}

func listEntry(line string) (string, bool) {
	if rest, ok := strings.CutPrefix(line, "- "); ok {
		return rest, true
	}
	if rest, ok := strings.CutPrefix(line, "* "); ok {
		return rest, true
	}
	i := 0
	for i < len(line) && '0' <= line[i] && line[i] <= '9' {
		i++
	}
	if i > 0 && i+1 < len(line) && (line[i] == '.' || line[i] == ')') && line[i+1] == ' ' {
		return line[i+2:], true
	}
	return "", false
}

// opposites finds a verb and thing that the text both asks for and rules out.
func opposites(text string) (wanted, unwanted string) {
	sentences := strings.FieldsFunc(text, func(c rune) bool { return c == '.' || c == ';' || c == '\n' || c == '!' || c == '?' })
	var want, not []string
	for _, s := range sentences {
		for _, clause := range clauses(s) {
			if what, negated := negative(clause); negated {
				not = append(not, what)
			} else {
				want = append(want, bare(clause))
			}
		}
	}
	for _, n := range not {
		key := terms(n)
		for _, w := range want {
			if len(key) >= 2 && overlap(key, terms(w)) >= 0.75 {
				return w, "not " + n
			}
		}
	}
	return withAndWithout(text)
}

func clauses(sentence string) []string {
	rest := sentence
	for _, cut := range []string{", but ", " but ", ", and ", " and ", ", "} {
		rest = strings.Join(splitFold(rest, cut), "\x00")
	}
	return strings.Split(rest, "\x00")
}

func negative(clause string) (string, bool) {
	plain := bare(clause)
	for _, head := range []string{"do not ", "don t ", "never ", "must not ", "should not ", "not "} {
		if rest, ok := strings.CutPrefix(plain, head); ok {
			return rest, true
		}
	}
	return "", false
}

// withAndWithout finds "with x" beside "without x".
func withAndWithout(text string) (string, string) {
	words := strings.Fields(bare(text))
	after := map[string]bool{}
	for i := 0; i+1 < len(words); i++ {
		if words[i] == "with" && !isFiller(words[i+1]) {
			after[words[i+1]] = true
		}
	}
	for i := 0; i+1 < len(words); i++ {
		if words[i] == "without" && after[words[i+1]] {
			return "with " + words[i+1], "without " + words[i+1]
		}
	}
	return "", ""
}
