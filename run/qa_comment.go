package run

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"viber/forge"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
)

const qaUsage = "usage: qa-comment.sh <qa file path> [--pr <pull request URL>]"

// QAComment is `viber qa-comment <qa file> [--pr <pull request URL>]`: it puts a run's QA document on its issue, or on its
// pull request, at most once per run (commit contract, 8).
func QAComment(ctx context.Context, c Call) error {
	const name = "qa-comment"
	pull, ok := qaPull(c.Args)
	if !ok {
		return c.stop(name, exit.Usage, "%s", qaUsage)
	}
	l, found := gitx.Find(c.Dir)
	if !found || l.Top == "" {
		return c.skip("no-repo")
	}
	q := qaRun{call: c, root: l.Top}
	if !q.find(c.Args[0]) {
		return c.stop(name, exit.Usage, "qa file not found: %s", c.Args[0])
	}
	gh, found := forge.FindGitHub(l.Top, c.Environ)
	if !found {
		return c.skip("no-gh")
	}
	unlock, err := fsx.Lock(q.work(".lock"), time.Minute)
	if err != nil {
		return c.stop(name, exit.Failed, "%v", err)
	}
	defer unlock()
	thread, found := q.thread(ctx, gh, l, pull)
	if !found {
		return c.skip("no-pr")
	}
	gh.Toward(ctx, thread.Ref)
	outcome, err := q.post(ctx, gh, thread)
	if err != nil {
		return c.stop(name, exit.Failed, "%v", err)
	}
	_, err = fmt.Fprint(c.Out, outcome)
	return err
}

// qaPull reads the command line; the link of the pull request is "" when none is given.
func qaPull(args []string) (string, bool) {
	switch {
	case len(args) == 1 && args[0] != "":
		return "", true
	case len(args) != 3 || args[0] == "" || args[1] != "--pr":
		return "", false
	}
	link, ok := forge.PullLink(args[2])
	return link.URL, ok
}

// stop prints the one error line of a command that speaks with a host, and returns the exit code.
func (c Call) stop(command string, code int, format string, args ...any) error {
	fmt.Fprintf(c.Err, "ERROR %s: %s\n", command, fmt.Sprintf(format, args...))
	return exit.Status(code)
}

func (c Call) skip(reason string) error {
	_, err := fmt.Fprintf(c.Out, "STATUS=skip\nREASON=%s\n", reason)
	return err
}

// qaRun is the QA document of one run.
type qaRun struct {
	call Call
	root string
	full string // absolute path of the document
	rel  string // relative to the root, with "/"
	key  string // name of its directory, by which a comment is known again
}

func (q *qaRun) find(name string) bool {
	q.full = onDisk(q.root, filepath.ToSlash(name))
	info, err := os.Stat(q.full)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(q.full)); err == nil {
		q.full = filepath.Join(real, filepath.Base(q.full))
	}
	rel, err := filepath.Rel(q.root, q.full)
	if err != nil {
		return false
	}
	q.rel = filepath.ToSlash(rel)
	q.key = path.Base(path.Dir(q.rel))
	return true
}

func (q *qaRun) work(suffix string) string {
	return filepath.Join(q.root, ".temp", "viber", "qa-comment", q.key+suffix)
}

// thread is where the document goes: the issue of the run's spec, else the pull request given, else the branch's open one.
func (q *qaRun) thread(ctx context.Context, host forge.Host, l gitx.Layout, pull string) (forge.Thread, bool) {
	if ref := q.issue(); ref != "" {
		return forge.Thread{Kind: forge.OnIssue, Ref: ref}, true
	}
	if pull == "" {
		branch, ok := q.call.git().Branch(ctx, l)
		if !ok {
			return forge.Thread{}, false
		}
		urls, err := host.OpenPulls(ctx, branch)
		if err != nil {
			q.call.warn("%v", err)
		}
		if err != nil || len(urls) == 0 {
			return forge.Thread{}, false
		}
		pull = urls[0]
	}
	return forge.Thread{Kind: forge.OnPull, Ref: pull}, true
}

// issue reads `issue:` of the frontmatter of the spec.md beside the document: a number, or a link.
func (q *qaRun) issue() string {
	text, err := os.ReadFile(filepath.Join(filepath.Dir(q.full), "spec.md"))
	if err != nil {
		return ""
	}
	lines := splitLines(string(text))
	if len(lines) == 0 || !isRule(lines[0]) {
		return ""
	}
	for _, line := range lines[1:] {
		if isRule(line) {
			return ""
		}
		if value, ok := strings.CutPrefix(line, "issue:"); ok {
			ref, _ := forge.IssueRef(trim(value))
			return ref
		}
	}
	return ""
}

func (q *qaRun) post(ctx context.Context, host forge.Host, on forge.Thread) (string, error) {
	comments, err := host.Comments(ctx, on)
	if err != nil {
		return "", err
	}
	for _, body := range comments {
		if q.isMine(body) {
			return "STATUS=skip\nREASON=exists\n", nil
		}
	}
	document, err := os.ReadFile(q.full)
	if err != nil {
		return "", err
	}
	body := fmt.Sprintf("<!-- viber:qa %s -->\nQA document: `%s`\n\n%s", q.rel, q.rel, document)
	if err := q.call.Files.Write(q.work(".md"), []byte(body), fsx.Options{}); err != nil {
		return "", err
	}
	link, err := host.Comment(ctx, on, q.work(".md"))
	if err != nil {
		return "", err
	}
	return "STATUS=posted\nCOMMENT_URL=" + link + "\n", nil
}

// isMine reports whether a comment carries this run's mark, under whatever directory the run was when it was posted.
func (q *qaRun) isMine(body string) bool {
	for line := range strings.SplitSeq(strings.ReplaceAll(body, "\r", ""), "\n") {
		_, mark, ok := strings.Cut(line, "<!-- viber:qa ")
		mark, _, _ = strings.Cut(mark, " -->")
		if ok && strings.HasSuffix(mark, "/"+q.key+"/qa.md") {
			return true
		}
	}
	return false
}
