package schema

import (
	"reflect"
	"testing"
)

// TestLookupFindsEveryKey: a key is looked for in the group its name begins with.
func TestLookupFindsEveryKey(t *testing.T) {
	t.Parallel()
	for _, g := range Groups(Newest) {
		for _, want := range g.Keys {
			if got, ok := Lookup(want.Name); !ok || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: found %v: %+v", want.Name, ok, got)
			}
		}
	}
	for _, row := range groupRows(Newest) {
		if got := row.make().Name; got != row.name {
			t.Errorf("the group %q stands as %q", got, row.name)
		}
	}
	for _, name := range []string{"", "guards", "guards.", "guards.nothing", "nothing.git", "planning.schema"} {
		if k, ok := Lookup(name); ok {
			t.Errorf("%q is %+v", name, k)
		}
	}
}
