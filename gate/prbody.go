package gate

import (
	"fmt"
	"slices"
	"strings"
)

// PRBodyOptions say what to judge: the text of a pull request and what it must carry.
type PRBodyOptions struct {
	Body       string
	Scope      *Scope
	Deferred   []Judged
	Parked     []string // issues parked by rulings
	Debt       []string // texts of shortcut markers in the diff
	Advisories []string
	Risks      []string // signals of the diff's risk
	tweak
}

// CheckPRBody judges the text of a pull request: it tells why each file changed and what was left
// undone, and has a risk section where the diff's signals ask for one. A placeholder counts as missing.
func CheckPRBody(file string, o PRBodyOptions) Result {
	r := &report{}
	in := prText{PRBodyOptions: o, paragraphs: paragraphs(o.Body)}
	apply(prBodyRules(), in, r, o.without)
	return r.result("pr-body", file)
}

type prText struct {
	PRBodyOptions
	paragraphs [][]string // the terms of each paragraph
}

func prBodyRules() []rule[prText] {
	return []rule[prText]{
		{"has-text", func(t prText, r *report) {
			if emptyReason(t.Body) {
				r.wrong("/body", "the text is empty or a placeholder", "what changed, why, and how to verify it")
			}
		}},
		{"scope-reasons", func(t prText, r *report) {
			if t.Scope == nil {
				return
			}
			for i, f := range t.Scope.Files {
				if !t.tells(f.Reason) {
					r.wrong(at("scope", "files", i), "the reason for "+short(string(f.Path))+" is not told", short(f.Reason))
				}
			}
		}},
		{"not-done", func(t prText, r *report) {
			if t.Scope == nil {
				return
			}
			for i, n := range t.Scope.NotDone {
				if !t.tells(string(n.What)) {
					r.wrong(at("scope", "notDone", i), "what was left out is not told: "+short(string(n.What)), "a follow-up line that names it")
				}
			}
		}},
		{"deferred", func(t prText, r *report) {
			for i, d := range t.Deferred {
				if !t.tells(string(d.Finding.Issue)) {
					r.wrong(at("triage", "deferred", i), fmt.Sprintf("the deferred finding %s:%d is not told: %s", d.Finding.File, d.Finding.Line, short(string(d.Finding.Issue))), "a follow-up line that names it")
				}
			}
		}},
		{"parked", func(t prText, r *report) { t.each(t.Parked, "parked", "the parked finding", r) }},
		{"debt", func(t prText, r *report) { t.each(t.Debt, "debt", "the shortcut marker", r) }},
		{"advisories", func(t prText, r *report) { t.each(t.Advisories, "advisories", "the advisory", r) }},
		{"risk-section", func(t prText, r *report) {
			if len(t.Risks) == 0 {
				return
			}
			if text, there := section(t.Body, "risk"); !there || emptyReason(text) {
				r.wrong("/body", "no Risk section, and the diff has the signals "+strings.Join(t.Risks, ", "), "a section '## Risk' that says what can go wrong and how to notice")
			}
		}},
		{"no-placeholder-section", func(t prText, r *report) {
			for line := range strings.Lines(t.Body) {
				plain := bare(line)
				if (plain == "tbd" || plain == "todo" || strings.HasSuffix(plain, " tbd")) && !strings.HasPrefix(strings.TrimSpace(line), "#") {
					r.wrong("/body", "the placeholder "+short(strings.TrimSpace(line)), "the text itself")
				}
			}
		}},
	}
}

func (t prText) each(list []string, name, what string, r *report) {
	for i, text := range list {
		if !t.tells(text) {
			r.wrong(at(name, i), what+" is not told: "+short(text), "a follow-up line that names it")
		}
	}
}

// tells says that one paragraph carries most of the words of text: the author may put it in other words, not leave it out.
func (t prText) tells(text string) bool {
	want := terms(text)
	if len(want) == 0 {
		return true
	}
	for _, have := range t.paragraphs {
		found := 0
		for _, w := range want {
			if slices.Contains(have, w) {
				found++
			}
		}
		if found*10 >= len(want)*6 {
			return true
		}
	}
	return false
}

// paragraphs cuts a text at blank lines, list entries and headings.
func paragraphs(body string) [][]string {
	var all [][]string
	var open strings.Builder
	flush := func() {
		if open.Len() > 0 {
			all = append(all, terms(open.String()))
			open.Reset()
		}
	}
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		_, entry := listEntry(text)
		if text == "" || entry || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "|") {
			flush()
		}
		open.WriteString(text + " ")
	}
	flush()
	return all
}

// section returns the text under the first heading that has word in it.
func section(body, word string) (string, bool) {
	var b strings.Builder
	inside, level := false, 0
	for line := range strings.Lines(body) {
		text := strings.TrimSpace(line)
		if n := len(text) - len(strings.TrimLeft(text, "#")); n > 0 {
			if inside && n <= level {
				break
			}
			if !inside && slices.ContainsFunc(strings.Fields(bare(text)), func(w string) bool { return strings.HasPrefix(w, word) }) {
				inside, level = true, n
			}
			continue
		}
		if inside {
			b.WriteString(line)
		}
	}
	return b.String(), inside
}
