package install

import (
	"errors"
	"fmt"

	"viber/install/settings"
	"viber/internal/exit"
	"viber/internal/fsx"
)

// fix offers the repairs as plans: first the files that the client cannot read, then, in the repaired world, what setup
// writes and more than one entry for the same call.
func fix(o DoctorOptions) error {
	w, err := ReadWorld(o.Env, o.Dir)
	if err != nil {
		return err
	}
	job := Job{Env: o.Env, Consent: o.Consent, Places: w.Places, Project: w.Project, Nothing: "nothing to repair"}
	job.Plan = func() (*Plan, error) {
		if err := w.reread(); err != nil {
			return nil, err
		}
		plan, err := planRepair(w)
		if err != nil || !plan.Empty() {
			return plan, err
		}
		return planMend(w, o.Env, o.Dir)
	}
	job.After = func() error {
		fmt.Fprintln(o.Env.Streams.Err, "viber: repaired; run 'viber doctor' once more to see what is left")
		return nil
	}
	return job.Run()
}

// planRepair takes comments and trailing commas out of settings files that the client ignores for them.
func planRepair(w *World) (*Plan, error) {
	plan := &Plan{Command: "doctor --fix", Project: w.Project.Root}
	x := &exam{w: w, d: &Diagnosis{}}
	for _, f := range x.scopeFiles() {
		if f.scope == scopeManaged || f.scope == scopePlugin {
			continue
		}
		text, err := fsx.Read(f.path)
		if err != nil || text == nil {
			continue
		}
		_, err = settings.Parse(f.path, text)
		var refusal *settings.Refusal
		if !errors.As(err, &refusal) || !refusal.Lenient {
			continue
		}
		fixed, err := settings.Repair(f.path, text)
		if err != nil {
			return nil, err
		}
		plan.add(Change{
			Path: f.path, Before: text, After: fixed, Scope: journalScope(f.scope),
			Why: "strict JSON, which is all the client reads: " + refusal.Cause,
		})
	}
	if err := w.moveCodexList(plan); err != nil {
		return nil, err
	}
	return plan, plan.check()
}

// planMend is what setup would do in the scope it was done in, and the end of entries that make viber run twice.
func planMend(w *World, env Env, dir string) (*Plan, error) {
	d, err := Examine(env, dir)
	if err != nil {
		return nil, err
	}
	if !mendable(d) {
		return &Plan{Command: "doctor --fix"}, nil
	}
	scope := wiredScope(w)
	if scope == "" {
		return nil, exit.With(exit.Refused, errors.New("viber is not set up here; run 'viber setup'"))
	}
	plan, err := PlanSetup(w, Wanted{Scope: scope, NoPlugin: w.Record.Plugin == nil})
	if err != nil {
		return nil, err
	}
	plan.Command = "doctor --fix"
	return plan, w.planSingle(plan, scope)
}

// mendable reports whether one of the findings is something that setup or planSingle takes away.
func mendable(d *Diagnosis) bool {
	for _, f := range d.Findings {
		switch f.Code {
		case "hooks-missing", "rules-missing", "stale-path", "doubled", "other-viber", "plugin-missing", "plugin-version", "plugin-changed":
			return true
		}
	}
	return false
}

// wiredScope is the scope that setup wrote hooks to; the user's comes first.
func wiredScope(w *World) string {
	for _, scope := range []string{ScopeUser, ScopeLocal, ScopeProject} {
		if scope != ScopeUser && w.Project.Root == "" {
			continue
		}
		if was := w.Record.Settings[scopePath(w, scope)]; was != nil && was.Hooks > 0 && !was.Added {
			return scope
		}
	}
	return ""
}

// planSingle takes our entries out of the personal scopes beside the wired one.
func (w *World) planSingle(plan *Plan, wired string) error {
	for _, scope := range []string{ScopeUser, ScopeLocal} {
		path := scopePath(w, scope)
		if scope == wired || scope == ScopeLocal && w.Project.Root == "" || w.Record.Settings[path] != nil {
			continue
		}
		before, err := fsx.Read(path)
		if err != nil || before == nil {
			return err
		}
		file, err := settings.Parse(path, before)
		if err != nil {
			return err
		}
		edit := settings.Change{Own: w.recogniser().Own, Unrecorded: true}
		result, err := file.Apply(edit)
		if err != nil {
			return err
		}
		if result.Changed() {
			plan.add(Change{Path: path, Before: before, After: result.Text, Scope: journalScope(scope), Why: "viber is registered twice", edit: &edit})
		}
	}
	return nil
}
