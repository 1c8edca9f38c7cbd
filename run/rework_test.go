package run

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"viber/gate"
)

// triageOf writes a triage whose accepted findings are given as "severity issue", and returns its path.
func triageOf(t *testing.T, round int, findings ...string) string {
	t.Helper()
	var rows []string
	for i, f := range findings {
		severity, issue, _ := strings.Cut(f, " ")
		rows = append(rows, fmt.Sprintf(`{"severity":%q,"file":"a%d.go","line":1,"issue":%q,"fix":"x","reviewer":"o"}`, severity, i, issue))
	}
	path := filepath.Join(t.TempDir(), fmt.Sprintf("triage-round-%d.json", round))
	text := fmt.Sprintf(`{"accepted":[%s],"deferred":[{"finding":{"severity":"suggestion","file":"d.go","line":4,"issue":"later"},"reason":"another task"}],"rejected":[],"approved":false}`, strings.Join(rows, ","))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRulings(t *testing.T) {
	t.Parallel()
	three := `{"version":1,"reviewIterations":[{},{},{}]}`
	for _, c := range []struct {
		what, state string
		findings    []string
		exit        int
		rulings     string
	}{
		{"too early", `{"version":1,"reviewIterations":[{}]}`, []string{"blocking error of Close is lost"}, ReworkTooEarly, ""},
		{"parked", three, []string{"important the loop is slow", "suggestion the name is short"}, 0, "parked parked"},
		{"blocking", three, []string{"blocking error of Close is lost", "suggestion the name is short"}, ReworkEscalate, "escalate parked"},
		{"security", three, []string{"suggestion SQL injection through name"}, ReworkEscalate, "escalate"},
		{"nothing left", three, nil, 0, ""},
		{"counted by retries", `{"version":1,"phases":{"build":{"status":"in_progress","retryCount":3}}}`, []string{"important the loop is slow"}, 0, "parked"},
	} {
		f := stateFile(t, c.state)
		triage := triageOf(t, 3, c.findings...)
		out, err := f.Rulings(triage, gate.Look{})
		var got []string
		for _, r := range out.Rulings {
			got = append(got, r.Ruling)
		}
		if err != nil || out.Exit != c.exit || strings.Join(got, " ") != c.rulings {
			t.Errorf("%s: %d %v (%v)", c.what, out.Exit, got, err)
			continue
		}
		s, _, _ := f.Read()
		if again, err := f.Rulings(triage, gate.Look{}); err != nil || again.Exit != c.exit {
			t.Errorf("%s: ruled again: %+v %v", c.what, again, err)
		}
		if after, _, _ := f.Read(); after.Version != s.Version {
			t.Errorf("%s: ruling twice writes twice", c.what)
		}
	}
	for _, c := range []struct {
		what, finding string
		tripped       bool
	}{{"parked", "important the loop is slow", false}, {"escalated", "blocking error of Close is lost", true}} {
		f := stateFile(t, `{"version":1,"reviewIterations":[{},{},{}],"circuitBreaker":{"tripped":true,"trigger":"rework-cycles","detail":"used up","mine":1}}`)
		triage := triageOf(t, 3, c.finding)
		for range 2 {
			out, err := f.Rulings(triage, gate.Look{})
			s, tree, _ := f.Read()
			breaker, _ := tree["circuitBreaker"].(map[string]any)
			if err != nil || out.Tripped != c.tripped || s.tripped() != c.tripped || breaker["mine"] == nil || s.Version != 2 {
				t.Errorf("%s: %+v %v, breaker %v, version %d", c.what, out, err, breaker, s.Version)
			}
		}
	}
	f := stateFile(t, three)
	for _, triage := range []string{filepath.Join(t.TempDir(), "none.json"), f.Path} {
		if out, err := f.Rulings(triage, gate.Look{}); err == nil || out.Exit != ReworkUnreadable {
			t.Errorf("%s: %+v %v", triage, out, err)
		}
	}
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	play := func(rounds ...[]string) (ReworkAnswer, StateFile) {
		f := stateFile(t, `{"version":1,"phase":"build"}`)
		previous := ""
		var out ReworkAnswer
		for i, findings := range rounds {
			file := triageOf(t, i+1, findings...)
			var err error
			if out, err = f.Record(file, previous, gate.Look{}); err != nil {
				t.Fatal(err)
			}
			if again, err := f.Record(file, previous, gate.Look{}); err != nil || again.Cycle != out.Cycle || again.Tripped != out.Tripped {
				t.Errorf("recording twice: %+v, then %+v (%v)", out, again, err)
			}
			previous = file
		}
		return out, f
	}
	slow, lost, short := "important the loop is slow", "blocking error of Close is lost", "suggestion the name is short"
	for _, c := range []struct {
		what    string
		rounds  [][]string
		trigger string
	}{
		{"one round", [][]string{{slow}}, ""},
		{"progress", [][]string{{slow, lost}, {slow}}, ""},
		{"all fixed in the third", [][]string{{slow, lost}, {slow}, {}}, ""},
		{"same finding", [][]string{{slow, lost}, {slow}, {slow}}, "same-finding"},
		{"cycles", [][]string{{slow}, {lost}, {short}}, "rework-cycles"},
	} {
		out, f := play(c.rounds...)
		s, _, _ := f.Read()
		if out.Tripped != (c.trigger != "") || s.CircuitBreaker.Trigger != c.trigger || out.Tripped && out.Exit != ReworkEscalate {
			t.Errorf("%s: %+v, breaker %+v", c.what, out, s.CircuitBreaker)
		}
		if !out.Tripped {
			continue
		}
		if status, err := f.ReworkStatus(); err != nil || status.Exit != ReworkEscalate {
			t.Errorf("%s: status %+v %v", c.what, status, err)
		}
		if _, err := f.Clear(); err != nil {
			t.Fatal(err)
		}
		if status, _ := f.ReworkStatus(); status.Exit != 0 || status.Cycle != 0 {
			t.Errorf("%s: cleared, and still %+v", c.what, status)
		}
		if _, err := f.Clear(); err == nil {
			t.Errorf("%s: cleared twice", c.what)
		}
	}
}

// TestAFindingStaysOneWhenItsFileIsRenamed: the breaker counts it on.
func TestAFindingStaysOneWhenItsFileIsRenamed(t *testing.T) {
	t.Parallel()
	first := triageOf(t, 1, "important the loop is slow")
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	second := filepath.Join(t.TempDir(), "triage-round-2.json")
	if err := os.WriteFile(second, []byte(strings.ReplaceAll(string(text), "a0.go", "pkg/moved.go")), 0o600); err != nil {
		t.Fatal(err)
	}
	look := gate.LookAtNames(func(name string) string { return strings.Replace(name, "pkg/moved.go", "a0.go", 1) })
	for _, c := range []struct {
		look        gate.Look
		still, news int
	}{{gate.Look{}, 0, 1}, {look, 1, 0}} {
		f := stateFile(t, `{"version":1}`)
		if _, err := f.Record(first, "", c.look); err != nil {
			t.Fatal(err)
		}
		out, err := f.Record(second, first, c.look)
		if err != nil || len(out.Delta.StillPresent) != c.still || len(out.Delta.New) != c.news {
			t.Errorf("%+v %v, want %d still present and %d new", out.Delta, err, c.still, c.news)
		}
	}
}

func TestRung(t *testing.T) {
	t.Parallel()
	f := stateFile(t, `{"version":1,"reviewIterations":[{"delta":{"new":["f1"]}},{"delta":{"stillPresent":["f1"]}},{"delta":{"stillPresent":["f1"]}}]}`)
	tiers := []string{"haiku", "sonnet", "opus"}
	for _, c := range []struct{ finding, kind, want string }{
		{"f2", "", "haiku"}, {"f1", "nil", "opus"}, {"f3", "nil", "opus"}, {"f1", "", "opus"}, {"f4", "leak", "haiku"},
	} {
		r, err := f.Rung(c.finding, c.kind, tiers)
		if err != nil || r.Tier != c.want {
			t.Errorf("%s %s: %+v %v", c.finding, c.kind, r, err)
		}
	}
	if r, err := f.Rung("f1", "", []string{"haiku", "sonnet"}); err != nil || r.Tier != "sonnet" {
		t.Errorf("not clamped: %+v %v", r, err)
	}
	if got := strings.Join(TiersBetween("sonnet", "fable"), " "); got != "sonnet opus fable" {
		t.Errorf("tiers: %s", got)
	}
}

func TestFollowups(t *testing.T) {
	t.Parallel()
	f := stateFile(t, `{"version":1,"reviewIterations":[{},{},{}]}`)
	triage := triageOf(t, 3, "important the loop is slow")
	if _, err := f.Rulings(triage, gate.Look{}); err != nil {
		t.Fatal(err)
	}
	all, err := f.Followups(triage)
	if err != nil || len(all) != 2 || all[0].From != "deferred" || all[1].From != "parked" {
		t.Errorf("%+v %v", all, err)
	}
}

// TestNextAfterTheBreaker: a question comes before the breaker, and an answer given after it tripped stands for clearing it.
func TestNextAfterTheBreaker(t *testing.T) {
	t.Parallel()
	tripped := &Breaker{Tripped: true, TrippedAt: "2026-05-01T10:00:00Z"}
	question := &Question{ID: "q", Text: "Go on?", Kind: "single", Options: []Option{{ID: "yes"}}}
	for want, s := range map[string]RunState{
		"viber rework clear --run k": {CircuitBreaker: tripped},
		"ask the question":           {CircuitBreaker: tripped, PendingQuestion: question},
		"viber run state get k":      {CircuitBreaker: tripped, LastAnswer: &Answer{QuestionID: "q", At: "2026-05-01T10:05:00Z"}},
		"viber rework clear":         {CircuitBreaker: tripped, LastAnswer: &Answer{QuestionID: "q", At: "2026-05-01T09:00:00Z"}},
	} {
		if got := (Stored{Key: "k", Project: t.TempDir()}).next(s); !strings.HasPrefix(got, want) {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}
