package schema

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// fileMaker writes viber.yml files as people leave them: every layout of the history, mixed, with odd lines in between.
type fileMaker struct{ *rand.Rand }

func makeFile(seed uint64) string { return fileMaker{rand.New(rand.NewPCG(seed, 7))}.file() }

func (r fileMaker) pick(from ...string) string { return from[r.IntN(len(from))] }

func (r fileMaker) chance(percent int) bool { return r.IntN(100) < percent }

func (r fileMaker) value() string {
	return r.pick("true", "false", "true", "false", "TRUE", "off", "full", "fast", `"true"`, "yes", "", "no # why", "true# c", "'x y'", "sonnet",
		"opus", "haiku", "3", "[a, b]", "a, b", "docs", "{summary}", "'it {summary}' # c", "allowed", "required", "| ", "&x true")
}

func (r fileMaker) comment() string { return r.pick("# note", "#", "# adr: true", "## x: y") }

func (r fileMaker) odd() string {
	return r.pick("---", "- item", `"build":`, "text", "...", "key with blank: x", "é: ü", "? x", "schema : 3", "2x: 1", "_y:", "build")
}

func (r fileMaker) flat() string {
	return r.pick("adr", "plain-plan-review", "fast-path", "baseline-tests", "final-review", "memory", "rules", "qa", "cleanup", "issues") +
		r.pick(":", ":", " :") + r.pick(" ", "", "  ") + r.value()
}

func (r fileMaker) child(group, lead string) string {
	names := []string{"adr", "memory", "custom", "monitor", "extensions-parallel", "runs", "min", "issues"}
	for _, g := range Groups(Newest) {
		if g.Name == group {
			for _, k := range g.Keys {
				names = append(names, k.Leaf(), k.Leaf())
			}
		}
	}
	return lead + r.pick(names...) + r.pick(":", ":", ":", " :") + r.pick(" ", " ", "  ", "") + r.value()
}

func (r fileMaker) group() []string {
	name := r.pick("planning", "build", "build", "github", "directories", "tiers", "branching", "other")
	lines := []string{name + r.pick(":", ":", ":", ":", " :", ": # mine", ": x", ": {}")}
	lead := r.pick("  ", "  ", "  ", "    ", " ", "\t", "\t\t")
	for range r.IntN(8) {
		switch r.IntN(14) {
		case 0:
			lines = append(lines, "")
		case 1:
			lines = append(lines, lead+r.comment())
		case 2:
			lines = append(lines, r.comment())
		case 3:
			lines = append(lines, r.pick(" ", "  ", lead)+r.pick("- x", `"qa": true`, "text", "'rules': false", "* y", "{a: b}"))
		case 4:
			lines = append(lines, r.child(name, lead+r.pick(" ", "  ")))
		default:
			lines = append(lines, r.child(name, lead))
		}
	}
	if name == "build" && r.chance(50) {
		lines = append(lines, r.extensions(lead)...)
	}
	if name == "branching" && r.chance(60) {
		lines = append(lines, lead+"work:", lead+"  main:", lead+"    base: main", lead+"    name: '{issue}/{slug}'", lead+"    target: main")
	}
	return lines
}

func (r fileMaker) extensions(lead string) []string {
	lines := []string{lead + "extensions:" + r.pick("", "", "", " # order", " a, b", " [docs]", " Bad Name")}
	for range r.IntN(3) {
		lines = append(lines, lead+"  "+r.pick("a", "docs", "none", "B")+":", lead+"    parallel: "+r.value())
	}
	if r.chance(20) {
		lines = append(lines, lead+"  - odd", "# between", "")
	}
	return lines
}

func (r fileMaker) file() string {
	var lines []string
	if r.chance(70) {
		lines = append(lines, "schema: "+r.pick("0", "1", "2", "3", "3", "3", "03", "'3'", "x", "4", "2 # c"))
	}
	for range r.IntN(7) {
		switch r.IntN(8) {
		case 0, 1:
			lines = append(lines, r.flat())
		case 2:
			lines = append(lines, r.comment(), r.flat())
		case 3:
			lines = append(lines, r.pick("", r.comment(), r.odd()))
		default:
			lines = append(lines, r.group()...)
		}
	}
	end := r.pick("\n", "\n", "\n", "\r\n")
	text := strings.Join(lines, end)
	if r.chance(85) {
		text += end
	}
	if r.chance(5) {
		text = bom + text
	}
	return text
}

