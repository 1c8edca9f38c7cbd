package forge

import (
	"context"
	"fmt"

	"viber/internal/exit"
)

// PostComment is `viber post-comment <issue> <file>`: it puts the text of a file on an issue, once (commit contract, 9.4).
func PostComment(ctx context.Context, c Call) error {
	const name = "post-comment"
	if len(c.Args) != 2 {
		return c.Refuse(name, exit.Usage, "need <issue number or url> <comment file>")
	}
	ref, ok := IssueRef(c.Args[0])
	if !ok {
		return c.Refuse(name, exit.Usage, "not an issue number or url: %s", c.Args[0])
	}
	if !c.isFile(c.Args[1]) {
		return c.Refuse(name, exit.Usage, "comment file not found: %s", c.Args[1])
	}
	host, ok := c.HostOf(ctx, ref)
	if !ok {
		return c.Refuse(name, exit.Failed, noGH)
	}
	link, err := host.Comment(ctx, Thread{Kind: OnIssue, Ref: ref}, c.Args[1])
	if err != nil {
		return c.Refuse(name, exit.Failed, "%v", err)
	}
	_, err = fmt.Fprintf(c.Out, "COMMENT_URL=%s\n", link)
	return err
}
