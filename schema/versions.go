package schema

// Newest is the schema number this program writes and expects.
const Newest = 4

// version is one row of the schema history. Adding schema N+1 means: a file step_<N+1>.go with its step and its groups, the
// new templates/viber.yml (go test ./schema -update writes it), a row here, and Newest.
type version struct {
	number int
	about  string            // what its layout is, for docs/viber-yml.md
	groups func() []groupRow // groups that came with it; keys that came to an older group stand there with their Since
	step   func(*draft)      // brings a draft to it; runs at every schema up to the target, so it looks before it changes
}

func versions() []version {
	return []version{
		{number: 1, about: "the switches in groups: `planning`, `build`, `github`", groups: groups1, step: groupFlatSwitches},
		{number: 2, about: "`build.baseline-tests` is off, fast or full instead of true or false; `viber.local.yml`", step: nameBaseline},
		{number: 3, about: "the map `build.extensions`; its first files had a one-line list", step: mapExtensions},
		{number: 4, about: "the groups `guards`, `gates` and `forge`; `github.close-issues`", groups: groups4},
	}
}
