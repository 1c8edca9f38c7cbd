package hooksimpl

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func saying(text string) check {
	return check{name: text, fault: silence, run: func(*World, *Payload) Verdict { return Verdict{Context: text} }}
}

func hanging(until <-chan struct{}, limit time.Duration) check {
	return check{name: "hanging", limit: limit,
		run:   func(*World, *Payload) Verdict { <-until; return Verdict{Context: "too late"} },
		fault: func(*World, *Payload) Verdict { return Verdict{Context: "fault"} },
	}
}

// TestALateCheckHoldsUpNobody: the checks behind it are asked, it gives its fault answer, and the answer comes once, even
// when the check comes back.
func TestALateCheckHoldsUpNobody(t *testing.T) {
	t.Parallel()
	until := make(chan struct{})
	said := make(chan Verdict, 2)
	latest := make(chan bool, 2)
	back := make(chan struct{})
	r := relay{world: testWorld(t), payload: &Payload{}, deadline: time.Now().Add(time.Hour),
		checks: []check{saying("first"), hanging(until, time.Millisecond), hanging(until, time.Millisecond), saying("last")},
		done:   func(v Verdict, late bool) { said <- v; latest <- late }}
	go func() { r.work(0, false); close(back) }()
	if got := strings.Fields((<-said).Context); !slices.Equal(got, []string{"first", "fault", "fault", "last"}) {
		t.Errorf("said: %q", got)
	}
	if !<-latest {
		t.Error("the answer counts as in time")
	}
	close(until)
	<-back
	if len(said) != 0 {
		t.Error("a second answer")
	}
}

// TestAnEndlessCheckEndsTheProcess: the answer is out, but the goroutine of Run is not free.
func TestAnEndlessCheckEndsTheProcess(t *testing.T) {
	t.Parallel()
	until := make(chan struct{})
	ended := make(chan int, 1)
	var out strings.Builder
	c := call{Options: Options{World: testWorld(t), Stdout: &out, End: func(code int) { ended <- code }}, answered: make(chan struct{})}
	r := relay{world: c.World, payload: &Payload{}, deadline: time.Now().Add(time.Millisecond), checks: []check{hanging(until, 0)},
		done: func(v Verdict, late bool) { c.say(EventPreToolUse, v, late) }}
	go r.work(0, false)
	if code := <-ended; code != 0 || !strings.Contains(out.String(), `"additionalContext":"fault"`) {
		t.Errorf("ended with %d: %s", code, out.String())
	}
	<-c.answered
	close(until)
}

func TestAFastCheckIsInTime(t *testing.T) {
	t.Parallel()
	r := relay{world: testWorld(t), payload: &Payload{}, deadline: time.Now().Add(time.Hour), checks: []check{saying("a")},
		done: func(v Verdict, late bool) {
			if late || v.Context != "a" {
				t.Errorf("late %v: %+v", late, v)
			}
		}}
	r.work(0, false)
}
