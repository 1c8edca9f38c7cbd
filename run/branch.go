package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"viber/internal/gitx"
	"viber/schema"
)

// branching is the run branch as the project configures it and the repository stands (spec plan 5).
type branching struct {
	schema.Branching
	git     gitx.Git
	current string // the branch HEAD names, "" when detached
	did     string // created, switched or kept
	place   Place
}

// readBranching returns nil where branching is off: no repository, no mode, or an unknown one.
func (p pather) readBranching(ctx context.Context) (*branching, error) {
	if !p.place.InGit {
		return nil, nil
	}
	b := &branching{Branching: settings(p.place.Root).Branching(), git: p.place.git, did: "kept", place: p.place}
	if b.Mode != "allowed" && b.Mode != "required" {
		return nil, nil
	}
	b.look(ctx)
	return b, nil
}

// look reads the branch HEAD names.
func (b *branching) look(ctx context.Context) {
	if name, ok := b.git.Branch(ctx, b.place.Layout); ok {
		b.current = name
	}
}

// shown is the current branch for people.
func (b *branching) shown() string {
	if b.current == "" {
		return "detached"
	}
	return b.current
}

// entry is the work entry of a plan: the one its work: names, or the only one.
func (b *branching) entry(f Front) (schema.WorkEntry, error) {
	if f.Work == "" && len(b.Entries) == 1 {
		return b.Entries[0], nil
	}
	for _, e := range b.Entries {
		if f.Work != "" && e.Key == f.Work {
			return e, nil
		}
	}
	switch {
	case len(b.Entries) == 0:
		return schema.WorkEntry{}, errors.New("no branching.work entry in viber.yml; add one")
	case f.Work == "":
		return schema.WorkEntry{}, fmt.Errorf("the plan names no work entry and branching.work has several (%s); add work: <entry> to its frontmatter", b.keys())
	}
	return schema.WorkEntry{}, fmt.Errorf("the plan's work entry %s does not exist in branching.work (it has %s)", f.Work, b.keys())
}

func (b *branching) keys() string {
	keys := make([]string, len(b.Entries))
	for i, e := range b.Entries {
		keys[i] = e.Key
	}
	return strings.Join(keys, ", ")
}

func (b *branching) isBase(branch string) bool {
	for _, e := range b.Entries {
		if e.Base == branch {
			return true
		}
	}
	return false
}

// configError is the first error of the branching configuration, nil when there is none.
func (b *branching) configError() error {
	if len(b.Errors) == 0 {
		return nil
	}
	return fmt.Errorf("viber.yml: %s", b.Errors[0])
}

// step puts HEAD onto the plan's run branch. undo takes it back; it is nil when nothing moved. After an error HEAD, index,
// tree and branches are as they were.
func (b *branching) step(ctx context.Context, plan *Plan, slug string) (undo func(context.Context), err error) {
	wanted := plan.Front.WantsBranch()
	if wanted == "" {
		if wanted, err = b.derive(plan, slug); wanted == "" || err != nil {
			return nil, err
		}
	}
	if b.Mode == "required" && b.isBase(wanted) {
		return nil, fmt.Errorf("the run branch %s is a base; viber.yml requires a branch of its own", wanted)
	}
	if err := b.validName(ctx, wanted); err != nil {
		return nil, err
	}
	if wanted == b.current {
		return nil, nil
	}
	return b.move(ctx, plan, wanted)
}

