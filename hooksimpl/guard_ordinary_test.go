package hooksimpl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// TestGuardsLeaveOrdinaryWorkAlone runs the shell guards over a year's worth of ordinary commands: builds, tests, searches
// for dangerous words, commit messages about them, documents that name them. None may be refused, and hardly any asked about.
func TestGuardsLeaveOrdinaryWorkAlone(t *testing.T) {
	t.Parallel()
	needGit(t)
	commands := ordinaryCommands(t)
	if len(commands) < 2000 {
		t.Errorf("only %d commands", len(commands))
	}
	g := newRepoWorld(t)
	asked := 0
	for _, command := range commands {
		p := CommandPayload(ToolBash, command, "", filepath.Join(g.base, "feature"))
		for _, c := range []check{gitGuard(), selfGuard()} {
			switch v := c.run(g.world("feature"), p); v.Decision {
			case Deny:
				t.Errorf("%s refuses %q: %s", c.name, command, v.Reason)
			case Ask:
				asked++
				t.Logf("%s asks about %q: %s", c.name, command, v.Reason)
			}
		}
	}
	if asked > len(commands)/500 {
		t.Errorf("%d of %d commands are asked about", asked, len(commands))
	}
}

func ordinaryCommands(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "guards", "ordinary.json"))
	if err != nil {
		t.Fatal(err)
	}
	var commands []string
	if err := json.Unmarshal(text, &commands); err != nil {
		t.Fatal(err)
	}
	return commands
}

// TestReadingCostsAtMostThreeParses holds the shell guards' own work, git apart, to three times the bare parse of the text.
func TestReadingCostsAtMostThreeParses(t *testing.T) {
	commands := ordinaryCommands(t)
	plain := slices.DeleteFunc(slices.Clone(commands), func(c string) bool {
		return strings.Contains(c, "git ") || strings.Contains(c, "<<") || strings.Contains(c, "#")
	})
	texts := []string{strings.Join(plain[:400], "\n"), commands[0], plain[len(plain)/2], "cd web && npm run build 2>&1 | tail -20 && git status", strings.Repeat("for f in a b c; do echo \"$f $(date)\"; git add \"$f\"; done\n", 200)}
	g := newRepoWorld(t)
	dir := filepath.Join(g.base, "feature")
	w := g.world("feature")
	config := w.config(dir)
	for _, text := range texts {
		ratio := 0.0
		for range 5 { // other work on the machine disturbs one measurement, not all
			parse, guards := alternating(300, func() {
				_, _ = syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
			}, func() {
				p := &Payload{Tool: ToolBash, Cwd: dir}
				p.call.once.Do(func() { p.call.reading = readShell(ToolBash, text, w.shellContext(dir)) })
				judgeGit(w, p, config)
				judgeSecrets(w, p)
				judgeSelf(w, p)
			})
			if ratio = float64(guards-20*time.Microsecond) / float64(parse); ratio <= 3 {
				break
			}
		}
		if ratio > 3 {
			t.Errorf("%d bytes: %.1f times the parse", len(text), ratio)
		}
	}
}

// alternating runs a and b in turn, n times each, and returns the medians of what they took.
func alternating(n int, a, b func()) (ta, tb time.Duration) {
	times := [2][]time.Duration{}
	for range n {
		for i, work := range []func(){a, b} {
			started := time.Now()
			work()
			times[i] = append(times[i], time.Since(started))
		}
	}
	slices.Sort(times[0])
	slices.Sort(times[1])
	return times[0][n/2], times[1][n/2]
}
