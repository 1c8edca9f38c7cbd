package cli

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"viber/forge"
)

func refCommand(env Env) *cli.Command {
	return groupCommand("ref", "say what a name of an issue, pull request or branch means",
		"Nothing is asked over the network: the answer comes from the text, the remotes and branches here, and viber.yml.",
		refParseCommand(env))
}

func refParseCommand(env Env) *cli.Command {
	return plainCommand("parse", "read #12, repo#12, owner/repo#12, PROJ-12, an address, a branch, or free text",
		`viber ref parse "owner/repo#12"
viber ref parse "https://git.example.com/projects/SHOP/repos/cart/pull-requests/7" --json`,
		"Ends 0 and prints the kind and its parts. A number alone, and a name that is two things, are ambiguous: the candidates are listed.",
		nil,
		func(c *cli.Context, a rawArgs) error {
			if err := a.count(1, 1, "one TEXT"); err != nil {
				return err
			}
			ref := forge.Parse(a.words[0], places(env).Surroundings(c.Context, a.words[0]))
			if a.set["json"] {
				return printJSON(env, ref)
			}
			printReference(env.Streams.Out, "", ref)
			return nil
		})
}

func printReference(w io.Writer, lead string, r forge.Reference) {
	fmt.Fprintf(w, "%s%s", lead, r.Kind)
	for _, part := range []string{string(r.Service), r.Key, r.Branch, r.URL, r.Text} {
		if part != "" {
			fmt.Fprintf(w, " %s", forge.Line(part))
		}
	}
	fmt.Fprintln(w)
	for _, c := range r.Candidates {
		printReference(w, lead+"  ", c)
	}
}
