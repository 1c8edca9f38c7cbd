package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"viber/forge"
	"viber/internal/term"
	"viber/review"
)

func reviewListCommand(env Env) *cli.Command {
	return plainCommand("list", "list the open pull requests of all hosts, newest first",
		"viber review list\nviber review list --json",
		"GitHub: those of this repository, those you are asked to review, and your own. A registered Bitbucket Server: those you review.\n"+
			"A host that is absent or refuses contributes nothing and is named.",
		nil,
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(0, 0, "no argument"); err != nil {
				return err
			}
			ctx, stop := untilInterrupt(c)
			defer stop()
			l := reviewWorld(env).List(ctx)
			clearProgress(env)
			if err := orCancelled(ctx, ctx.Err()); err != nil {
				return err
			}
			if a.set["json"] {
				return printJSON(env, l)
			}
			printListing(env, l)
			return nil
		})
}

func printListing(env Env, l review.Listing) {
	if len(l.Pulls) == 0 {
		fmt.Fprintln(env.Streams.Out, "no open pull requests found")
	} else {
		t := term.NewTable(env.Streams.Out)
		fmt.Fprintln(t, "PULL REQUEST\tTITLE\tAUTHOR\tUPDATED\tWHY\tADDRESS")
		for _, p := range l.Pulls {
			fmt.Fprintf(t, "%s/%s#%d\t%s\t%s\t%s\t%s\t%s\n", p.Owner, p.Repo, p.Number, shortTitle(p.Title), p.Author, p.Updated.Format("2006-01-02 15:04"), strings.Join(p.Why, ", "), p.URL)
		}
		_ = t.Flush()
	}
	for _, h := range l.Absent {
		fmt.Fprintf(env.Streams.Err, "viber: nothing from %s: %s\n", h.Host, h.Reason)
	}
}

func shortTitle(title string) string {
	runes := []rune(title)
	if len(runes) <= 50 {
		return title
	}
	return string(runes[:49]) + "…"
}

// choices are the lines of the picker.
func choices(pulls []forge.Pull) []string {
	var all []string
	for _, p := range pulls {
		all = append(all, strings.TrimSpace(fmt.Sprintf("#%d %s (%s/%s, %s) %s", p.Number, shortTitle(p.Title), p.Owner, p.Repo, p.Service, p.Source)))
	}
	return all
}
