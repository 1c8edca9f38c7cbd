package install

import (
	"fmt"
	"io"

	"viber/install/settings"
	"viber/schema"
)

// SetupOptions say what `viber setup` was asked for.
type SetupOptions struct {
	Env     Env
	Consent Consent
	Wanted  Wanted
	Dir     string // the project, or a directory in it
}

// Setup sets viber up for the user and the project that holds o.Dir: it shows a plan, gets consent, applies it, verifies
// it and says what to do next. On a world that is set up it does nothing.
func Setup(o SetupOptions) error {
	w, err := ReadWorld(o.Env, o.Dir)
	if err != nil {
		return err
	}
	job := Job{
		Env: o.Env, Consent: o.Consent, Places: w.Places, Project: w.Project,
		Plan: func() (*Plan, error) {
			if err := w.reread(); err != nil {
				return nil, err
			}
			return PlanSetup(w, o.Wanted)
		},
		Nothing: "viber is set up; nothing to do",
		After:   func() error { return w.report(o) },
	}
	if job.asks() {
		if err := w.askAboutRivals(); err != nil {
			return err
		}
	}
	if w.Project.Root != "" && job.asks() {
		if o.Wanted.Answers, err = askMigration(o.Env, w.Project.Root, schema.MigrationOptions{Answers: o.Wanted.Answers}); err != nil {
			return err
		}
	}
	return job.Run()
}

// reread brings what other programs may have changed since w was read up to date. The client's version is not asked again.
func (w *World) reread() (err error) {
	w.Record, w.recordBytes, err = ReadRecord(w.Places)
	return refuse(err)
}

// report verifies that what the client will read is there, and says what is true now.
func (w *World) report(o SetupOptions) error {
	out := o.Env.news()
	if o.Consent.JSON {
		out = io.Discard
	}
	path := scopePath(w, o.Wanted.Scope)
	if err := w.verify(path); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nviber %s is set up", o.Env.Version)
	if w.Project.Root != "" {
		fmt.Fprintf(out, " for %s", w.Places.short(w.Project.Root))
	}
	fmt.Fprintln(out, ".")
	if !o.Wanted.claude() {
		fmt.Fprintln(out, "Next: type /hooks in Codex and trust the entry; until then Codex passes it over. guards.syntax in .claude/viber.yml switches it on.")
		fmt.Fprintln(out, "To look: viber status, viber doctor. To take it back: viber undo (this change) or viber uninstall (everything).")
		return nil
	}
	switch o.Wanted.Scope {
	case ScopeProject:
		fmt.Fprintln(out, "The hooks stand in the project's shared settings: a teammate without viber on PATH sees one failed-hook line until it is installed there.")
	case ScopeLocal:
		fmt.Fprintln(out, "The hooks stand in your personal settings of this project; teammates are not affected.")
	}
	fmt.Fprintln(out, "Next: close running Claude Code sessions (an open one could write the old settings back) and start a new one in the project; type /viber:help there.")
	fmt.Fprintln(out, "To look: viber status, viber doctor. To take it back: viber undo (this change) or viber uninstall (everything).")
	return nil
}

// verify reads the settings file as the client will and compares its entries with what was planned.
func (w *World) verify(path string) error {
	wiring := w.rereadWiring(path)
	if wiring == nil {
		return nil
	}
	data, err := readSettings(path)
	if err != nil {
		return err
	}
	file, err := settings.Parse(path, data)
	if err != nil {
		return err
	}
	if found := len(w.ownHandlers(file)); found < wiring.Hooks {
		return fmt.Errorf("%s: another program took %d of %d hook entries out again right after they were written; close running Claude Code sessions and run 'viber setup' once more", path, wiring.Hooks-found, wiring.Hooks)
	}
	return nil
}

func (w *World) rereadWiring(path string) *Wiring {
	if w.reread() != nil {
		return nil
	}
	return w.Record.Settings[path]
}

// ownHandlers are the hook entries of ours in a file, without those the client does not read.
func (w *World) ownHandlers(file *settings.File) []settings.Handler {
	own := w.recogniser()
	var found []settings.Handler
	for _, h := range file.Handlers() {
		if !h.Dead && own.Own(h) {
			found = append(found, h)
		}
	}
	return found
}
