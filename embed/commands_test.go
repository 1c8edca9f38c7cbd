package embed_test

import (
	"slices"
	"strings"
	"testing"
)

// call is a line of a text that runs viber.
type call struct {
	from text
	line string
}

// calls returns the command lines of a text: code spans, the lines of preload blocks, and values of label lines.
func calls(x text) []call {
	var all []call
	for _, span := range x.spans() {
		if strings.HasPrefix(span, "viber ") {
			all = append(all, call{x, span})
		}
	}
	for _, b := range x.blocks {
		for _, line := range b.lines {
			if _, value, is := strings.Cut(line, ": viber "); is {
				line = "viber " + value
			}
			if strings.HasPrefix(line, "viber ") {
				all = append(all, call{x, line})
			}
		}
	}
	return all
}

// notCalls are spans that start with the word viber and speak of something else.
var notCalls = []string{"viber <command>"}

// control are the commands that setup has the client ask for each time; no skill may grant them to itself.
var control = []string{"viber setup --confirm", "viber review post"}

// TestCommandsAreGranted: every command line of a skill, its fragments and references is covered by the skill's allowed-tools,
// and those of an agent by its tools.
func TestCommandsAreGranted(t *testing.T) {
	t.Parallel()
	for _, x := range texts(t) {
		var granted []string
		switch {
		case x.skill() != "":
			granted = grants(skillNamed(t, x.skill()).keys["allowed-tools"])
		case x.isAgent():
			granted = grants(x.keys["tools"])
		default:
			continue // what any skill may say is covered where it says it
		}
		for _, c := range calls(x) {
			if slices.ContainsFunc(append(control, notCalls...), func(n string) bool { return strings.HasPrefix(c.line, n) }) {
				continue
			}
			if mentioned(x, c.line) {
				continue
			}
			if !slices.ContainsFunc(granted, func(rule string) bool { return covers(rule, c.line) }) {
				t.Errorf("%s: %q is covered by none of %v", x.path, c.line, granted)
			}
		}
	}
}

// mentioned are lines a text tells a person to type, or a user about, and never runs.
func mentioned(x text, line string) bool {
	return x.skill() == "help" || x.skill() == "setup" && line == "viber setup"
}

func covers(rule, line string) bool {
	spec, is := strings.CutPrefix(rule, "Bash(")
	if rule == "Bash" || !is {
		return rule == "Bash"
	}
	prefix, wild := strings.CutSuffix(strings.TrimSuffix(spec, ")"), ":*")
	return line == prefix || wild && strings.HasPrefix(line, prefix+" ")
}

// TestSharedReferencesAreGranted: a skill that follows a shared reference may run the commands it names.
func TestSharedReferencesAreGranted(t *testing.T) {
	t.Parallel()
	byPath := map[string]text{}
	for _, x := range texts(t) {
		byPath[x.path] = x
	}
	for _, d := range dispatchers(t) {
		granted := grants(skillNamed(t, strings.TrimPrefix(d.path, "skills/")).keys["allowed-tools"])
		for _, m := range pluginFile.FindAllStringSubmatch(d.body, -1) {
			if m[1] != "CLAUDE_PLUGIN_ROOT" {
				continue
			}
			for _, c := range calls(byPath[m[2]]) {
				if strings.HasPrefix(m[2], "references/plan-rules") {
					continue // speaks of the check, the planner runs it by its own words
				}
				if !slices.ContainsFunc(granted, func(rule string) bool { return covers(rule, c.line) }) {
					t.Errorf("%s follows %s, which runs %q, covered by none of %v", d.path, m[2], c.line, granted)
				}
			}
		}
	}
}

// TestGrantsAreUsed: no skill asks for a command of viber that its texts never run.
func TestGrantsAreUsed(t *testing.T) {
	t.Parallel()
	all := files(t)
	for _, x := range skills(t) {
		var said string
		for _, d := range texts(t) {
			if d.skill() == x.skill() || strings.HasPrefix(d.path, "references/") {
				said += d.body
			}
		}
		for _, rule := range grants(x.keys["allowed-tools"]) {
			spec, is := strings.CutPrefix(rule, "Bash(viber ")
			if is && !strings.Contains(said, "viber "+strings.TrimSuffix(spec, ":*)")) {
				t.Errorf("%s asks for %s and never uses it", x.path, rule)
			}
		}
		if strings.Contains(all[x.path], "Bash(viber:*)") {
			t.Errorf("%s asks for every command of viber", x.path)
		}
	}
}
