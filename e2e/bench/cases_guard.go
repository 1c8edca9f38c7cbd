package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func guardCases() []benchCase {
	return []benchCase{
		guardCase("guards: Bash with nothing to decide", "go test ./... 2>&1 | tail -20"),
		guardCase("guards: git with nothing to decide", "git status && git diff --stat && git log --oneline -5"),
		stagedCase(),
		sessionEndCase(),
	}
}

// guardCase is a call of all guards, in a project that has them on, for a command none of them objects to.
func guardCase(name, text string) benchCase {
	return benchCase{name: name, limit: 3.4, prepare: func(w *world) (command, command, error) {
		dir, err := w.gitProject("guards")
		if err != nil {
			return command{}, command{}, err
		}
		return w.hook(guardPayload(dir, text)), command{}, nil
	}}
}

func guardPayload(dir, text string) payload {
	p := shellPayload("", text)
	p["cwd"] = dir
	return p
}

// stagedCase is a commit of 5,000 new lines with a key at the end: beside git's own time for the same diff viber takes at
// most a tenth of a second, so the reference is that diff and a tenth of a second of sleep.
func stagedCase() benchCase {
	return benchCase{name: "guards: commit of 5,000 lines", limit: 1, runs: 20, prepare: func(w *world) (command, command, error) {
		dir, err := w.gitProject("staged")
		if err != nil {
			return command{}, command{}, err
		}
		var text strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&text, "func handler%d(w http.ResponseWriter, r *http.Request) { token := r.Header.Get(\"X-Token-%d\"); serve(w, token) }\n", i, i)
		}
		text.WriteString("key = \"AK" + "IAQ3EGT7XNLY2PWKVB\"\n")
		if err := os.WriteFile(filepath.Join(dir, "big.go"), []byte(text.String()), 0o644); err != nil {
			return command{}, command{}, err
		}
		add := exec.Command("git", "add", ".")
		add.Dir, add.Env = dir, w.env
		if out, err := add.CombinedOutput(); err != nil {
			return command{}, command{}, fmt.Errorf("git add: %w: %s", err, out)
		}
		commit := w.hook(guardPayload(dir, "git commit -m x"))
		commit.says = "VG-601"
		return commit, command{argv: []string{"/bin/sh", "-c", "git diff --cached -U0 > /dev/null; sleep 0.1"}, dir: dir}, nil
	}}
}

// sessionEndCase is the end of a session with a transcript of 20 MB, which has 300 ms.
func sessionEndCase() benchCase {
	return benchCase{name: "guards: end of a session of 20 MB", limit: 1, runs: 20, prepare: func(w *world) (command, command, error) {
		dir, err := w.gitProject("end")
		if err != nil {
			return command{}, command{}, err
		}
		path := filepath.Join(dir, "session.jsonl")
		end := w.hook(payload{"hook_event_name": "SessionEnd", "session_id": "s", "reason": "exit", "transcript_path": path, "cwd": dir})
		return end, command{argv: []string{"/bin/sleep", "0.3"}}, writeTranscript(path, 7280, false)
	}}
}
