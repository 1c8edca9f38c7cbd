package embed_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contract is what an agent says about itself: what it reads and what it returns.
type contract struct {
	inputs    []string // label lines, without the colon
	firstLine bool     // its first line is a path, alone
	verdicts  []string
	outputs   []string // label lines, without the colon
}

var (
	bulletLabel = regexp.MustCompile("(?m)^- `([A-Za-z-]+):`")
	lineLabel   = regexp.MustCompile(`^([A-Za-z-]+):( |$)`)
	verdictLine = regexp.MustCompile(`VERDICT: ([A-Z-]+)`)
)

func contracts(t *testing.T) map[string]contract {
	t.Helper()
	all := map[string]contract{}
	for _, x := range agents(t) {
		in, out := x.section("Input"), x.section("Output")
		if in == "" || out == "" {
			t.Errorf("%s: has no Input or no Output section", x.path)
		}
		c := contract{inputs: matches(bulletLabel, in), firstLine: strings.Contains(in, "first line is the")}
		c.verdicts = unique(matches(verdictLine, x.body))
		c.outputs = unique(append(matches(bulletLabel, out), "REASON"))
		for _, b := range blocks(out) {
			for _, line := range b.lines {
				c.outputs = append(c.outputs, matches(lineLabel, line)...)
			}
		}
		all[x.name()] = c
	}
	return all
}

// dispatchers are the skills with the text that belongs to them: body and fragments.
func dispatchers(t *testing.T) map[string]text {
	t.Helper()
	all := map[string]text{}
	for _, x := range texts(t) {
		if x.skill() == "" || !x.isSkill() && !strings.Contains(x.path, "/fragments/") {
			continue
		}
		d := all[x.skill()]
		d.path = "skills/" + x.skill()
		d.body += "\n" + x.body
		d.blocks = append(d.blocks, x.blocks...)
		all[x.skill()] = d
	}
	return all
}

// dispatched returns the agents a skill dispatches, with the lines it sends to each.
func dispatched(x text) map[string][][]string {
	all := map[string][][]string{}
	for _, b := range x.blocks {
		if agent, is := strings.CutPrefix(b.info, "dispatch viber:"); is {
			all[agent] = append(all[agent], b.lines)
		}
	}
	return all
}

// TestDispatchesFitTheAgents: every label a dispatcher sends is one the agent reads.
func TestDispatchesFitTheAgents(t *testing.T) {
	t.Parallel()
	agents := contracts(t)
	for _, d := range dispatchers(t) {
		for agent, dispatches := range dispatched(d) {
			c, known := agents[agent]
			if !known {
				t.Errorf("%s dispatches viber:%s, which does not exist", d.path, agent)
				continue
			}
			for _, lines := range dispatches {
				checkDispatch(t, d.path, agent, c, lines)
			}
		}
	}
}

func checkDispatch(t *testing.T, from, agent string, c contract, lines []string) {
	t.Helper()
	for i, line := range lines {
		label := matches(lineLabel, line)
		switch {
		case len(label) == 0 && (i > 0 || !c.firstLine):
			t.Errorf("%s sends viber:%s a line without a label: %q", from, agent, line)
		case len(label) == 0:
		case i == 0 && c.firstLine:
			t.Errorf("%s does not open with the path viber:%s reads first", from, agent)
		case !slices.Contains(c.inputs, label[0]):
			t.Errorf("%s sends %s: to viber:%s, which does not read it", from, label[0], agent)
		}
	}
}

// TestNoLabelIsDead: every label an agent reads is sent by a skill that dispatches it, in a block or named in its prose.
func TestNoLabelIsDead(t *testing.T) {
	t.Parallel()
	all := dispatchers(t)
	for agent, c := range contracts(t) {
		if agent == "plain-plan-review" { // dispatched on the plan gate's words, not by a skill
			continue
		}
		for _, label := range c.inputs {
			sent := false
			for _, d := range all {
				if _, is := dispatched(d)[agent]; is {
					sent = sent || strings.Contains(d.body, "\n"+label+": ") || strings.Contains(d.body, "`"+label+":")
				}
			}
			if !sent {
				t.Errorf("nobody sends %s: to viber:%s", label, agent)
			}
		}
	}
}

// roles are the words the texts use for an agent in front of a verdict.
var roles = map[string][]string{
	"Coder": {"task-coder"}, "Repair coder": {"task-coder"}, "Fix coder": {"task-coder"}, "Reviewer": {"task-reviewer"},
	"Arbiter": {"arbiter"}, "Test-runner": {"test-runner"}, "Final reviewer": {"final-reviewer"}, "Closeout": {"closeout"},
	"Memory writer": {"memory-writer"}, "Rules writer": {"rules-writer"}, "QA writer": {"qa-writer"},
	"writer's": {"memory-writer", "rules-writer", "qa-writer"}, "Planner-review": {"planner-review"},
	"Adr-screener": {"adr-screener"}, "Prover": {"prover"}, "Memory-auditor": {"memory-auditor"},
	"Panel reviewer": {"reviewer"}, "Memory-node-writer": {"memory-node-writer"}, "Rules-auditor": {"rules-auditor"}, "Extension": {},
}

