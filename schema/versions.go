package schema

// Newest is the schema number this program writes and expects.
const Newest = 3

// version is one row of the schema history. Adding schema N+1 means: a file step_<N+1>.go with its step and its groups, the
// new templates/viber.yml (go test ./schema -update writes it), a row here, and Newest.
type version struct {
	number int
	groups func() []Group // groups that came with it; keys that came to an older group stand there with their Since
	step   func(*draft)   // brings a draft to it; runs at every schema up to the target, so it looks before it changes
}

func versions() []version {
	return []version{
		{number: 1, groups: groups1, step: groupFlatSwitches},
		{number: 2, step: nameBaseline},
		{number: 3, step: mapExtensions},
	}
}
