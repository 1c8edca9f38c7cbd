package hooksimpl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"viber/ledger"
	"viber/run"
)

const triageText = `{"accepted":[{"severity":"important","file":"src/b.go","line":3,"issue":"the count is off by one","fix":"count from one","fingerprint":"f1"}],
"deferred":[{"finding":{"severity":"suggestion","file":"src/b.go","line":9,"issue":"the name says little","fingerprint":"f2"},"reason":"later"}],"rejected":[]}`

// found puts a triage with two findings into the run's state directory.
func (w *guardWorld) found() {
	w.write(".git/viber/runs/"+guardRun+"/triage-output.json", triageText)
}

func (w *guardWorld) known() []ledger.Entry {
	w.t.Helper()
	store, ok := w.ledger(w.root)
	if !ok {
		w.t.Fatal("no ledger")
	}
	all, broken, err := store.Entries()
	if err != nil || broken > 0 {
		w.t.Fatal(err, broken)
	}
	return all
}

func TestCaptureFlushesTheRunOfTheSession(t *testing.T) {
	t.Parallel()
	for _, event := range []string{EventSessionEnd, EventPreCompact} {
		w := newGuardWorld(t, "").own()
		w.found()
		for range 2 {
			if v := w.ask(w.payload(event, "", nil)); !v.silent() {
				t.Errorf("%s says %v", event, v)
			}
		}
		if all := w.known(); len(all) != 3 { // two findings, one of them debt
			t.Errorf("%s: %d entries: %v", event, len(all), all)
		}
		if notes, _ := run.ReadSessionNotes(w.root); len(notes) != 0 {
			t.Errorf("%s: a session with a run left a note: %v", event, notes)
		}
	}
}

func TestCaptureWritesNothingForASessionWithoutARun(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "")
	w.found()
	w.ask(w.payload(EventSessionEnd, "", nil))
	w.ask(w.payload(EventPreCompact, "", nil))
	if all := w.known(); len(all) != 0 {
		t.Errorf("%v", all)
	}
}

func TestCaptureRespectsTheLedgerSwitch(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "gates:\n  ledger: off\n").own()
	w.found()
	w.ask(w.payload(EventPreCompact, "", nil))
	if all := w.known(); len(all) != 0 {
		t.Errorf("%v", all)
	}
}

// TestCaptureWithoutGitLosesNothing: without git the repository's name is not known, and the flush waits for the next time.
func TestCaptureWithoutGitLosesNothing(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	w.found()
	environ := w.Environ
	w.Environ = []string{"PATH=" + t.TempDir()}
	if v := w.ask(w.payload(EventSessionEnd, "", nil)); !v.silent() {
		t.Errorf("%+v", v)
	}
	if v := w.ask(w.readCall("src/b.go")); !strings.Contains(v.Context, "task T2") {
		t.Errorf("what the run knows needs no git: %+v", v)
	}
	w.Environ = environ
	if all := w.known(); len(all) != 0 {
		t.Errorf("%v", all)
	}
	w.ask(w.payload(EventSessionEnd, "", nil))
	if all := w.known(); len(all) != 3 {
		t.Errorf("%v", all)
	}
}

func toolUse(id, name, command string) string {
	input, _ := json.Marshal(map[string]string{"command": command})
	return `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"` + id + `","name":"` + name + `","input":` + string(input) + `}]}}`
}

func toolResult(id string, failed bool, more string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":"Exit code 1 OUTPUT-TEXT"}]}%s}`, id, failed, more)
}

func TestSessionNoteIsTheShapeAlone(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "")
	for _, line := range []string{
		`{"type":"user","message":{"role":"user","content":"PROMPT-TEXT"}}`,
		toolUse("t1", "Bash", "FOO=1 /usr/bin/go test ./... -run ARGUMENT"), toolResult("t1", true, ""),
		toolUse("t2", "Bash", "npm run build"), toolResult("t2", false, ""),
		toolUse("t3", "Bash", "rm -rf build"), toolResult("t3", true, `,"toolDenialKind":"user-rejected","permissionDecision":{"decision":"reject","source":"user"}`),
		toolUse("t4", "Bash", "rm x"), toolResult("t4", true, `,"toolDenialKind":"permission-rule","permissionDecision":{"source":"hook"}`),
		toolUse("t5", "Read", ""), toolResult("t5", true, ""),
		toolUse("t6", "Bash", "echo 'unclosed"), toolResult("t6", true, ""),
	} {
		w.transcript(line)
	}
	for range 2 {
		w.ask(w.payload(EventSessionEnd, "", nil, "reason", "other"))
	}
	notes, err := run.ReadSessionNotes(w.root)
	if err != nil || len(notes) != 1 {
		t.Fatalf("%v %v", notes, err)
	}
	got, _ := json.Marshal(notes[0].Shape)
	if want := `{"tools":{"Bash":5,"Read":1},"failed":{"go":1,"other":1},"refused":{"Bash":1}}`; string(got) != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for _, text := range []string{"ARGUMENT", "OUTPUT-TEXT", "PROMPT-TEXT", "unclosed"} {
		if strings.Contains(files(t, filepath.Join(w.root, ".git", "viber")), text) {
			t.Errorf("%s was kept", text)
		}
	}
}

