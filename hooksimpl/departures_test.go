package hooksimpl

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// departure is a vector that records how a text matcher reads its input, against the documented rule.
type departure struct {
	Name, Want, Rule string
	// Played, when set, is the same command with words for which its branch is taken.
	Played string
}

func loadDepartures(t *testing.T, hook string) map[string]departure {
	t.Helper()
	text, err := os.ReadFile("testdata/" + hook + ".departures.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []departure
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	byName := map[string]departure{}
	for _, d := range list {
		byName[d.Name] = d
	}
	return byName
}

func TestKillGuardVectors(t *testing.T) {
	t.Parallel()
	departures := loadDepartures(t, "kill-guard")
	met := 0
	for _, v := range loadVectors(t, "kill-guard.json") {
		want := v.Want
		if d, ok := departures[v.Name]; ok {
			met++
			want = json.RawMessage(`"` + d.Want + `"`)
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			code, out := v.play(t)
			checkKill(t, v, string(want), code, out)
		})
	}
	if met != len(departures) {
		t.Errorf("%d of %d departures name a vector", met, len(departures))
	}
}

// TestDeparturesAreTheDocumentedRule runs the command of every departure in an interpreter whose programs only write their
// names down: a refused one really stops processes by name, a passed one really does not.
func TestDeparturesAreTheDocumentedRule(t *testing.T) {
	t.Parallel()
	departures := loadDepartures(t, "kill-guard")
	for _, v := range loadVectors(t, "kill-guard.json") {
		d, ok := departures[v.Name]
		if !ok {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			if string(v.Want) == `"`+d.Want+`"` {
				t.Errorf("no departure: the vector wants %s too", d.Want)
			}
			if !slices.Contains(v.Tags, "quirk") || d.Rule == "" {
				t.Error("only a quirk may be departed from, and with its rule")
			}
			p, err := ParsePayload(v.Payload)
			if err != nil {
				t.Fatal(err)
			}
			command, _ := p.Input("command")
			if d.Played != "" {
				command = d.Played
			}
			if ran := killsWhenRun(t, command); ran != (d.Want == "deny") {
				t.Errorf("%q kills by name when run: %v, but the departure wants %s", command, ran, d.Want)
			}
		})
	}
}

// killsWhenRun runs command in a sandbox and reports whether a program that stops processes by name was started.
func killsWhenRun(t *testing.T, command string) bool {
	t.Helper()
	file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil {
		t.Fatal(err)
	}
	kills := false
	// The branch taken depends on what the programs answer: play the command with programs that succeed and that fail.
	for _, status := range []uint8{0, 1} {
		programs := func(_ context.Context, args []string) error {
			kills = kills || killsByName(args)
			if status != 0 {
				return interp.ExitStatus(status)
			}
			return nil
		}
		runner, err := interp.New(
			interp.StdIO(strings.NewReader(""), io.Discard, &bytes.Buffer{}),
			interp.Env(expand.ListEnviron("x=a")),
			interp.CallHandler(func(_ context.Context, args []string) ([]string, error) {
				if args[0] == "kill" || args[0] == ":" || args[0] == "echo" {
					args = append([]string{"stub"}, args...)
				}
				return args, nil
			}),
			interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return programs }),
		)
		if err != nil {
			t.Fatal(err)
		}
		_ = runner.Run(t.Context(), file)
	}
	return kills
}

// killsByName is the rule of the contract on the words a program is started with. A kill whose arguments were substituted
// shows in that the substituted program (which prints nothing) ran: its ids are gone.
func killsByName(args []string) bool {
	if args[0] == "stub" {
		args = args[1:]
	}
	switch args[0] {
	case "killall", "pkill":
		return true
	case "taskkill":
		return slices.ContainsFunc(args, func(a string) bool { return strings.EqualFold(strings.TrimLeft(a, "/"), "im") })
	case "kill":
		return len(args) > 1 && !slices.ContainsFunc(args[1:], func(a string) bool { return !strings.HasPrefix(a, "-") })
	case "xargs":
		return xargsRuns(args[1:]) == "kill"
	}
	return false
}

// xargsRuns reads plain words as GNU xargs does.
func xargsRuns(args []string) string {
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-I", "-d", "--max-args":
			i++
		default:
			if !strings.HasPrefix(args[i], "-") {
				return args[i]
			}
		}
	}
	return "echo"
}

// TestDivergences plays the inputs for which the recorded answer contradicts the documentation: ours is the documented one.
func TestDivergences(t *testing.T) {
	t.Parallel()
	for _, v := range loadVectors(t, "divergences.json") {
		t.Run(v.Hook+"/"+v.Name, func(t *testing.T) {
			t.Parallel()
			code, out := v.play(t)
			if v.Hook == "kill-guard" {
				checkKill(t, v, string(v.WantDocumented), code, out)
				return
			}
			w := want{}
			if err := json.Unmarshal(v.WantDocumented, &w); err != nil {
				t.Fatal(err)
			}
			w.check(t, code, out)
		})
	}
}
