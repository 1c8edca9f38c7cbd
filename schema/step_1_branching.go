package schema

import (
	"fmt"
	"strings"
)

// offerWorkEntry asks about the branching group of before schema 1, which held one base and one name:
//
//	branching:                       branching:
//	  mode: allowed                    mode: allowed
//	  base: trunk              ->      work:
//	  name: '{issue}/{slug}'             main:
//	                                       base: trunk
//	                                       name: '{issue-number}/{slug}'
//	                                       target: trunk
//
// Nobody asked means the lines stay; `viber config --branching` names them.
func (d *draft) offerWorkEntry() {
	old := d.legacyBranching()
	if len(old.lines) == 0 || old.hasWork {
		return
	}
	if d.ask(Question{
		ID: "branching", Default: "keep",
		Text: "branching.base and branching.name are no longer read. Make a work entry of them?",
		Options: []Option{
			{"keep", "leave the lines as they are; no branch is made"},
			{"entry", fmt.Sprintf("an entry main with base %s and name %s", old.base, old.name)},
		},
	}) != "entry" {
		return
	}
	target := d.ask(Question{
		ID: "branching.target", Default: old.base, Free: true,
		Text:    "Which branch do pull requests of this entry go to?",
		Options: []Option{{old.base, "the branch it starts from"}},
	})
	d.writeWorkEntry(old, target)
}

type legacyBranching struct {
	lines      []int // of base and name
	base, name string
	hasWork    bool
}

// legacyBranching finds direct children base and name of the branching group.
func (d *draft) legacyBranching() legacyBranching {
	old := legacyBranching{base: "main", name: "{type}/{slug}"}
	d.branchingLines(func(i int, direct bool, key, value string) {
		switch {
		case !direct:
		case key == "work":
			old.hasWork = true
		case key == "base" && value != "":
			old.lines, old.base = append(old.lines, i), unquote(value)
		case key == "name" && value != "":
			old.lines, old.name = append(old.lines, i), strings.ReplaceAll(unquote(value), "{issue}", "{issue-number}")
		}
	})
	return old
}

// branchingLines calls visit for each content line of the branching group.
func (d *draft) branchingLines(visit func(i int, direct bool, key, value string)) {
	in, depth := false, -1
	for i, line := range d.lines {
		if ignorable(line) {
			continue
		}
		if indent(line) == 0 {
			key, _, _ := keyOf(line)
			in = key == "branching"
			continue
		}
		if !in {
			continue
		}
		if depth < 0 {
			depth = indent(line)
		}
		key, value := branchKey(trimLeft(line))
		visit(i, indent(line) <= depth, key, value)
	}
}

func (d *draft) writeWorkEntry(old legacyBranching, target string) {
	first := old.lines[0]
	lead := d.lines[first][:indent(d.lines[first])]
	for i := len(old.lines) - 1; i >= 0; i-- {
		d.remove(old.lines[i])
	}
	d.insert(first,
		lead+"work:",
		lead+"  main:",
		lead+"    base: "+old.base,
		lead+"    name: '"+old.name+"'",
		lead+"    target: "+target,
	)
	d.step(0, "branching.work", "base and name become the work entry main, target "+target,
		"a viber that read base and name does not read work entries: everybody on the project needs a newer one")
}

// offerIssueNumber asks about work entries whose name holds {issue}, which is now {issue-number}.
func (d *draft) offerIssueNumber() {
	var at []int
	d.branchingLines(func(i int, direct bool, key, value string) {
		if !direct && key == "name" && strings.Contains(value, "{issue}") {
			at = append(at, i)
		}
	})
	if len(at) == 0 || d.ask(Question{
		ID: "branching.issue", Default: "keep",
		Text:    "A branch name holds {issue}, which is now {issue-number}; its work entry is not used. Rename it?",
		Options: []Option{{"keep", "leave the name as it is"}, {"rename", "write {issue-number}"}},
	}) != "rename" {
		return
	}
	for _, i := range at {
		d.lines[i] = strings.ReplaceAll(d.lines[i], "{issue}", "{issue-number}")
	}
	d.step(0, "branching.work", "{issue} becomes {issue-number}", "")
}
