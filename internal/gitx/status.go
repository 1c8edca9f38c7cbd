package gitx

import (
	"context"
	"strings"
)

// Change is one entry of `git status`: its two-letter code and its path relative to the top of the work tree.
type Change struct{ Code, Path string }

// Paths returns the paths of the changes.
func Paths(changes []Change) []string {
	paths := make([]string, len(changes))
	for i, c := range changes {
		paths[i] = c.Path
	}
	return paths
}

// Changes returns what `git status` reports, in its order and unquoted: untracked files one by one, ignored ones not, a rename by its new path only.
func (g Git) Changes(ctx context.Context) ([]Change, error) {
	res, err := g.Read(ctx, "status", "--porcelain", "-z", "--untracked-files=all", "--find-renames")
	if err != nil {
		return nil, err
	}
	if res.Code != 0 {
		return nil, Fail("status", res)
	}
	return parseStatus(string(res.Stdout)), nil
}

func parseStatus(text string) []Change {
	var changes []Change
	records := strings.Split(text, "\x00")
	for i := 0; i < len(records); i++ {
		r := records[i]
		if len(r) < 4 {
			continue
		}
		changes = append(changes, Change{Code: r[:2], Path: r[3:]})
		if r[0] == 'R' || r[0] == 'C' || r[1] == 'R' || r[1] == 'C' {
			i++ // the old path follows
		}
	}
	return changes
}
