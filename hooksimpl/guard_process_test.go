package hooksimpl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"viber/run"
)

// TestMain makes this test binary a hook process when it is told which state directory to use.
func TestMain(m *testing.M) {
	if state := os.Getenv("VIBER_TEST_HOOK_STATE"); state != "" {
		w := &World{Getenv: os.Getenv, Now: time.Now, State: func() string { return state }, Environ: os.Environ()}
		os.Exit(Run(Options{Name: os.Args[1], Stdin: os.Stdin, Stdout: os.Stdout, World: w}))
	}
	os.Exit(m.Run())
}

// process starts a hook process with the payload; the caller waits for it.
func (w *guardWorld) process(p *Payload) (*exec.Cmd, *bytes.Buffer) {
	w.t.Helper()
	text, err := json.Marshal(p.fields)
	if err != nil {
		w.t.Fatal(err)
	}
	out := &bytes.Buffer{}
	cmd := exec.Command(os.Args[0], p.Event)
	cmd.Env = append(os.Environ(), "VIBER_TEST_HOOK_STATE="+w.State())
	cmd.Stdin, cmd.Stdout = bytes.NewReader(text), out
	if err := cmd.Start(); err != nil {
		w.t.Fatal(err)
	}
	return cmd, out
}

func TestSixteenProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	together(16, func(i int) {
		cmd, _ := w.process(w.createTask(fmt.Sprint(i), "s"))
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	if n := len(w.mirror().Tasks); n != 16 {
		t.Errorf("%d of 16 tasks", n)
	}
	w.stop(false)
	together(16, func(int) {
		cmd, _ := w.process(w.payload(EventStop, "", nil, "stop_hook_active", true))
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	if s := run.ReadStops(w.root, w.session); s.Blocks != stopBlocks {
		t.Errorf("%+v", s)
	}
	w.transcript(`{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}`)
	together(16, func(i int) {
		p := w.payload(EventSessionEnd, "", nil, "session_id", fmt.Sprintf("unowned-%d", i%8))
		cmd, _ := w.process(p)
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	})
	if notes, err := run.ReadSessionNotes(w.root); err != nil || len(notes) != 8 {
		t.Errorf("%d notes of 8 sessions, %v", len(notes), err)
	}
}

// TestKilledProcessesLeaveReadableState kills hook processes at times spread over their life.
func TestKilledProcessesLeaveReadableState(t *testing.T) {
	t.Parallel()
	w := newGuardWorld(t, "").own()
	w.ask(w.createTask("0", "kept"))
	for i := range 24 {
		cmd, _ := w.process(w.createTask("1", fmt.Sprint("subject ", i)))
		stop, _ := w.process(w.payload(EventStop, "", nil, "stop_hook_active", true))
		time.Sleep(time.Duration(i) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = stop.Process.Kill()
		_, _ = cmd.Process.Wait()
		_, _ = stop.Process.Wait()
		if m := w.mirror(); len(m.Tasks) == 0 || m.Tasks[0].Subject != "kept" {
			t.Fatalf("after kill %d: %+v", i, m)
		}
	}
	cmd, out := w.process(w.createTask("1", "last"))
	if err := cmd.Wait(); err != nil || out.Len() > 0 {
		t.Errorf("%v %s", err, out)
	}
	if m := w.mirror(); len(m.Tasks) != 2 || m.Tasks[1].Subject != "last" || !strings.HasPrefix(m.Session, "00000001") {
		t.Errorf("%+v", m)
	}
}
