package gitx

// foreign is not judged on Windows: owners there are groups as often as people.
func foreign(string) bool { return false }
