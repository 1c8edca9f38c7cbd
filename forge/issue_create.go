package forge

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"viber/internal/exit"
)

// IssueCreate is `viber issue-create <body> <title> [--type T] [--label L]... [--assignee A]... [--project P]...`: it opens
// one issue; a type the repository does not take is dropped and told (commit contract, 9.3).
func IssueCreate(ctx context.Context, c Call) error {
	const name = "issue-create"
	if len(c.Args) < 2 || c.Args[0] == "" || c.Args[1] == "" {
		return c.Refuse(name, exit.Usage, "need <body file> <title> [flags]")
	}
	if !c.isFile(c.Args[0]) {
		return c.Refuse(name, exit.Usage, "body file not found: %s", c.Args[0])
	}
	kind, extras, err := issueFlags(c.Args[2:])
	if err != nil {
		return c.Refuse(name, exit.Usage, "%v", err)
	}
	host, ok := c.Host()
	if !ok {
		return c.Refuse(name, exit.Failed, noGH)
	}
	link, err := host.CreateIssue(ctx, NewIssue{Title: c.Args[1], BodyFile: c.Args[0], Extras: extras})
	if err != nil {
		return c.Refuse(name, exit.Failed, "%v", err)
	}
	fmt.Fprintf(c.Out, "ISSUE_URL=%s\nISSUE_NUMBER=%s\n", link.URL, link.Number)
	_, err = fmt.Fprint(c.Out, typeFacts(ctx, host, link, kind))
	return err
}

func issueFlags(args []string) (kind string, extras []string, err error) {
	for len(args) > 0 {
		flag := args[0]
		switch flag {
		case "--type", "--label", "--assignee", "--project":
		default:
			return "", nil, fmt.Errorf("unknown flag %s", flag)
		}
		if len(args) < 2 {
			return "", nil, fmt.Errorf("%s needs a value", flag)
		}
		if flag == "--type" {
			kind = args[1]
		} else {
			extras = append(extras, flag, args[1])
		}
		args = args[2:]
	}
	return kind, extras, nil
}

// typeFacts sets the type and tells what became of it; the issue exists by now, so nothing here is an error of the command.
func typeFacts(ctx context.Context, host Host, link Link, kind string) string {
	if kind == "" {
		return "TYPE=none\n"
	}
	err := host.SetIssueType(ctx, link, kind)
	if err == nil {
		return "TYPE=applied\n"
	}
	text := err.Error()
	var f *Failure
	if errors.As(err, &f) {
		text = f.Text
	}
	word := "error"
	if notTaken(strings.ToLower(text)) {
		word = "dropped"
	}
	return "TYPE=" + word + "\nTYPE_ERROR=" + text + "\n"
}

// notTaken tells a repository that has no such type, or no types at all, from a call that went wrong.
func notTaken(said string) bool {
	for _, w := range []string{"not enabled", "not found", "issue types", "validation failed", "403", "404"} {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}
