package schema

import "testing"

func TestRequires(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, version, want string }{
		{"", "0.1.0", ""},
		{"requires: \">=1.4\"\n", "1.4.0", ""},
		{"requires: \">=1.4\"\n", "1.3.9", "this project needs viber >=1.4, this is 1.3.9: run 'viber upgrade'"},
		{"requires: '>=1.4, <3' # team\n", "2.0.1", ""},
		{"requires: ~1.4\n", "1.5.0", "this project needs viber ~1.4, this is 1.5.0: run 'viber upgrade'"},
		{"requires: >=1.4\n", "1.4.0-3-gabc123", ""},
		{"requires: >=1.4\n", "dev", ""},
		{"requires: newest\n", "1.4.0", `.claude/viber.yml: requires: "newest" is no version constraint; write one like ">=1.4"`},
		{"build:\n  requires: \">=9\"\n", "1.0.0", ""},
	} {
		if got := Parse("", c.text).CheckRequires(c.version); got != c.want {
			t.Errorf("%q with %s: got %q, want %q", c.text, c.version, got, c.want)
		}
	}
}