func TestSessionNotesAreBounded(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "")
	shape := run.NewShape()
	for i := range 100 {
		shape.Tools.Add(fmt.Sprintf("tool%d", i))
	}
	shape.Tools.Add("a b; rm -rf /")
	for i := range 205 {
		if i == 0 {
			writeNotes(t, w, shape, 198)
			continue
		}
		if i < 198 {
			continue
		}
		if err := run.NoteSession(w.Files, w.root, run.SessionNote{Session: fmt.Sprint(i), Shape: shape}); err != nil {
			t.Fatal(err)
		}
	}
	notes, err := run.ReadSessionNotes(w.root)
	if err != nil || len(notes) != 200 || notes[199].Session != "204" {
		t.Fatalf("%d notes, %v", len(notes), err)
	}
	if n := len(notes[0].Tools); n != 41 || notes[0].Tools["other"] != 61 {
		t.Errorf("%d names, %v", n, notes[0].Tools)
	}
}

// writeNotes puts n notes into the file as they stand there.
func writeNotes(t *testing.T, w *guardWorld, shape run.Shape, n int) {
	t.Helper()
	var text strings.Builder
	for i := range n {
		line, err := json.Marshal(run.SessionNote{Session: fmt.Sprint(i), Shape: shape})
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	w.write(".git/viber/sessions.jsonl", text.String())
}

func TestSessionStartNamesTheUnfinishedRun(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "")
	start := func() Verdict { return w.ask(w.payload(EventSessionStart, "", nil, "source", "startup")) }
	line := "viber: the run " + guardRun + " is unfinished, 1 of 3 tasks are done; /viber:resume " + guardRun + " goes on with it"
	if v := start(); !strings.Contains(v.Context, line) || !strings.Contains(v.System, line) || strings.Contains(v.Context, "viber flush") {
		t.Errorf("%+v", v)
	}
	w.found()
	if v := start(); !strings.Contains(v.Context, "viber flush "+guardRun) {
		t.Errorf("%+v", v)
	}
	if v := w.ask(w.payload(EventSessionStart, "", nil, "source", "resume")); !v.silent() {
		t.Errorf("a resumed session is told %+v", v)
	}
	w.own()
	w.ask(w.payload(EventPreCompact, "", nil))
	if v := start(); strings.Contains(v.Context, "viber flush") {
		t.Errorf("after the flush: %s", v.Context)
	}
	w.progress("T1 T2 T3", "none")
	if v := start(); strings.Contains(v.Context, "unfinished") {
		t.Errorf("a finished run: %s", v.Context)
	}
}

func TestOldSessionFoldersGo(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	old := run.SessionDir(w.root, "old")
	mkdir(t, old)
	then := w.Now().Add(-31 * 24 * time.Hour)
	if err := os.Chtimes(old, then, then); err != nil {
		t.Fatal(err)
	}
	w.ask(w.payload(EventSessionEnd, "", nil))
	if _, err := os.Stat(old); err == nil {
		t.Error("it stayed")
	}
	if _, ok := run.Owned(w.root, w.session); !ok {
		t.Error("the session's own went")
	}
}

// TestSessionEndIsQuick ends a session with a transcript of 20 MB; the client ends all its hooks after 1.5 s together. On a
// machine of its own that takes a tenth of a second; what is tested is the ratio to reading the same bytes, which holds
// under load.
func TestSessionEndIsQuick(t *testing.T) {
	w := newGuardWorld(t, "")
	var text strings.Builder
	for i := 0; text.Len() < 20<<20; i++ {
		text.WriteString(toolUse(fmt.Sprint("t", i), "Bash", "go build ./... && echo "+strings.Repeat("x", 400)) + "\n")
		text.WriteString(toolResult(fmt.Sprint("t", i), i%7 == 0, "") + "\n")
	}
	w.write(".git/t.jsonl", text.String())
	best, plain := time.Hour, time.Hour
	for i := range 5 {
		started := time.Now()
		data, _ := os.ReadFile(w.path(".git/t.jsonl"))
		valid := json.Valid(data[:bytes.IndexByte(data, '\n')])
		lines := bytes.Count(data, []byte(`"type":"tool_use"`))
		plain = min(plain, time.Since(started))
		if !valid || lines == 0 {
			t.Fatal("not a transcript")
		}
		started = time.Now()
		w.ask(w.payload(EventSessionEnd, "", nil, "session_id", fmt.Sprint("s", i)))
		best = min(best, time.Since(started))
	}
	if notes, _ := run.ReadSessionNotes(w.root); len(notes) == 0 {
		t.Error("no note was kept")
	}
	t.Logf("%s, reading the file %s", best, plain)
	if best > 300*time.Millisecond && best > 20*plain {
		t.Errorf("the best of five took %s, reading the file %s", best, plain)
	}
}
