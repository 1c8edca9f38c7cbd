package install

// HooksOff reports whether the user switched the hooks off for now (`viber hooks off`).
func HooksOff(env Env) bool {
	p, err := FindPlaces(env)
	return err == nil && hooksOffUntil(env, p) != ""
}

// UserHooks reports whether the user's own settings on this machine carry hooks of viber: a hook line that a project shares
// then stays silent, or every check would speak twice.
func UserHooks(env Env) bool {
	p, err := FindPlaces(env)
	if err != nil {
		return false
	}
	rec, _, err := ReadRecord(p)
	if err != nil || rec == nil {
		return false
	}
	for _, w := range rec.Settings {
		if w.Scope == ScopeUser && w.Hooks > 0 {
			return true
		}
	}
	return false
}
