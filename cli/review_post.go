package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/install"
	"viber/internal/exit"
	"viber/review"
)

func reviewPostCommand(env Env) *cli.Command {
	return plainCommand("post", "put the accepted findings of a triage on a pull request, then the verdict",
		`viber review post --triage .temp/viber/review/KEY/triage-output.json --ref "#12" --dry-run
viber review post --triage .temp/viber/review/KEY/triage-output.json --ref "#12" --confirm 4f1c0a9be2d7`,
		"Findings stand at their lines; one whose line the diff does not show becomes a general comment. Posting twice posts nothing new.\n"+
			"A pull request that moved since its diff was fetched is refused. Nothing is closed, merged or resolved. --dry-run prints what would\n"+
			"be sent, and its id; --confirm ID sends exactly that. On a terminal it asks; --yes is for people and CI.",
		[]string{"triage=", "ref=", "dir=", "head=", "confirm=", "dry-run", "yes"},
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 0, "no argument but --triage and --ref"); err != nil {
				return err
			}
			for _, name := range []string{"triage", "ref"} {
				if a.value(name) == "" {
					return usagef("--%s is missing", name)
				}
			}
			if err := postable(env, a); err != nil {
				return err
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
			p, err := w.Post(ctx, review.PostOptions{Triage: env.path(a.value("triage")), Ref: ref, Dir: env.path(a.value("dir")), Head: a.value("head"), DryRun: a.set["dry-run"], Consent: postConsent(env, a)})
			clearProgress(env)
			if p.ID == "" { // nothing was sent yet
				err = orCancelled(ctx, err)
			}
			if err != nil {
				return err
			}
			if a.set["json"] {
				return printJSON(env, p)
			}
			return printPosting(env.Streams.Out, p, a.set["dry-run"])
		})
}

// postable refuses at once what could not be agreed to later.
func postable(env Env, a rawArgs) error {
	switch {
	case a.set["dry-run"] || a.value("confirm") != "":
		return nil
	case a.set["yes"] && installEnv(env).Agent():
		return exit.With(exit.Refused, errors.New("--yes is for people and CI; a coding agent shows --dry-run and posts with --confirm ID after the user agreed"))
	case a.set["yes"] || env.Streams.CanPrompt() && !installEnv(env).Agent() && !a.set["json"]:
		return nil
	case a.set["json"]:
		return exit.With(exit.Usage, errors.New("with --json nobody is asked; use --dry-run to look, --confirm ID to post what was looked at, or --yes"))
	}
	return exit.With(exit.Usage, errors.New("there is nobody to ask here; use --dry-run to look, --confirm ID to post what was looked at, or --yes"))
}

// postConsent is how this call may be agreed to.
func postConsent(env Env, a rawArgs) func(review.Posting) error {
	return func(p review.Posting) error {
		clearProgress(env)
		switch id := a.value("confirm"); {
		case id != "" && id != p.ID:
			return exit.With(exit.Refused, fmt.Errorf("what would be posted is %s now, not %s: something changed since it was shown; look again with --dry-run", p.ID, id))
		case id != "" || a.set["yes"]:
			return nil
		}
		if err := printPosting(env.Streams.Out, p, true); err != nil {
			return err
		}
		return install.Agree(env.Streams, "Post this?", "nothing was posted")
	}
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
	if dry && len(p.Requests) > 0 {
		fmt.Fprintf(w, "id: %s\n", p.ID)
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
