package schema

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/aymanbagabas/go-udiff"
)

const oddFile = `schema: 3
build:
  qa: "true"
  memory: yes
  adr: true
  clenup: true
tiers:
  min: 'sonnet'
`

const oldFile = `# Ours.

# Keep the docs fresh.
memory: true

baseline-tests: true  # since May

tiers:
  min: sonnet
`

// TestDocsAreGenerated: docs/viber-yml.md is what the table and the program itself give.
func TestDocsAreGenerated(t *testing.T) {
	t.Parallel()
	m, err := PlanMigration(oldFile, MigrationOptions{})
	must(t, err)
	page, err := template.New("viber-yml.md.tmpl").Funcs(template.FuncMap{
		"takes": func(k Key) string { return strings.TrimPrefix(k.takes(), "takes ") },
		"code": func(s string) string {
			if s == "" {
				return ""
			}
			return "`" + s + "`"
		},
	}).ParseFiles(filepath.Join("testdata", "docs", "viber-yml.md.tmpl"))
	must(t, err)
	var out strings.Builder
	must(t, page.Execute(&out, map[string]any{
		"Newest": Newest, "Groups": Groups(Newest), "Local": listing(localKeys(), " and "),
		"OddFile": oddFile, "OddFindings": findings(oddFile),
		"OldFile": oldFile, "Migration": m, "Notes": steps(m), "Diff": udiff.Unified("~/shop/"+shown, "~/shop/"+shown, m.Before, m.After),
		"Question": question(m.Questions[0]), "Schemas": schemas(),
	}))
	generated(t, filepath.Join("..", "docs", "viber-yml.md"), out.String())
}

func findings(text string) string {
	var b strings.Builder
	for _, f := range ValidateText(text) {
		fmt.Fprintln(&b, f)
	}
	return b.String()
}

func steps(m Migration) []string {
	var lines []string
	for _, s := range m.Steps {
		lines = append(lines, s.Key+": "+s.Text)
	}
	return lines
}

func question(q Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "? %s\n", q.Text)
	for _, o := range q.Options {
		mark := "  "
		if o.Value == q.Default {
			mark = "> "
		}
		fmt.Fprintf(&b, "%s%s: %s\n", mark, o.Value, o.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// schemas are the rows of the history from the version table.
func schemas() []map[string]any {
	var rows []map[string]any
	for _, v := range versions() {
		rows = append(rows, map[string]any{"Number": v.number, "Text": v.about})
	}
	return rows
}
