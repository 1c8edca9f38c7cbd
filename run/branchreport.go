package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"viber/forge"
	"viber/internal/exit"
	"viber/schema"
)

// branchReport is `plan-path --branch <plan>`: what landing the plan would do to branches; nothing moves.
func (p pather) branchReport(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] == "" {
		return usage("usage: viber plan-path --branch <plan>")
	}
	src, err := p.readSource(args[0])
	if err != nil {
		return err
	}
	b, err := p.readBranching(ctx)
	if b == nil || err != nil {
		return p.off(err)
	}
	r := report{branching: b, issue: src.plan.Front.Issue}
	r.line = func(e schema.WorkEntry, refs map[string]ref) string {
		name, exists := "-", "no"
		if r.usable(e) {
			name = expandName(e.Name, planType(src.plan), r.issue.Number, src.slug)
			exists = yesNo(refs[name].commit != "")
		}
		return fmt.Sprintf("entry: %s | base: %s | target: %s | new: %s | new-exists: %s | behind: %s\n",
			e.Key, e.Base, e.Target, name, exists, refs[e.Base].behind())
	}
	for _, e := range b.Entries {
		if r.usable(e) {
			r.names = append(r.names, expandName(e.Name, planType(src.plan), r.issue.Number, src.slug))
		}
	}
	return p.print(ctx, &r)
}

// startReport is `plan-path --start [<issue URL>]`: the same without a plan.
func (p pather) startReport(ctx context.Context, args []string) error {
	const text = "usage: viber plan-path --start [<issue URL>]; an issue URL is https://host/owner/repo/issues/NUMBER"
	var issue Issue
	switch {
	case len(args) > 1:
		return usage(text)
	case len(args) == 1:
		issue = ParseIssue(args[0])
		if issue.URL != args[0] || hasBlank(issue.URL) || !hasHost(issue.URL) {
			return usage(text)
		}
	}
	b, err := p.readBranching(ctx)
	if b == nil || err != nil {
		return p.off(err)
	}
	head, err := b.head(ctx)
	if err != nil {
		return err
	}
	r := report{branching: b, issue: issue}
	r.line = func(e schema.WorkEntry, refs map[string]ref) string {
		base := refs[e.Base]
		return fmt.Sprintf("entry: %s | base: %s | target: %s | usable: %s | base-exists: %s | at-base: %s | behind: %s\n",
			e.Key, e.Base, e.Target, yesNo(r.usable(e)), yesNo(base.commit != ""), yesNo(base.commit != "" && base.commit == head), base.behind())
	}
	return p.print(ctx, &r)
}

// hasHost reports whether url is http or https with something between the slashes and the path.
func hasHost(url string) bool {
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		rest, ok = strings.CutPrefix(url, "http://")
	}
	return ok && rest != "" && rest[0] != '/'
}

