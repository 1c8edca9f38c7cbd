package review

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"viber/gate"
	"viber/internal/exit"
)

// rebutted is a round of which two reviews came: correctness made a blocking finding, tests an important one and a suggestion.
func rebutted(t *testing.T) (World, string) {
	t.Helper()
	w := branchWorld(t)
	d := fetched(t, w, 0)
	if _, err := Begin(w.Files, w.Root, d.Dir, DefaultParts(), time.Now()); err != nil {
		t.Fatal(err)
	}
	put(t, reviewFile(d.Dir, "correctness"), `{"reviewer":"correctness","approved":false,"findings":[{"severity":"blocking","file":"mod0/sub/a.go","line":2,"issue":"wrong word","fix":"right word"}]}`)
	put(t, reviewFile(d.Dir, "tests"), `{"reviewer":"tests","approved":true,"findings":[{"severity":"important","file":"mod0/sub/a.go","line":2,"issue":"no test","fix":"add one"},
 {"severity":"suggestion","file":"mod0/sub/a.go","line":1,"issue":"a long name","fix":"shorten it"}]}`)
	if _, _, err := Rebut(w.Files, d.Dir); exit.Code(err) != exit.Refused {
		t.Errorf("a rebuttal before the reviews were waited for: %v", err)
	}
	if _, err := w.Wait(WaitOptions{Dir: d.Dir, Pause: func() bool { return false }}); err != nil {
		t.Fatal(err)
	}
	return w, d.Dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestRebuttal: those whose review came are asked about the others' weighty findings, each part is taken once, what does not pass
// the gate counts for nothing, and then the triage is handed out; the end of the round names what was disputed.
func TestRebuttal(t *testing.T) {
	t.Parallel()
	w, dir := rebutted(t)
	parts, why, err := Rebut(w.Files, dir)
	if err != nil || fmt.Sprint(parts) != "[correctness tests]" || why != "" {
		t.Fatalf("%v %q %v", parts, why, err)
	}
	var mu sync.Mutex
	claims := map[string]Claim{}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			c, err := Take(w.Files, dir)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				claims[fmt.Sprint(exit.Code(err))] = c
				return
			}
			if _, twice := claims[c.For]; twice || c.Part != RebuttalPart {
				t.Errorf("claimed %+v", c)
			}
			claims[c.For] = c
		})
	}
	all.Wait()
	asked, err := os.ReadFile(claims["correctness"].Findings)
	if err != nil || !strings.Contains(string(asked), "no test") || strings.Contains(string(asked), "wrong word") || strings.Contains(string(asked), "a long name") {
		t.Errorf("correctness is asked about %s: %v", asked, err)
	}
	put(t, claims["tests"].Report, `{"reviewer":"tests","disagreements":[{"file":"mod0/sub/a.go","line":2,"issue":"wrong word","note":"the word is that of the standard"}]}`)
	put(t, claims["correctness"].Report, `{"reviewer":"correctness","disagreements":[{"file":"mod0/sub/a.go","line":9,"issue":"never said","note":"it does not hold at all"}]}`)
	p, err := w.WaitRebuttal(WaitOptions{Dir: dir, Limit: time.Minute, Pause: func() bool { return false }})
	if err != nil || fmt.Sprint(p.Returned, p.Late) != "[tests] [correctness]" || !strings.Contains(p.Malformed["correctness"], "no finding of the others") {
		t.Errorf("%+v %v", p, err)
	}
	if _, err := os.Stat(claims["correctness"].Report); err == nil {
		t.Error("the rebuttal that does not hold is left for the triage")
	}
	if c, err := Take(w.Files, dir); err != nil || c.Part != TriagePart {
		t.Errorf("%+v %v", c, err)
	}
	put(t, triageFile(dir), `{"accepted":[],"deferred":[],"rejected":[
 {"finding":{"severity":"blocking","file":"mod0/sub/a.go","line":2,"issue":"wrong word","fix":"right word","reviewer":"correctness"},"reason":"tests is right about the standard"},
 {"finding":{"severity":"important","file":"mod0/sub/a.go","line":2,"issue":"no test","reviewer":"tests"},"reason":"the file has a test"},
 {"finding":{"severity":"suggestion","file":"mod0/sub/a.go","line":1,"issue":"a long name","reviewer":"tests"},"reason":"a matter of taste"}],"approved":true}`)
	res, err := EndRound(w.Files, dir, triageFile(dir), gate.Look{})
	if err != nil || res.Exit != gate.Valid || fmt.Sprint(res.Facts["disputed"]) != "[{tests {mod0/sub/a.go 2 wrong word the word is that of the standard}}]" {
		t.Errorf("%+v %v", res, err)
	}
	if _, err := Begin(w.Files, w.Root, dir, DefaultParts(), time.Now()); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"rebuttal-*", "findings-*", "claim-*"} {
		if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) != 0 {
			t.Errorf("the new round still has %v", left)
		}
	}
}

// TestNothingToRebut: one review, or none with a weighty finding, goes straight to the triage; a rebuttal nobody answers does not stop
// the round.
func TestNothingToRebut(t *testing.T) {
	t.Parallel()
	w, dir := rebutted(t)
	put(t, reviewFile(dir, "correctness"), `{"reviewer":"correctness","approved":true,"findings":[]}`)
	put(t, reviewFile(dir, "tests"), `{"reviewer":"tests","approved":true,"findings":[]}`)
	if parts, why, err := Rebut(w.Files, dir); err != nil || len(parts) != 0 || !strings.Contains(why, "no review has a blocking") {
		t.Errorf("%v %q %v", parts, why, err)
	}
	if _, err := w.WaitRebuttal(WaitOptions{Dir: dir}); exit.Code(err) != exit.Refused {
		t.Errorf("waited for a rebuttal that was not opened: %v", err)
	}
	if c, err := Take(w.Files, dir); err != nil || c.Part != TriagePart {
		t.Errorf("%+v %v", c, err)
	}
	w, dir = rebutted(t)
	if _, _, err := Rebut(w.Files, dir); err != nil {
		t.Fatal(err)
	}
	p, err := w.WaitRebuttal(WaitOptions{Dir: dir, Pause: func() bool { return false }})
	if err != nil || len(p.Returned) != 0 || len(p.Late) != 2 {
		t.Errorf("%+v %v", p, err)
	}
	if _, _, err := Rebut(w.Files, dir); exit.Code(err) != exit.Refused {
		t.Errorf("a second rebuttal of the round: %v", err)
	}
	if c, err := Take(w.Files, dir); err != nil || c.Part != TriagePart {
		t.Errorf("%+v %v", c, err)
	}
	if all, err := Disputes(dir); err != nil || len(all) != 0 {
		t.Errorf("%v %v", all, err)
	}
}
