package forge

import (
	"context"
	"fmt"
	"strings"

	"viber/internal/exit"
	"viber/internal/fence"
)

// IssueFacts is `viber issue-facts <issue>`: one issue with its comments as a KEY=value block and the texts below it
// (commit contract, 9.1). With --fenced, whatever others wrote stands between tags with a random id instead, behind the
// facts that a program reads.
func IssueFacts(ctx context.Context, c Call) error {
	const name = "issue-facts"
	fenced := len(c.Args) == 2 && c.Args[0] == "--fenced"
	if fenced {
		c.Args = c.Args[1:]
	}
	if len(c.Args) != 1 {
		return c.Refuse(name, exit.Usage, "need exactly one <issue number or url>")
	}
	ref, ok := IssueRef(c.Args[0])
	if !ok {
		return c.Refuse(name, exit.Usage, "not an issue number or url: %s", c.Args[0])
	}
	host, ok := c.HostOf(ctx, ref)
	if !ok {
		return c.Refuse(name, exit.Failed, noGH)
	}
	issue, err := host.Issue(ctx, ref)
	if err != nil {
		return c.Refuse(name, exit.Failed, "%v", err)
	}
	if fenced {
		_, err = fmt.Fprint(c.Out, fencedIssue(issue, fence.ID()))
		return err
	}
	_, err = fmt.Fprintln(c.Out, strings.TrimRight(issueBlock(issue), "\n"))
	return err
}

// fencedIssue is the issue for a model: the facts that nobody can word, then everything that somebody did.
func fencedIssue(i Issue, id string) string {
	var words strings.Builder
	fmt.Fprintf(&words, "TITLE=%s\nAUTHOR=%s\nLABELS=%s\n", i.Title, i.Author, strings.Join(i.Labels, ", "))
	texts(&words, i)
	return fmt.Sprintf("NUMBER=%d\nURL=%s\nSTATE=%s\nCOMMENTS=%d\n", i.Number, i.URL, i.State, len(i.Comments)) +
		fence.Wrap(id, fmt.Sprintf("issue %d", i.Number), strings.TrimRight(words.String(), "\n"))
}

func issueBlock(i Issue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "NUMBER=%d\nURL=%s\nTITLE=%s\nSTATE=%s\nAUTHOR=%s\nLABELS=%s\nCOMMENTS=%d\n",
		i.Number, i.URL, i.Title, i.State, i.Author, strings.Join(i.Labels, ", "), len(i.Comments))
	texts(&b, i)
	return b.String()
}

func texts(b *strings.Builder, i Issue) {
	fmt.Fprintf(b, "--- body ---\n%s\n", unruled(i.Body))
	for n, c := range i.Comments {
		fmt.Fprintf(b, "--- comment %d by %s at %s ---\n%s\n", n+1, c.Author, c.At, unruled(c.Body))
	}
}

// unruled moves a line that looks like one of the block's own rules one column in: a text may not pose as the next comment.
func unruled(text string) string {
	if !strings.Contains(text, "--- ") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasSuffix(l, " ---") && (strings.HasPrefix(l, "--- body") || strings.HasPrefix(l, "--- comment ")) {
			lines[i] = " " + l
		}
	}
	return strings.Join(lines, "\n")
}
