package hooksimpl

import (
	"path"

	"viber/run"
	"viber/schema"
)

// ownedRun is a run that the session of a payload owns.
type ownedRun struct {
	root, key string
	config    *schema.Config
}

// owned returns the run the payload's session owns when guards.<name> is on for it; why says what is missing otherwise.
func (w *World) owned(p *Payload, name string) (r ownedRun, why string) {
	config, value := w.guard(p, name)
	if value == switchOff {
		return r, "guards." + name + " is off here"
	}
	r = ownedRun{root: config.Root, config: config}
	key, ok := run.Owned(r.root, p.Session)
	if !ok {
		return r, "no run of this project belongs to the session " + orNone(p.Session)
	}
	r.key = key
	return r, ""
}

// dir is the run's directory, relative to the project with "/".
func (r ownedRun) dir() string { return path.Join("docs", r.config.Value("directories.runs"), r.key) }

func (r ownedRun) plan() string { return path.Join(r.dir(), "plan.md") }

// load reads the plan and progress of the run.
func (r ownedRun) load() (*run.Run, error) {
	return run.LoadRun(r.root, r.dir())
}
