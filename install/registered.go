package install

import (
	"runtime"

	"viber/hooksimpl"
	"viber/install/host"
	"viber/install/settings"
	"viber/schema"
)

// hookEntries are the entries of one scope's settings file.
func (w *World) hookEntries(scope string) ([]settings.Hook, error) {
	return w.Client.Entries(w.wiring(scope), w.registrations(scope))
}

func (w *World) wiring(scope string) host.Wiring {
	wiring := host.Wiring{Program: w.Binary.Path, Windows: runtime.GOOS == "windows"}
	if scope == ScopeProject {
		wiring.Program, wiring.Project = pluginName, true
	}
	return wiring
}

// registrations are what the entries of one scope are there for. Entries in the user's settings count in every project, so
// they follow the user's own switches; a shared project file follows the project's alone.
func (w *World) registrations(scope string) []hooksimpl.Registration {
	var config *schema.Config
	switch scope {
	case ScopeProject:
		config = schema.Read(w.Project.Root)
	case ScopeLocal:
		config = schema.ReadFor(w.Project.Root, w.Places.Config)
	default:
		config = schema.ReadUser(w.Places.Config)
	}
	return w.Client.Registrations(config.Value)
}

// syntaxSwitch is guards.syntax here.
func (w *World) syntaxSwitch() string {
	if w.Project.Root == "" {
		return schema.ReadUser(w.Places.Config).Value("guards.syntax")
	}
	return schema.ReadFor(w.Project.Root, w.Places.Config).Value("guards.syntax")
}

// added plans the entries that the project's switches ask for beyond those of the user's own settings: they stand in the
// project's settings.local.json, or a project could make every other one slower.
func (s *setupPlan) added(inSettings bool) error {
	if s.want.Scope != ScopeUser || s.w.Project.Root == "" {
		return nil
	}
	path := scopePath(s.w, ScopeLocal)
	was := s.w.Record.Settings[path]
	if was != nil && !was.Added {
		return nil // set up with --scope local: all of them stand there
	}
	more := hooksimpl.Beyond(s.w.registrations(ScopeUser), s.w.registrations(ScopeLocal))
	entries, err := s.w.Client.Entries(s.w.wiring(ScopeLocal), more)
	if err != nil {
		return err
	}
	switch {
	case !inSettings && len(entries) > 0 && !s.want.NoHooks:
		s.note("this project switches on guards that nothing calls here: hooks cannot stand in its settings")
		entries = nil
	case !inSettings:
		entries = nil
	}
	if len(entries) == 0 && was == nil {
		return nil
	}
	return s.editAdded(path, was, entries)
}

func (s *setupPlan) editAdded(path string, was *Wiring, entries []settings.Hook) error {
	edit := settings.Change{Own: s.w.recogniser().Own, Hooks: entries}
	if was != nil {
		edit.Footprint = was.Footprint
	}
	if err := s.editSettings(path, ScopeLocal, edit); err != nil {
		return err
	}
	if len(entries) > 0 {
		s.next.Settings[path].Added = true
		return nil
	}
	delete(s.next.Settings, path)
	if last := len(s.Changes) - 1; was.Made && last >= 0 && s.Changes[last].Path == path && isEmptyObject(s.Changes[last].After) {
		s.Changes[last].After = nil
	}
	return nil
}