// derive is the branch of a plan that names none: "" keeps the current one.
func (b *branching) derive(plan *Plan, slug string) (string, error) {
	if b.Mode == "allowed" {
		return "", nil
	}
	if b.current == "" {
		return "", errors.New("HEAD is detached and the plan names no branch; check out the base, or add branch: <name> to its frontmatter")
	}
	e, err := b.entry(plan.Front)
	if err != nil {
		if len(b.Entries) > 0 && !b.isBase(b.current) {
			return "", nil
		}
		return "", firstOf(b.configError(), err)
	}
	if !b.isBase(b.current) {
		return "", nil
	}
	if err := b.configError(); err != nil {
		return "", err
	}
	issue := plan.Front.Issue.Number
	if strings.Contains(e.Name, "{issue-number}") && issue == "" {
		return "", fmt.Errorf("the branch name of work entry %s needs {issue-number} and the plan has no issue:; add it to its frontmatter", e.Key)
	}
	wanted := expandName(e.Name, planType(plan), issue, slug)
	if wanted == "" {
		return "", fmt.Errorf("the branch name of work entry %s comes out empty from %q", e.Key, e.Name)
	}
	return wanted, nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// validName refuses what git would not take as a branch, or would read as something else.
func (b *branching) validName(ctx context.Context, name string) error {
	if !strings.HasPrefix(name, "-") {
		res, err := b.git.Read(ctx, "check-ref-format", "--branch", name)
		if err != nil {
			return err
		}
		if res.Code == 0 && strings.TrimSuffix(string(res.Stdout), "\n") == name {
			return nil
		}
	}
	return fmt.Errorf("invalid branch name %q; git would not take it", name)
}

// move switches to an existing branch or creates it from its base.
func (b *branching) move(ctx context.Context, plan *Plan, wanted string) (func(context.Context), error) {
	e, entryErr := b.entry(plan.Front)
	refs, err := b.commits(ctx, wanted, e.Base)
	if err != nil {
		return nil, err
	}
	if to := refs[wanted]; to != "" {
		return b.checkout(ctx, to, "switched", wanted, "checkout", "-q", wanted, "--")
	}
	if err := firstOf(b.configError(), entryErr); err != nil {
		return nil, fmt.Errorf("branch %s cannot be created: %w", wanted, err)
	}
	from := refs[e.Base]
	if from == "" {
		return nil, fmt.Errorf("branch %s cannot be created: its base %s does not exist locally; fetch it and check it out once", wanted, e.Base)
	}
	return b.checkout(ctx, from, "created", wanted, "checkout", "-q", "--no-track", "-b", wanted, "refs/heads/"+e.Base, "--")
}

// commits returns the commit of each local branch among names, keyed by name.
func (b *branching) commits(ctx context.Context, names ...string) (map[string]string, error) {
	args := []string{"for-each-ref", "--format=%(refname) %(objectname)"}
	for _, n := range names {
		if n != "" {
			args = append(args, "refs/heads/"+n)
		}
	}
	out, err := b.git.Out(ctx, args...)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	for _, line := range strings.Split(out, "\n") {
		ref, commit, _ := strings.Cut(line, " ")
		found[strings.TrimPrefix(ref, "refs/heads/")] = commit
	}
	return found, nil
}

// head returns the commit of HEAD, "" in a repository without one.
func (b *branching) head(ctx context.Context) (string, error) {
	res, err := b.git.Read(ctx, "rev-parse", "-q", "--verify", "HEAD")
	return strings.TrimSpace(string(res.Stdout)), err
}

func (b *branching) dirty(ctx context.Context) (bool, error) {
	changes, err := b.git.Changes(ctx)
	return len(changes) > 0, err
}

// checkout runs one git checkout to commit to. Uncommitted work comes along only when the commit stays the same.
func (b *branching) checkout(ctx context.Context, to, did, name string, args ...string) (func(context.Context), error) {
	head, err := b.head(ctx)
	if err != nil {
		return nil, err
	}
	if head != to {
		if dirty, err := b.dirty(ctx); err != nil {
			return nil, err
		} else if dirty {
			return nil, fmt.Errorf("uncommitted changes stand in the way of branch %s; commit or stash them, then land again", name)
		}
	}
	res, err := checkOut(ctx, b.git, args...)
	if err != nil {
		return nil, err
	}
	if res.Code != 0 {
		return nil, fmt.Errorf("could not put HEAD onto branch %s: %w", name, gitx.Fail("checkout", res))
	}
	before := b.current
	b.current, b.did = name, did
	return func(ctx context.Context) { b.back(ctx, before, head, name, did) }, nil
}

// back undoes a checkout: a landing that failed afterwards moves nothing.
func (b *branching) back(ctx context.Context, branch, commit, name, did string) {
	target := []string{"checkout", "-q", "--detach", commit, "--"}
	if branch != "" {
		target = []string{"checkout", "-q", branch, "--"}
	}
	res, err := checkOut(ctx, b.git, target...)
	if err == nil && res.Code == 0 && did == "created" {
		_, _ = b.git.Run(ctx, nil, "branch", "-q", "-D", "--", name)
	}
}

// planType is fix when a task block has a Repro line, however indented, else feature.
func planType(p *Plan) string {
	for _, t := range p.Tasks {
		for _, line := range p.Text(t.From, t.To) {
			line = trimLeft(line)
			if rest, ok := strings.CutPrefix(line, "-"); ok {
				line = trimLeft(rest)
			}
			if strings.HasPrefix(line, "Repro:") {
				return "fix"
			}
		}
	}
	return "feature"
}

// expandName fills a name pattern and drops separators that are left dangling or doubled.
func expandName(pattern, kind, issue, slug string) string {
	name := strings.NewReplacer("{type}", kind, "{issue-number}", issue, "{slug}", slug).Replace(pattern)
	parts := strings.Split(name, "/")
	kept := parts[:0]
	for _, part := range parts {
		if part = strings.Trim(part, "-_."); part != "" {
			kept = append(kept, part)
		}
	}
	name = strings.Join(kept, "/")
	for strings.Contains(name, "--") {
		name = strings.ReplaceAll(name, "--", "-")
	}
	return name
}
