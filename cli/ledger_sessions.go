package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/run"
	"viber/schema"
)

func ledgerSessionsCommand(env Env) *cli.Command {
	return tableCommand(env, "sessions", "print the shape of the sessions that had no run: tools used, programs that failed, calls refused",
		"viber ledger sessions [--json]", "Kept by guards.capture, the last 200: names and counts, never an argument or any output.", nil,
		func(_ *cli.Context, a rawArgs) error {
			if err := a.count(0, 0, "options only"); err != nil {
				return err
			}
			notes, err := run.ReadSessionNotes(schema.Root(env.Dir))
			if err != nil {
				return err
			}
			var b strings.Builder
			for _, n := range notes {
				fmt.Fprintf(&b, "%s  tools: %s", n.At, counts(n.Tools))
				if len(n.Failed) > 0 {
					fmt.Fprintf(&b, "; failed: %s", counts(n.Failed))
				}
				if len(n.Refused) > 0 {
					fmt.Fprintf(&b, "; refused: %s", counts(n.Refused))
				}
				b.WriteByte('\n')
			}
			return show(env, a, map[string]any{"sessions": notes}, strings.TrimSuffix(b.String(), "\n"))
		})
}

// counts lists names with how often they occurred, the most frequent first.
func counts(c run.Counts) string {
	names := slices.SortedFunc(maps.Keys(c), func(a, b string) int {
		if c[a] != c[b] {
			return c[b] - c[a]
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, c[name])
	}
	return strings.Join(names, ", ")
}
