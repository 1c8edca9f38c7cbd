package run

import (
	"path"
	"strings"

	"viber/gate"
)

// Planning is the plan as the object that `viber gate planning` judges.
func (p *Plan) Planning() gate.Planning {
	out := gate.Planning{Tasks: []gate.PlannedTask{}}
	for _, t := range p.Tasks {
		out.Tasks = append(out.Tasks, p.planned(t))
	}
	for _, f := range p.Focus {
		out.ReviewFocus = append(out.ReviewFocus, gate.Focus{Input: gate.Text(f.Input), OwnerTaskID: gate.TaskID(f.Task)})
	}
	for _, c := range p.Constraints {
		out.GlobalConstraints = append(out.GlobalConstraints, gate.Text(c.Text))
	}
	return out
}

func (p *Plan) planned(t *Task) gate.PlannedTask {
	out := gate.PlannedTask{ID: gate.TaskID(t.FirstHeading()), Title: gate.Text(t.Title), Type: kindOf(t), Files: []gate.Path{}}
	for _, f := range t.Paths {
		out.Files = append(out.Files, gate.Path(f.Text))
	}
	for _, d := range t.Deps {
		out.DependsOn = append(out.DependsOn, gate.TaskID(d.Text))
	}
	for _, id := range t.CoversIDs {
		for _, c := range p.Criteria {
			if c.Number == id.Text {
				out.AcceptanceCriteria = append(out.AcceptanceCriteria, gate.Text(c.Text))
			}
		}
	}
	return out
}

// kindOf reads the kind of work from what the task touches; the plan's grammar has no word for it.
func kindOf(t *Task) gate.TaskType {
	if t.Repro.Present() {
		return "bugfix"
	}
	docs, tests := len(t.Paths) > 0, len(t.Paths) > 0
	for _, f := range t.Paths {
		docs = docs && (strings.HasSuffix(f.Text, ".md") || strings.HasPrefix(f.Text, "docs/"))
		base := strings.ToLower(path.Base(f.Text))
		tests = tests && (strings.Contains(base, "test") || strings.Contains(base, "spec"))
	}
	switch {
	case docs:
		return "docs"
	case tests:
		return "test"
	}
	return "feature"
}

// GatePlanning judges the plan file at planPath (relative to root, or absolute) as a graph of tasks.
func GatePlanning(root, planPath string, o gate.PlanningOptions) gate.Result {
	o.File = planPath
	text, err := readText(root, planPath)
	if err != nil {
		return gate.Failed("planning", planPath, err)
	}
	object := ParsePlan(planPath, text).Planning()
	o.Plan = &object
	return gate.CheckPlanning(o)
}
