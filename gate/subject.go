package gate

import (
	"slices"
	"strings"
	"unicode"
)

// topic is the kind of defect an issue's words speak of, empty when none is known. The kinds stand in the order in which
// they win: what a finding is about comes before what it happens to mention.
func topic(issue string) string {
	words := strings.Fields(bare(issue))
	for _, kind := range topics() {
		for _, stem := range kind.stems {
			if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, stem) }) {
				return kind.name
			}
		}
	}
	return ""
}

type kindOfDefect struct {
	name  string
	stems []string // beginnings of words
}

func topics() []kindOfDefect {
	return []kindOfDefect{
		{"injection", []string{"inject", "sql", "escap", "unescap", "sanitiz", "sanitis", "xss", "interpolat"}},
		{"traversal", []string{"travers"}},
		{"secret", []string{"secret", "credential", "password", "hardcod", "plaintext"}},
		{"access", []string{"authoriz", "authoris", "authentic", "unauthen", "permission", "privileg", "csrf"}},
		{"crypto", []string{"md5", "sha1", "cipher", "encrypt", "predictab", "random"}},
		{"deadlock", []string{"deadlock", "hang", "forever"}},
		{"race", []string{"race", "racy", "concurren", "mutex", "lock", "unlock", "synchron", "unsynchron", "atomic"}},
		{"leak", []string{"leak", "close", "closing", "unclosed", "dispos"}},
		{"nil", []string{"nil", "null", "undefined", "derefer", "npe"}},
		{"bounds", []string{"bound", "offbyone", "overflow", "underflow", "truncat", "range", "off"}},
		{"zero", []string{"zero", "divi"}},
		{"timeout", []string{"timeout", "deadline", "cancel"}},
		{"retry", []string{"retry", "retri", "backoff", "idempot"}},
		{"performance", []string{"quadratic", "slow", "perform", "ineffic", "alloc", "expensive"}},
		{"test", []string{"test", "untest", "covera", "uncovered", "assert"}},
		{"error", []string{"err", "exception", "swallow", "ignor", "unhandled", "uncaught", "unchecked", "discard", "failure"}},
		{"validation", []string{"validat", "unvalidat"}},
		{"duplicate", []string{"duplicat", "copy", "copi", "repeat"}},
		{"unused", []string{"unused", "dead", "unreachab"}},
		{"documentation", []string{"comment", "docstring", "document", "undocument", "readme"}},
		{"name", []string{"name", "naming", "rename", "mislead", "typo", "spell", "misspell"}},
		{"logging", []string{"log", "logs", "logging", "logged"}},
		{"magic", []string{"magic"}},
		{"compatibility", []string{"breaking", "backward", "compat", "incompat", "deprecat"}},
		{"encoding", []string{"encod", "utf", "unicode", "charset"}},
		{"time", []string{"timezone", "utc", "clock"}},
		{"rounding", []string{"round", "float", "precision", "cents"}},
		{"accessibility", []string{"aria", "accessib", "alt"}},
		{"translation", []string{"locali", "translat", "i18n"}},
	}
}

