package schema

import "strings"

// blockKeys are the keys of the configuration block, in its order. Guards are never among them.
func blockKeys() []string {
	return []string{
		"planning.adr", "planning.plain-plan-review", "planning.fast-path",
		"build.baseline-tests", "build.final-review", "build.memory", "build.rules", "build.qa", "build.cleanup",
		"github.issues", "github.issue-title", "github.pr-title",
		"build.extensions", "build.extensions-missing",
		"directories.runs", "directories.specifications",
		"tiers.min", "tiers.max",
		"branching.mode",
	}
}

// Block returns the resolved configuration as `viber config` prints it: a header line, with a local overlay a line about
// it, and one line a key.
func (c *Config) Block() string {
	var b strings.Builder
	b.WriteString("# viber config (resolved)\n")
	if c.local != nil {
		b.WriteString(c.local.header() + "\n")
	}
	for _, name := range blockKeys() {
		b.WriteString(name + ": " + c.Value(name) + "\n")
	}
	return b.String()
}
