package hooksimpl

import (
	"strings"
	"sync"
	"testing"
	"time"
)

func faultyWorld(t *testing.T) (*World, string) {
	state := t.TempDir()
	return &World{
		Getenv: func(string) string { return "" }, Now: time.Now, State: func() string { return state },
	}, state
}

func TestFaultOfACheckIsItsFaultAnswer(t *testing.T) {
	t.Parallel()
	w, state := faultyWorld(t)
	p, err := ParsePayload([]byte(refusedPayload))
	if err != nil {
		t.Fatal(err)
	}
	var secret []string
	var unset map[string]int
	broken := map[string]func(*World, *Payload) Verdict{
		"index":   func(*World, *Payload) Verdict { return Verdict{Reason: secret[3]} },
		"nil map": func(*World, *Payload) Verdict { unset["a"] = 1; return Verdict{} },
		"text":    func(*World, *Payload) Verdict { panic("the payload says SECRET") },
		"hang":    func(*World, *Payload) Verdict { time.Sleep(time.Minute); return Verdict{} },
	}
	for _, c := range checks() {
		want := c.fault(w, p)
		for name, run := range broken {
			c.run = run
			if got := c.ask(w, p, 50*time.Millisecond); got != want {
				t.Errorf("%s, %s: %+v, want %+v", c.name, name, got, want)
			}
		}
	}
	faults, err := ReadFaults(state)
	if err != nil || len(faults) != len(checks())*len(broken) {
		t.Fatalf("%d faults kept: %v", len(faults), err)
	}
	for _, f := range faults {
		if strings.Contains(f.What, "SECRET") || f.Event != EventPreToolUse {
			t.Errorf("fault %+v", f)
		}
		if strings.HasPrefix(f.What, "runtime error") && !strings.Contains(f.What, "faults_test.go:") {
			t.Errorf("the fault does not say where: %s", f.What)
		}
	}
}

func TestFaultsAreBoundedAndSurviveParallelHooks(t *testing.T) {
	t.Parallel()
	w, state := faultyWorld(t)
	p := &Payload{Event: EventPreToolUse}
	for range faultsKept {
		w.noteFault("old", p, "x")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { w.noteFault("new", p, "y") })
	}
	all.Wait()
	faults, err := ReadFaults(state)
	if err != nil || len(faults) != faultsKept {
		t.Fatalf("%d faults: %v", len(faults), err)
	}
	if faults[len(faults)-1].Check != "new" {
		t.Errorf("the newest is %+v", faults[len(faults)-1])
	}
}
