package commit

import (
	"context"
	"fmt"
	"strings"
)

// finish warns about changed paths no task claims, and prints the outcome.
func (r *repo) finish(ctx context.Context, j *job) error {
	ctx = context.WithoutCancel(ctx)
	switch j.form.kind {
	case taskForm, landedForm, fixForm, repairForm:
		if err := r.warnUnclaimed(ctx, j.plan); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(r.call.Out, "committed: %s\n%s\n", j.short, strings.Join(j.told(), "\n")); err != nil {
		return err
	}
	if !j.unsettled {
		r.forget()
	}
	return nil
}

// warnUnclaimed names what is changed in the tree and in no task's Files.
func (r *repo) warnUnclaimed(ctx context.Context, p *planFile) error {
	claimed := map[string]bool{}
	for _, cl := range p.claims {
		for _, f := range cl.files {
			claimed[f] = true
		}
	}
	tree, err := r.status(ctx)
	if err != nil {
		return err
	}
	var free []string
	for _, path := range tree {
		if !claimed[path] && !p.inRun(path) {
			free = append(free, path)
		}
	}
	if len(free) > 0 {
		fmt.Fprintf(r.call.Err, "warning: changed, claimed by no task in the plan:\n%s\n", strings.Join(free, "\n"))
	}
	return nil
}

// status lists the changed paths of the whole repository, a rename by its new name.
func (r *repo) status(ctx context.Context) ([]string, error) {
	out, err := r.must(ctx, "", nil, "--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all")
	if err != nil {
		return nil, err
	}
	var paths []string
	fields := strings.Split(string(out), "\x00")
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		if len(f) < 4 {
			continue
		}
		paths = append(paths, f[3:])
		if f[0] == 'R' || f[0] == 'C' || f[1] == 'R' || f[1] == 'C' {
			i++ // the old name follows
		}
	}
	return paths, nil
}
