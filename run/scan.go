package run

import "strings"

// scanIDs returns what Plan.IDs and Plan.Draft of the same text return, without reading the rest: a project may have
// hundreds of runs, of which one is looked at.
func scanIDs(text string) (ids []string, draft bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	if !strings.Contains(text, "TASK") {
		return nil, true
	}
	s := idScanner{draft: true}
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		s.line(line)
	}
	return s.ids, s.draft
}

type idScanner struct {
	ids      []string
	seen     map[string]bool
	draft    bool
	open     bool // inside a task block
	named    bool // its first heading was seen
	appendix bool
	fence    fence
}

func (s *idScanner) line(line string) {
	if !s.open && s.appendix && s.fence.step(line) {
		return
	}
	switch taskMarker(line) {
	case taskOpen:
		s.draft, s.open, s.named, s.fence = false, true, false, fence{}
		return
	case taskClose:
		s.open = false
		return
	}
	if line == "" || line[0] != '#' {
		return
	}
	if text, ok := heading(line, 3); ok && s.open && !s.named {
		s.named = true
		s.add(text)
	}
	if _, ok := heading(line, 2); ok && !s.open {
		s.appendix = strings.Contains(line, "Contracts")
		s.fence = fence{}
	}
}

func (s *idScanner) add(text string) {
	id, _, _ := strings.Cut(text, " - ")
	if id = trim(id); id == "" {
		return
	}
	if s.seen == nil {
		s.seen = make(map[string]bool)
	}
	if !s.seen[id] {
		s.seen[id] = true
		s.ids = append(s.ids, id)
	}
}
