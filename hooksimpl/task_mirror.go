package hooksimpl

import (
	"encoding/json"
	"time"

	"viber/gate"
	"viber/run"
)

// taskMirror copies the client's own task list into the run that owns the session, so that another session can see what
// this one was at.
func taskMirror() check {
	return check{
		name:    "task-mirror",
		events:  []string{EventPostToolUse},
		tools:   []string{ToolTaskCreate, ToolTaskUpdate},
		run:     runTaskMirror,
		fault:   silence,
		because: explainTaskMirror,
	}
}

func runTaskMirror(w *World, p *Payload) Verdict {
	r, why := w.owned(p, "task-mirror")
	change, ok := mirrored(p)
	if why != "" || !ok || !w.mayWrite() {
		return Verdict{}
	}
	change.At = gate.Stamp(w.Now().UTC().Format(time.RFC3339))
	if err := run.MirrorTaskChange(w.Files, r.root, r.key, p.Session, change); err != nil {
		w.noteFault("task-mirror", p, "tasks.json could not be written")
	}
	return Verdict{}
}

// mirrored reads which task a call of the client's task tools changed, and how.
func mirrored(p *Payload) (run.MirrorTask, bool) {
	var in struct{ TaskID, Subject, Status string }
	if json.Unmarshal(p.input, &in) != nil {
		return run.MirrorTask{}, false
	}
	var out struct{ Success *bool }
	if p.Decode("tool_response", &out) == nil && out.Success != nil && !*out.Success {
		return run.MirrorTask{}, false
	}
	change := run.MirrorTask{ID: in.TaskID, Subject: in.Subject, State: in.Status}
	if p.Tool == ToolTaskCreate {
		var out struct{ Task struct{ ID, Subject string } }
		if p.Decode("tool_response", &out) != nil {
			return run.MirrorTask{}, false
		}
		change = run.MirrorTask{ID: out.Task.ID, Subject: out.Task.Subject, State: "pending"}
	}
	return change, change.ID != ""
}

func explainTaskMirror(w *World, p *Payload) []string {
	r, why := w.owned(p, "task-mirror")
	if why != "" {
		return []string{why}
	}
	change, ok := mirrored(p)
	if !ok {
		return []string{"the payload names no task"}
	}
	return []string{"task " + change.ID + " is copied into tasks.json of the run " + r.key}
}
