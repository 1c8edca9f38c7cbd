package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/review"
)

func reviewPostCommand(env Env) *cli.Command {
	return plainCommand("post", "put the accepted findings of a triage on a pull request, then the verdict",
		`viber review post --triage .temp/viber/review/KEY/triage-output.json --ref "#12" --dry-run
viber review post --triage .temp/viber/review/KEY/triage-output.json --ref "#12"`,
		"Findings stand at their lines; one whose line the diff does not show becomes a general comment. Posting twice posts nothing new.\n"+
			"A pull request that moved since its diff was fetched is refused. Nothing is closed, merged or resolved. --dry-run prints what would be sent.",
		[]string{"triage=", "ref=", "dir=", "head=", "dry-run"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 0, "no argument but --triage and --ref"); err != nil {
				return err
			}
			for _, name := range []string{"triage", "ref"} {
				if a.value(name) == "" {
					return usagef("--%s is missing", name)
				}
			}
			ctx, stop := untilInterrupt(c)
			defer stop()
			w := reviewWorld(env)
			ref, err := reviewRef(ctx, w, a.value("ref"))
			if err != nil {
				return err
			}
			if ref.Kind == forge.KindBranch {
				return usagef("%s is a branch; only a pull request takes comments", ref.Branch)
			}
			p, err := w.Post(ctx, review.PostOptions{Triage: env.path(a.value("triage")), Ref: ref, Dir: env.path(a.value("dir")), Head: a.value("head"), DryRun: a.set["dry-run"]})
			clearProgress(env)
			if err != nil {
				return err
			}
			if a.set["json"] {
				return printJSON(env, p)
			}
			return printPosting(env.Streams.Out, p, a.set["dry-run"])
		})
}

func printPosting(w io.Writer, p review.Posting, dry bool) error {
	if dry {
		for _, r := range p.Requests {
			var body bytes.Buffer
			if err := json.Indent(&body, r.Body, "", "  "); err != nil {
				return err
			}
			fmt.Fprintf(w, "%s %s\n%s\n", r.Method, r.Path, body.Bytes())
		}
	}
	done := "posted"
	if dry {
		done = "would be posted"
	}
	switch {
	case len(p.Requests) == 0:
		fmt.Fprintf(w, "%s: nothing to post, %d findings are there already\n", p.Ref.URL, p.Already)
	default:
		fmt.Fprintf(w, "%s: %d inline, %d general %s, %d there already; verdict: %s\n", p.Ref.URL, p.Inline, p.General, done, p.Already, verdictWord(p.Verdict))
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	return nil
}

func verdictWord(v forge.Verdict) string {
	if v == forge.NoVerdict {
		return "none"
	}
	return string(v)
}
