package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/internal/exit"
	"viber/internal/term"
	"viber/review"
)

func reviewDiffCommand(env Env) *cli.Command {
	return plainCommand("diff", "fetch the diff of a pull request or branch and lay it down for a review",
		`viber review diff "#12"
viber review diff feature/retry --base develop
viber review diff "https://git.example.com/projects/SHOP/repos/cart/pull-requests/7" --json`,
		"Prints the diff, at most --limit bytes of it (160000; 0: all): the largest files are cut first and the whole diff lies in a file.\n"+
			"--json prints where everything lies instead, with the head commit. Without REF: a picker on a terminal, else the branch you are on.",
		[]string{"base=", "limit=", "dir="},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 1, "at most one REF"); err != nil {
				return err
			}
			limit, err := diffLimit(a)
			if err != nil {
				return err
			}
			collectRarely()
			ctx, stop := untilInterrupt(c)
			defer stop()
			defer clearProgress(env)
			w := reviewWorld(env)
			refs, err := refsToReview(ctx, env, w, a)
			for _, ref := range refs {
				if err == nil {
					err = fetchAndShow(ctx, env, w, a, review.DiffOptions{Ref: ref, Base: a.value("base"), Limit: limit, Dir: env.path(a.value("dir"))})
				}
			}
			return err
		})
}

func diffLimit(a rawArgs) (int64, error) {
	if !a.set["limit"] {
		return 0, nil
	}
	n, err := strconv.ParseInt(a.value("limit"), 10, 64)
	if err != nil || n < 0 {
		return 0, usagef("--limit %q is no number of bytes", a.value("limit"))
	}
	if n == 0 {
		return -1, nil
	}
	return n, nil
}

// refsToReview is what was named, what a person picks, or the branch one is on.
func refsToReview(ctx context.Context, env Env, w review.World, a rawArgs) ([]forge.Reference, error) {
	if len(a.words) == 0 && !a.set["json"] && !a.set["base"] && env.Streams.CanPrompt() {
		picked, err := pick(ctx, env, w)
		if err != nil || len(picked) > 0 {
			return picked, err
		}
	}
	ref, err := reviewRef(ctx, w, append(a.words, "")[0])
	return []forge.Reference{ref}, err
}

func pick(ctx context.Context, env Env, w review.World) ([]forge.Reference, error) {
	l := w.List(ctx)
	clearProgress(env)
	if err := orCancelled(ctx, ctx.Err()); err != nil {
		return nil, err
	}
	for _, h := range l.Absent {
		fmt.Fprintf(env.Streams.Err, "viber: nothing from %s: %s\n", h.Host, h.Reason)
	}
	if len(l.Pulls) == 0 {
		fmt.Fprintln(env.Streams.Err, "no open pull requests found; this is the branch you are on")
		return nil, nil
	}
	chosen, err := term.MultiSelect(env.Streams, "Which pull requests? (none: the branch you are on)", choices(l.Pulls))
	var refs []forge.Reference
	for _, i := range chosen {
		refs = append(refs, l.Pulls[i].Reference)
	}
	return refs, err
}

func fetchAndShow(ctx context.Context, env Env, w review.World, a rawArgs, o review.DiffOptions) error {
	d, err := w.Fetch(ctx, o)
	clearProgress(env)
	if err != nil {
		return orCancelled(ctx, err)
	}
	if a.set["json"] {
		return printJSON(env, summary(d))
	}
	f, err := os.Open(d.Patch)
	if err != nil {
		return exit.With(exit.Failed, err)
	}
	defer f.Close()
	out := env.Streams.Out
	if env.Streams.OutTTY {
		err = showLines(out, f)
	} else {
		_, err = io.Copy(out, f)
	}
	if err == nil && !env.Quiet {
		fmt.Fprintf(env.Streams.Err, "%s, +%d -%d, head %s; in %s\n", counted(len(d.Files), "file"), d.Added, d.Removed, d.Head, d.Dir)
	}
	return err
}

// showLines copies a stranger's diff to a terminal, line by line, without the escapes in it.
func showLines(out io.Writer, from io.Reader) error {
	r := bufio.NewReader(from)
	for {
		line, err := r.ReadString('\n')
		if _, werr := io.WriteString(out, forge.Clean(line)); werr != nil {
			return werr
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// diffSummary is what --json prints: the record without its list of lines.
type diffSummary struct {
	Ref       forge.Reference `json:"ref"`
	Title     string          `json:"title,omitempty"`
	Author    string          `json:"author,omitempty"`
	Base      string          `json:"base"`
	Head      string          `json:"head"`
	Dir       string          `json:"dir"`
	Patch     string          `json:"patch"`
	Whole     string          `json:"whole"`
	Files     int             `json:"files"`
	Added     int             `json:"added"`
	Removed   int             `json:"removed"`
	Bytes     int64           `json:"bytes"`
	Truncated bool            `json:"truncated"`
	Dropped   int64           `json:"dropped"`
}

func summary(d review.Diff) diffSummary {
	return diffSummary{d.Ref, d.Title, d.Author, d.Base, d.Head, d.Dir, d.Patch, d.Whole, len(d.Files), d.Added, d.Removed, d.Bytes, d.Dropped > 0, d.Dropped}
}