func (p pather) off(err error) error {
	if err != nil {
		return exit.With(pathBranch, err)
	}
	_, err = fmt.Fprintln(p.Out, "mode: off")
	return err
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// report is the body of --branch and --start.
type report struct {
	*branching
	issue Issue
	names []string // branches the entries would get
	line  func(schema.WorkEntry, map[string]ref) string
}

// usable reports whether an entry's name can be filled.
func (r *report) usable(e schema.WorkEntry) bool {
	return r.issue.Number != "" || !strings.Contains(e.Name, "{issue-number}")
}

func (p pather) print(ctx context.Context, r *report) error {
	kind, asked := "", false
	if len(r.Mappings) > 0 && r.issue.Number != "" {
		kind, asked = p.issueType(ctx, r.issue.URL), true
	}
	refs, err := r.refs(ctx)
	if err != nil {
		return exit.With(pathBranch, err)
	}
	dirty, err := r.dirty(ctx)
	if err != nil {
		return exit.With(pathBranch, err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "mode: %s\nissue-type: %s\nsuggested: %s\n", r.Mode, orNone(kind), r.suggested(kind))
	for _, e := range r.Entries {
		out.WriteString(r.line(e, refs))
	}
	fmt.Fprintf(&out, "current: %s\ncurrent-is-base: %s\ndirty: %s\n", r.shown(), yesNo(r.current != "" && r.isBase(r.current)), yesNo(dirty))
	for _, e := range r.Errors {
		fmt.Fprintf(&out, "error: %s\n", e)
	}
	switch {
	case !asked:
	case kind == "":
		fmt.Fprintf(&out, "error: issue %s has no issue type\n", r.issue.Number)
	case r.mapped(kind) == "":
		fmt.Fprintf(&out, "error: issue type %s is not in branching.issue-type-mappings\n", kind)
	}
	_, err = p.Out.Write([]byte(out.String()))
	return err
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func (r *report) mapped(kind string) string {
	for _, m := range r.Mappings {
		if m.Type == kind {
			return m.Entry
		}
	}
	return ""
}

// suggested is the entry the issue's type maps to, else the only usable one, else none.
func (r *report) suggested(kind string) string {
	if kind != "" {
		if e := r.mapped(kind); e != "" {
			return e
		}
	}
	only := ""
	for _, e := range r.Entries {
		if r.usable(e) {
			if only != "" {
				return "none"
			}
			only = e.Key
		}
	}
	return orNone(only)
}

// ref is a local branch: its commit, and how git tells its distance from a configured upstream.
type ref struct {
	commit, upstream, track string
}

// behind is the number of commits the upstream has and the branch lacks, or unknown.
func (r ref) behind() string {
	if r.upstream == "" || r.track == "gone" {
		return "unknown"
	}
	for _, part := range strings.Split(r.track, ", ") {
		if n, ok := strings.CutPrefix(part, "behind "); ok {
			return n
		}
	}
	return "0"
}

func (r *report) refs(ctx context.Context) (map[string]ref, error) {
	args := []string{"for-each-ref", "--format=%(refname)%09%(objectname)%09%(upstream)%09%(upstream:track,nobracket)"}
	for _, e := range r.Entries {
		args = append(args, "refs/heads/"+e.Base)
	}
	for _, n := range r.names {
		if n != "" {
			args = append(args, "refs/heads/"+n)
		}
	}
	refs := make(map[string]ref)
	if len(args) == 2 {
		return refs, nil
	}
	out, err := r.git.Out(ctx, args...)
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(out, "\n") {
		if f := strings.Split(line, "\t"); len(f) == 4 {
			refs[strings.TrimPrefix(f[0], "refs/heads/")] = ref{f[1], f[2], f[3]}
		}
	}
	return refs, nil
}

// issueType asks the issue's host for its type; "" when it cannot be had.
func (p pather) issueType(ctx context.Context, url string) string {
	link, ok := forge.ParseLink(url, "issues")
	if !ok || !strings.HasPrefix(url, "https://") {
		return ""
	}
	gh, ok := forge.FindGitHub(p.place.Root, p.Environ)
	if !ok {
		return ""
	}
	kind, err := gh.IssueType(ctx, link)
	if err != nil {
		return ""
	}
	return kind
}

// checkout is `plan-path --checkout <branch>`: HEAD onto an existing local branch, whatever the mode.
func (p pather) checkout(ctx context.Context, args []string) error {
	if len(args) != 1 || args[0] == "" {
		return usage("usage: viber plan-path --checkout <branch>")
	}
	name := args[0]
	if !p.place.InGit {
		return exit.With(pathBranch, errors.New("not in a git repository; there is no branch to check out"))
	}
	b := &branching{git: p.place.git, did: "kept", place: p.place}
	b.look(ctx)
	if err := b.validName(ctx, name); err != nil {
		return exit.With(pathBranch, err)
	}
	refs, err := b.commits(ctx, name)
	if err != nil {
		return exit.With(pathBranch, err)
	}
	to := refs[name]
	if to == "" {
		return refuse(pathBranch, "branch %s does not exist locally; create it, or fetch and check it out once", name)
	}
	if name != b.current {
		if _, err := b.checkout(ctx, to, "switched", name, "checkout", "-q", name, "--"); err != nil {
			return exit.With(pathBranch, err)
		}
	}
	_, err = fmt.Fprintf(p.Out, "branch: %s (%s)\n", b.shown(), b.did)
	return err
}
