package install

import (
	"path/filepath"

	"viber/install/settings"
)

// RecordForeign returns the change of viber's record after a plugin from elsewhere was wired into (or taken out of) the
// settings file at path with the footprint fp, and that file's footprint before.
func RecordForeign(p Places, version, path string, fp *settings.Footprint) (Change, error) {
	record, before, err := ReadRecord(p)
	if err != nil {
		return Change{}, refuse(err)
	}
	next := record.clone()
	next.Schema = recordSchema
	if next.Version == "" {
		next.Version = version
	}
	if next.Foreign == nil {
		next.Foreign = map[string]*settings.Footprint{}
	}
	next.Foreign[path] = fp
	if fp.Empty() {
		delete(next.Foreign, path)
	}
	after, err := next.encode()
	return Change{
		Path: RecordPath(p), Before: before, After: after, Mode: 0o600,
		Why: "remember what was written where", Scope: ScopeUser, Record: true,
	}, err
}

// LocalSettings is the path of the settings file that is this user's alone in the project.
func (p Project) LocalSettings() string {
	return filepath.Join(p.Root, ".claude", "settings.local.json")
}