var answer = regexp.MustCompile("([A-Z][A-Za-z-]*(?: [a-z]+)?|writer's) ((?:(?:,| or)? ?`VERDICT: [A-Z-]+`)+)")

// answered returns, by agent, the verdicts a skill says what to do on.
func answered(t *testing.T, x text) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, m := range answer.FindAllStringSubmatch(x.body, -1) {
		names, known := roles[strings.TrimSuffix(m[1], " returned")]
		if !known {
			t.Errorf("%s: who is %q in %q?", x.path, m[1], m[0])
		}
		for _, name := range names {
			all[name] = append(all[name], matches(verdictLine, m[2])...)
		}
	}
	return all
}

// TestVerdictsAreAnswered: a skill has an answer to every verdict of the agents it dispatches, and to no other.
func TestVerdictsAreAnswered(t *testing.T) {
	t.Parallel()
	agents := contracts(t)
	for _, d := range dispatchers(t) {
		answers := answered(t, d)
		for agent := range dispatched(d) {
			for _, v := range agents[agent].verdicts {
				if !slices.Contains(answers[agent], v) {
					t.Errorf("%s has no answer to VERDICT: %s of viber:%s", d.path, v, agent)
				}
			}
			for _, v := range answers[agent] {
				if !slices.Contains(agents[agent].verdicts, v) {
					t.Errorf("%s answers VERDICT: %s, which viber:%s never returns", d.path, v, agent)
				}
			}
			delete(answers, agent)
		}
		for agent, verdicts := range answers {
			if slices.Contains([]string{"memory-writer", "rules-writer", "qa-writer"}, agent) {
				continue // "a writer's verdict" speaks of all three
			}
			t.Errorf("%s answers %v of viber:%s, which it does not dispatch", d.path, verdicts, agent)
		}
	}
}

var upperLabel = regexp.MustCompile("`([A-Z][A-Z-]+):[ `]")

// TestReturnedLabelsExist: a label in capitals that a skill acts on is one its agents return.
func TestReturnedLabelsExist(t *testing.T) {
	t.Parallel()
	agents := contracts(t)
	for _, d := range dispatchers(t) {
		sent := dispatched(d)
		if len(sent) == 0 {
			continue
		}
		known := []string{"VERDICT"}
		for agent := range sent {
			known = append(known, agents[agent].outputs...)
		}
		for _, label := range matches(upperLabel, d.body) {
			if !slices.Contains(known, label) {
				t.Errorf("%s speaks of %s:, which none of its agents returns", d.path, label)
			}
		}
	}
}

// TestAgentsShareTheirRules: what has to be the same in several agents is, word for word.
func TestAgentsShareTheirRules(t *testing.T) {
	t.Parallel()
	shared := map[string]string{}
	for _, x := range agents(t) {
		bash := slices.Contains(grants(x.keys["tools"]), "Bash")
		for _, heading := range []string{"Ground rules", "Stop what you started", "The tree is shared"} {
			section := x.section(heading)
			key := heading
			if heading == "Ground rules" {
				if section == "" {
					t.Errorf("%s: has no section %s", x.path, heading)
				}
				if bash {
					key += " with Bash"
				}
			}
			if section == "" {
				continue
			}
			if shared[key] == "" {
				shared[key] = section
			}
			if section != shared[key] {
				t.Errorf("%s: its section %s differs from that of the others", x.path, heading)
			}
		}
	}
	for _, name := range []string{"task-coder", "task-reviewer", "final-reviewer"} {
		x := agentNamed(t, name)
		if x.section("Stop what you started") == "" || x.section("The tree is shared") == "" {
			t.Errorf("%s: shares the tree and starts processes, and has no rules for it", x.path)
		}
	}
	if agentNamed(t, "test-runner").section("Stop what you started") == "" {
		t.Error("test-runner: starts processes, and has no rules for it")
	}
}

func agentNamed(t *testing.T, name string) text {
	t.Helper()
	for _, x := range agents(t) {
		if x.name() == name {
			return x
		}
	}
	t.Fatalf("no agent %s", name)
	return text{}
}

func matches(re *regexp.Regexp, s string) []string {
	var all []string
	for _, m := range re.FindAllStringSubmatch(s, -1) {
		all = append(all, m[1])
	}
	return all
}

func unique(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}
