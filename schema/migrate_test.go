package schema

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestMigrationVectors(t *testing.T) {
	t.Parallel()
	eachVector(t, "migration", func(t *testing.T, v vector) {
		var after string
		must(t, json.Unmarshal(v.After, &after))
		m, err := PlanMigration(string(v.Before), MigrationOptions{To: 3})
		must(t, err)
		if m.After != after {
			t.Errorf("after:\n%s\nwant:\n%s", m.After, after)
		}
		report := []string{}
		for _, line := range m.Report() {
			report = append(report, "viber.yml: "+line)
		}
		if len(report) == 0 {
			report = []string{"viber.yml: already present and complete (left untouched)"}
		}
		same(t, strings.Join(report, "\n"), strings.Join(v.Report, "\n"))
		root := t.TempDir()
		for _, name := range v.Agents {
			put(t, AgentPath(root, name), "agent\n")
		}
		_, block, _ := strings.Cut(Parse(root, m.After).Block(), "\n")
		same(t, strings.TrimSuffix(block, "\n"), strings.Join(v.ResolvedAfter, "\n"))
	})
}
