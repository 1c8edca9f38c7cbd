package install

import (
	"fmt"
	"io"
	"path/filepath"

	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/schema"
)

// BringUpOptions say what an upgrade's second half works on: everything but the binary.
type BringUpOptions struct {
	Env     Env
	Consent Consent
	Dir     string            // the project, or a directory in it
	Answers map[string]string // to the questions of a viber.yml migration, by id
	Check   bool              // only look; exit code 5 when there is something to do
}

// BringUp brings plugin, settings and viber.yml to what this binary carries, but only what is set up already: it adds
// viber to no project and no settings file.
func BringUp(o BringUpOptions) error {
	w, err := ReadWorld(o.Env, o.Dir)
	if err != nil {
		return err
	}
	wanted, ok := w.present()
	if !ok {
		if !o.Consent.JSON {
			fmt.Fprintln(o.Env.Streams.Out, "viber is not set up for you yet; run 'viber setup' in a project")
		}
		return nil
	}
	if !w.projectPresent() {
		if w, err = ReadWorld(o.Env, w.Places.Home); err != nil {
			return err
		}
	}
	wanted.Answers = o.Answers
	job := Job{
		Env: o.Env, Consent: o.Consent, Places: w.Places, Project: w.Project,
		Plan: func() (*Plan, error) {
			if err := w.reread(); err != nil {
				return nil, err
			}
			return PlanSetup(w, wanted)
		},
		Nothing: "plugin, settings and viber.yml are up to date; nothing to do",
		After:   func() error { return w.reportBringUp(o, wanted) },
	}
	if o.Check {
		return job.check()
	}
	if w.Project.Root != "" && job.asks() {
		if wanted.Answers, err = askMigration(o.Env, w.Project.Root, schema.MigrationOptions{Answers: wanted.Answers}); err != nil {
			return err
		}
	}
	return job.Run()
}

// check shows what the job would change and ends with the exit code for it.
func (j Job) check() error {
	plan, err := j.Plan()
	if err != nil {
		return err
	}
	if plan.Empty() {
		return j.nothing(plan)
	}
	if j.Consent.JSON {
		err = j.printJSON(plan, false)
	} else {
		err = plan.Show(j.Env.Streams, j.Places, j.Env.Verbose)
	}
	if err != nil {
		return err
	}
	return exit.Status(exit.WouldChange)
}

// present is what was set up, as the record has it; ok is false when nothing was.
func (w *World) present() (want Wanted, ok bool) {
	want = Wanted{Scope: ScopeUser, NoPlugin: w.Record.Plugin == nil}
	var wiring *Wiring
	for _, scope := range []string{ScopeUser, ScopeLocal, ScopeProject} {
		if scope != ScopeUser && w.Project.Root == "" {
			continue
		}
		if wiring = w.Record.Settings[scopePath(w, scope)]; wiring != nil {
			want.Scope = scope
			break
		}
	}
	want.NoHooks = wiring != nil && wiring.Hooks == 0
	return want, wiring != nil || w.Record.Plugin != nil
}

// projectPresent reports whether this project carries anything of viber.
func (w *World) projectPresent() bool {
	if w.Project.Root == "" || w.Record.Projects[w.Project.Root] != nil {
		return true
	}
	data, err := fsx.Read(filepath.Join(w.Project.Root, ".claude", "viber.yml"))
	return err != nil || data != nil
}

func (w *World) reportBringUp(o BringUpOptions, wanted Wanted) error {
	if err := w.verify(scopePath(w, wanted.Scope)); err != nil {
		return err
	}
	out := o.Env.news()
	if o.Consent.JSON {
		out = io.Discard
	}
	fmt.Fprintf(out, "\nplugin and settings are at %s now; close running Claude Code sessions and start new ones.\n", o.Env.Version)
	return nil
}