// terms are the words of a text that carry its meaning: stems, sorted, each once.
func terms(text string) []string {
	var all []string
	for _, w := range strings.Fields(bare(text)) {
		if len(w) < 3 || isNumber(w) || isFiller(w) {
			continue
		}
		all = append(all, stem(w))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// stem cuts the endings English words change by.
func stem(w string) string {
	for _, end := range []string{"ations", "ation", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e"} {
		if strings.HasSuffix(w, end) && len(w)-len(end) >= 3 {
			return strings.TrimSuffix(w, end)
		}
	}
	return w
}

func isNumber(w string) bool {
	return strings.IndexFunc(w, func(c rune) bool { return !unicode.IsDigit(c) }) < 0
}

func isFiller(w string) bool {
	switch w {
	case "the", "and", "but", "for", "not", "this", "that", "these", "those", "with", "without", "from", "into", "when", "where", "which", "while", "will", "would",
		"should", "could", "can", "may", "might", "must", "has", "have", "had", "are", "was", "were", "been", "being", "does", "did", "its", "there", "here", "then",
		"than", "line", "file", "code", "function", "method", "call", "also", "only", "just", "very", "because", "since", "after", "before", "any", "all", "some", "missing",
		"never", "always", "instead", "please", "consider", "seems", "looks", "about", "before_", "now", "still", "use", "used", "uses", "using":
		return true
	}
	return false
}

// statement is the code a finding points at, as one line: lines that only continue another are joined, so that formatting
// does not matter.
func (l Look) statement(f Finding) string {
	if l.tree == nil {
		return ""
	}
	name := clean(f.File)
	at := int(f.Line)
	if l.tree.line(name, at) == nil {
		return ""
	}
	const farthest = 40
	first, last := at, at
	for first > 1 && at-first < farthest && continues(l.text(name, first-1), l.text(name, first)) {
		first--
	}
	for last-at < farthest && l.tree.line(name, last+1) != nil && continues(l.text(name, last), l.text(name, last+1)) {
		last++
	}
	var b strings.Builder
	for n := first; n <= last; n++ {
		b.WriteString(l.text(name, n) + " ")
	}
	return strings.TrimSpace(b.String())
}

func (l Look) text(name string, n int) string { return strings.TrimSpace(string(l.tree.line(name, n))) }

// continues says that the second line belongs to the statement of the first.
func continues(line, next string) bool {
	if line == "" || next == "" {
		return false
	}
	for _, open := range []string{"(", "[", ",", "=", "+", "&&", "||", "({", "\\", "?", "=>"} {
		if strings.HasSuffix(line, open) {
			return true
		}
	}
	return strings.IndexByte(".)]?&|+", next[0]) >= 0
}

// anchor is the part of a statement that small edits leave alone: its first identifiers.
func anchor(code string) string {
	names := identifiers(code)
	return strings.Join(names[:min(3, len(names))], " ")
}

// mentioned is the identifier an issue speaks of: of those that stand in the code, the one that stands there first; without
// code, the first that the issue quotes.
func mentioned(issue, code string) string {
	if code == "" {
		return firstQuoted(issue)
	}
	spoken := spokenNames(issue)
	for _, name := range identifiers(code) {
		if slices.Contains(spoken, name) {
			return name
		}
	}
	return ""
}

// spokenNames are the names in a text that are meant as code: quoted, called, spelled as only code is, or with a capital
// inside a sentence. A name that is also a word for a kind of defect is none.
func spokenNames(issue string) []string {
	var all []string
	for i, part := range strings.Split(issue, "`") {
		if i%2 == 1 {
			all = append(all, identifiers(part)...)
			continue
		}
		for j, w := range strings.Fields(part) {
			for _, name := range identifiers(w) {
				capital := unicode.IsUpper(rune(name[0])) && (i > 0 || j > 0)
				called := strings.Contains(w, name+"(") || strings.Contains(w, "."+name) || strings.Contains(w, name+".") && !strings.HasSuffix(w, name+".")
				if (capital || called || isCodeSpelling(name)) && topic(name) == "" {
					all = append(all, name)
				}
			}
		}
	}
	return all
}

// firstQuoted is the first name in backticks, or the first that is spelled as only code is.
func firstQuoted(issue string) string {
	if _, after, ok := strings.Cut(issue, "`"); ok {
		if name, _, ok := strings.Cut(after, "`"); ok {
			names := identifiers(name)
			if len(names) > 0 {
				return strings.Join(names, ".")
			}
		}
	}
	for _, name := range identifiers(issue) {
		if isCodeSpelling(name) {
			return name
		}
	}
	return ""
}

// isCodeSpelling knows snake_case and camelCase.
func isCodeSpelling(name string) bool {
	if strings.Contains(strings.Trim(name, "_"), "_") {
		return true
	}
	for i := 1; i < len(name); i++ {
		if unicode.IsUpper(rune(name[i])) && unicode.IsLower(rune(name[i-1])) {
			return true
		}
	}
	return false
}

// identifiers are the names in a piece of code, in order, without the words of the languages themselves.
func identifiers(code string) []string {
	words := strings.FieldsFunc(code, func(c rune) bool { return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	var names []string
	for _, w := range words {
		if !isNumber(w[:1]) && !isKeyword(w) {
			names = append(names, w)
		}
	}
	return names
}

func isKeyword(w string) bool {
	switch w {
	case "if", "else", "for", "while", "return", "func", "function", "def", "class", "const", "let", "var", "new", "public", "private", "protected", "static", "final",
		"await", "async", "import", "from", "in", "of", "not", "and", "or", "try", "catch", "throw", "raise", "with", "as", "is", "nil", "null", "None", "true", "false",
		"True", "False", "this", "self", "defer", "go", "range", "switch", "case", "do", "end", "then", "fn", "pub", "mut", "void", "int", "string", "bool":
		return true
	}
	return false
}