// TestMigrationKeepsPromises checks the promises over generated files: resolved values stay, a second run does nothing, lines
// that were not moved stay in order, line ends and the byte order mark stay.
func TestMigrationKeepsPromises(t *testing.T) {
	t.Parallel()
	refused := 0
	for seed := range uint64(3000) {
		text := makeFile(seed)
		to := Newest
		if seed%2 == 1 {
			to = 1 + int(seed/2%Newest)
		}
		m, err := PlanMigration(text, MigrationOptions{To: to})
		if err != nil {
			refused++
			if testing.Verbose() {
				t.Logf("seed %d: %v\n%s", seed, err, text)
			}
			continue
		}
		if problem := promiseBroken(text, m, to); problem != "" {
			t.Fatalf("seed %d: %s\n--- before\n%s\n--- after\n%s", seed, problem, text, m.After)
		}
	}
	if refused > 0 {
		t.Errorf("%d of 3000 files were refused", refused)
	}
}

func promiseBroken(text string, m Migration, to int) string {
	before, after := Parse("", text), Parse("", m.After)
	for _, k := range Keys() {
		if k.Kind == Map || k.Name == "schema" {
			continue
		}
		if s, ok := before.shared.setting(k, FromShared); ok && !s.Bad && before.Value(k.Name) != after.Value(k.Name) {
			return k.Name + " changed from " + before.Value(k.Name) + " to " + after.Value(k.Name)
		}
	}
	if again, err := PlanMigration(m.After, MigrationOptions{To: to}); err == nil && again.Changed() {
		return "a second run changes it again:\n" + again.After
	}
	if !m.Changed() {
		return ""
	}
	if strings.HasPrefix(text, bom) != strings.HasPrefix(m.After, bom) {
		return "the byte order mark changed"
	}
	if crlf := strings.Count(text, "\r\n"); crlf > 0 && crlf == strings.Count(text, "\n") && strings.Count(m.After, "\r\n") != strings.Count(m.After, "\n") {
		return "line ends were mixed"
	}
	return lineLost(strings.TrimPrefix(text, bom), strings.TrimPrefix(m.After, bom))
}

// lineLost looks for a line of before that is missing in after, in order; those a migration may take or rewrite do not count.
func lineLost(before, after string) string {
	lines, rest := splitLines(before), splitLines(after)
	for i, line := range lines {
		if mayGo(lines, i) {
			continue
		}
		at := slices.IndexFunc(rest, func(kept string) bool {
			return strings.TrimSuffix(kept, "\r") == strings.TrimSuffix(line, "\r")
		})
		if at < 0 {
			return "lost or out of order: " + line
		}
		rest = rest[at+1:]
	}
	return ""
}

// mayGo reports blank lines, flat switches with the comments above them, and the lines steps rewrite.
func mayGo(lines []string, i int) bool {
	if trimRight(lines[i]) == "" {
		return true
	}
	key, _, _ := keyOf(trimLeft(lines[i]))
	switch key {
	case "schema", "baseline-tests", "extensions", "extensions-parallel":
		return true
	}
	for lines[i][0] == '#' && i+1 < len(lines) && lines[i+1] != "" {
		i++
	}
	key, _, _ = keyOf(lines[i])
	return flatName(key) != ""
}

func FuzzMigration(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(makeFile(seed))
	}
	f.Add("build:\n extensions:\n  a:\n\vqa: true\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := PlanMigration(text, MigrationOptions{To: Newest})
		if err != nil {
			return
		}
		if problem := promiseBroken(text, m, Newest); problem != "" {
			t.Fatalf("%s\n--- before\n%q\n--- after\n%q", problem, text, m.After)
		}
	})
}

func FuzzRead(f *testing.F) {
	for seed := range uint64(20) {
		text := makeFile(seed)
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, shared, local string) {
		c := Parse("", shared)
		c.local = parseOverlay(local)
		if n := strings.Count(c.Block(), "\n"); n != 21 {
			t.Fatalf("the block has %d lines", n)
		}
		c.Branching().Report()
		NumberIn(shared)
	})
}
