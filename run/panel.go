package run

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/gitx"
)

// Panel is the task panel: what the client draws while a run is open (spec hooks 5).
type Panel struct {
	Key   string     `json:"key"`
	Done  int        `json:"done"`
	Total int        `json:"total"`
	Label string     `json:"label"`
	Rows  []PanelRow `json:"rows"`
}

// PanelRow is one task of the panel; State is done, skipped, running or pending.
type PanelRow struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	State    string   `json:"state"`
	Deferred []string `json:"deferred"`
}

// ReadPanel returns the panel of the project at root, nil when there is nothing to draw: no run with tasks, or the newest
// one is settled and build.cleanup is off. running are the tasks dispatched in this session. Tasks count as plan-path
// counts them.
func ReadPanel(root string, running []string) *Panel {
	config := settings(root)
	runs := filepath.Join(root, "docs", config.Value("directories.runs"))
	entries, err := os.ReadDir(runs)
	if err != nil {
		return nil
	}
	dir, err := openFolder(runs)
	if err != nil {
		return nil
	}
	defer dir.close()
	l, _ := gitx.Find(root)
	unmade := unmadeIn(l)
	slices.Reverse(entries)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		text, _, ok := dir.read(e.Name() + "/plan.md")
		if !ok {
			continue
		}
		plan := ParsePlan("", text)
		if len(plan.IDs()) == 0 {
			continue
		}
		status, _, _ := dir.read(e.Name() + "/status.md")
		status = unmade.truth(filepath.Join(runs, e.Name(), "status.md"), status)
		p := newPanel(e.Name(), plan, ParseStatus(status), running)
		if p.settled() && !config.Bool("build.cleanup") {
			return nil
		}
		return p
	}
	return nil
}

func newPanel(key string, plan *Plan, status *Status, running []string) *Panel {
	ids := plan.IDs()
	p := &Panel{Key: key, Total: len(ids)}
	titles := make(map[string]string, len(ids))
	for _, t := range plan.Tasks {
		id := t.FirstHeading()
		if _, seen := titles[id]; !seen && id != "" {
			titles[id] = t.Headings[0].Title
		}
	}
	states, deferred := status.first(), status.deferredPaths()
	for _, id := range ids {
		row := PanelRow{ID: id, Title: titles[id], State: "pending", Deferred: deferred[id]}
		switch state := states[id]; {
		case state != "":
			row.State = string(state)
		case slices.Contains(running, id):
			row.State = "running"
		}
		if row.State == string(Done) {
			p.Done++
		}
		if row.Deferred == nil {
			row.Deferred = []string{}
		}
		p.Rows = append(p.Rows, row)
	}
	p.Label = fmt.Sprintf("viber tasks %d/%d", p.Done, p.Total)
	return p
}

func (p *Panel) settled() bool {
	return !slices.ContainsFunc(p.Rows, func(r PanelRow) bool { return r.State == "pending" || r.State == "running" })
}

// deferredPaths maps task ids to the paths deferred to them.
func (s *Status) deferredPaths() map[string][]string {
	m := make(map[string][]string)
	for _, d := range s.Deferrals() {
		m[d.Task] = append(m[d.Task], d.Path)
	}
	return m
}

// WritePanel prints the panel as its pane shows it: the label, then a line a task with its state at the right.
func (c Call) WritePanel(p *Panel) error {
	if p == nil {
		_, err := fmt.Fprintln(c.Out, "no active run")
		return err
	}
	width := 0
	for _, r := range p.Rows {
		width = max(width, len([]rune(r.ID+" - "+r.Title)))
	}
	var out strings.Builder
	fmt.Fprintln(&out, p.Label)
	for _, r := range p.Rows {
		name := plain(r.ID + " - " + r.Title)
		fmt.Fprintf(&out, "%s%s  %s\n", name, strings.Repeat(" ", max(0, width-len([]rune(name)))), r.State)
	}
	_, err := c.Out.Write([]byte(out.String()))
	return err
}

// ShowPanel is `viber panel`; running are the tasks dispatched in this session.
func ShowPanel(c Call, running []string, asJSON bool) error {
	p := ReadPanel(c.place().Root, running)
	if asJSON {
		return json.NewEncoder(c.Out).Encode(p)
	}
	return c.WritePanel(p)
}

// ShowPanelLine is `viber panel --line`: the label alone, for a status line; nothing when there is nothing to draw.
func ShowPanelLine(c Call) error {
	p := ReadPanel(c.place().Root, nil)
	if p == nil {
		return nil
	}
	_, err := fmt.Fprintln(c.Out, p.Label)
	return err
}

// plain drops control characters: a title may come from a stranger's plan.
func plain(s string) string { return oneLine(s) }

// The agents whose dispatch marks a task as running.
const (
	TaskCoder    = "viber:task-coder"
	TaskReviewer = "viber:task-reviewer"
)

// DispatchedTask returns the task an Agent call works on: the first prompt line "task: <path>/tasks/<id>.md" of a call to
// one of the two agents.
func DispatchedTask(agent, prompt string) (id string, ok bool) {
	if agent != TaskCoder && agent != TaskReviewer {
		return "", false
	}
	for _, line := range strings.Split(prompt, "\n") {
		value, isTask := strings.CutPrefix(line, "task:")
		if !isTask {
			continue
		}
		path := strings.ReplaceAll(trim(value), `\`, "/")
		if hasBlank(path) {
			continue
		}
		dir, file := cutLast(path, "/")
		name, isFile := strings.CutSuffix(file, ".md")
		if isFile && name != "" && strings.HasSuffix(dir, "/tasks") {
			return name, true
		}
	}
	return "", false
}

func cutLast(s, sep string) (before, after string) {
	at := strings.LastIndex(s, sep)
	if at < 0 {
		return "", s
	}
	return s[:at], s[at+len(sep):]
}

// RefreshesPanel reports whether a shell command may have changed a run: it names one of the scripts of the run's life, or
// viber with one of these commands.
func RefreshesPanel(command string) bool {
	for _, name := range []string{"plan-path", "plan-index", "commit-task", "archive-run"} {
		if strings.Contains(command, name+".sh") || strings.Contains(command, "viber") && strings.Contains(command, name) {
			return true
		}
	}
	return false
}
