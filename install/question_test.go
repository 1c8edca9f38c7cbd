package install

import "testing"

func TestQuestionCountsTheRows(t *testing.T) {
	t.Parallel()
	file := func(before, after string) Change {
		c := Change{Path: "/p"}
		if before != "" {
			c.Before = []byte(before)
		}
		if after != "" {
			c.After = []byte(after)
		}
		return c
	}
	for want, p := range map[string]*Plan{
		"Apply this change?": {Changes: []Change{file("a", "b")}},
		"Apply these 6 changes (plugin folder (update): 1, create: 2, change: 1, remove: 2)?": {
			Actions: []Action{{Kind: PluginFolder, Before: "old"}},
			Changes: []Change{file("", "a"), file("a", "b"), file("a", ""), file("", "a"), file("a", "")},
		},
	} {
		if got := p.question(); got != want {
			t.Errorf("asks %q, want %q", got, want)
		}
	}
}
