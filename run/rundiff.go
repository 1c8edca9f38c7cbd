package run

import (
	"bytes"
	"context"
	"strings"

	"viber/internal/gitx"
)

// diffLimit bounds how much of a run's diff is looked at, in bytes.
const diffLimit = 16 << 20

// Diff is what the commits since the run's plan was added changed outside the run's own directory; nil when the plan is not
// in the history, or outside git.
func (f Stored) Diff(ctx context.Context, git gitx.Git) []byte {
	dir := "docs/" + settings(f.Project).Value("directories.runs") + "/" + f.Key
	added, err := git.Out(ctx, "log", "--diff-filter=A", "--format=%H", "--", dir+"/plan.md")
	if err != nil || added == "" {
		return nil
	}
	hashes := strings.Fields(added)
	res, err := git.Read(ctx, "diff", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", hashes[len(hashes)-1]+"..HEAD", "--")
	if err != nil || res.Code != 0 || len(res.Stdout) > diffLimit {
		return nil
	}
	return outside(res.Stdout, dir)
}

// outside is a diff without the files below dir.
func outside(diff []byte, dir string) []byte {
	var kept []byte
	own := false
	for line := range bytes.Lines(diff) {
		if name, is := bytes.CutPrefix(line, []byte("diff --git ")); is {
			own = bytes.HasPrefix(name, []byte("a/"+dir+"/"))
		}
		if !own {
			kept = append(kept, line...)
		}
	}
	return kept
}
