package run

import "strings"

// headEnd is the line after the last one above "## Tasks".
func (p *Plan) headEnd() int {
	if p.TasksLine == 0 {
		return len(p.lines) + 1
	}
	return p.TasksLine
}

// section returns the body of the first heading name above "## Tasks": up to the next line that starts with "##". Fences
// are not known here.
func (p *Plan) section(level int, name string) (from, to int) {
	end := p.headEnd()
	for n := 1; n < end; n++ {
		if !isSection(p.lines[n-1], level, name) {
			continue
		}
		from = n + 1
		for to = from; to < end && !strings.HasPrefix(p.lines[to-1], "##"); to++ {
		}
		return from, to
	}
	return 0, 0
}

// readHead reads the sections above "## Tasks" that carry data.
func (p *Plan) readHead() {
	from, to := p.section(2, "Constraints")
	for n := from; n < to; n++ {
		if text, ok := strings.CutPrefix(p.lines[n-1], "- "); ok && trim(text) != "" {
			p.Constraints = append(p.Constraints, Entry{Text: trim(text), Pos: Pos{Line: n, Col: 3}})
		}
	}
	from, to = p.section(2, "Review focus")
	for n := from; n < to; n++ {
		if text, ok := strings.CutPrefix(p.lines[n-1], "- "); ok {
			p.readFocus(n, text)
		}
	}
	p.readRoadmap()
}

// readFocus reads "<input> -> <task id>"; the last " -> " counts, since an input may hold one.
func (p *Plan) readFocus(n int, text string) {
	at := strings.LastIndex(text, " -> ")
	if at < 0 || trim(text[:at]) == "" || !isToken(trim(text[at+4:])) {
		p.reading = append(p.reading, Finding{File: p.Path, Pos: Pos{Line: n, Col: 3}, Rule: "focus-form",
			Problem: "Review focus: the line names no owner", Remedy: "write - <input> -> <task id>"})
		return
	}
	p.Focus = append(p.Focus, Focus{Input: trim(text[:at]), Task: trim(text[at+4:]), Line: n})
}

// roadmapRange returns the lines of the Roadmap section, its heading included, up to the next "## " line. Headings inside
// fences and comments are content.
func (p *Plan) roadmapRange() (from, to int) {
	end := p.headEnd()
	var f fence
	comment := false
	for n := p.Front.End + 1; n < end; n++ {
		line := p.lines[n-1]
		switch {
		case comment:
			comment = !strings.Contains(line, "-->")
		case f.step(line):
		case strings.HasPrefix(trim(line), "<!--"):
			comment = !strings.Contains(line, "-->")
		case from == 0 && isSection(line, 2, "Roadmap"):
			from = n
		case from > 0:
			if _, ok := heading(line, 2); ok {
				return from, n
			}
		}
	}
	return from, end
}

func (p *Plan) readRoadmap() {
	from, to := p.roadmapRange()
	if from == 0 {
		return
	}
	comment := false
	for n := from + 1; n < to; n++ {
		line := p.lines[n-1]
		switch {
		case comment:
			comment = !strings.Contains(line, "-->")
		case strings.HasPrefix(trim(line), "<!--"):
			comment = !strings.Contains(line, "-->")
		default:
			if d := leadingDigits(line); d > 0 && strings.HasPrefix(line[d:], ". ") {
				p.Roadmap = append(p.Roadmap, readPart(n, trim(line[d+2:])))
			}
		}
	}
}

func readPart(n int, text string) Part {
	part := Part{Name: text, Line: n}
	if name, ok := strings.CutSuffix(text, "(this plan)"); ok {
		part.Name, part.This = trim(name), true
	} else if name, ok := strings.CutSuffix(text, "(built)"); ok {
		part.Name = trim(name)
	}
	return part
}

// NextPart returns the roadmap entry after this plan's, its position counted from 1, and how many entries there are. ok is
// false without a roadmap, when no entry is marked "(this plan)", and when the marked one is the last.
func (p *Plan) NextPart() (name string, n, of int, ok bool) {
	for i, part := range p.Roadmap {
		if part.This {
			if i+1 == len(p.Roadmap) {
				return "", 0, 0, false
			}
			return p.Roadmap[i+1].Name, i + 2, len(p.Roadmap), true
		}
	}
	return "", 0, 0, false
}
