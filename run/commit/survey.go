package commit

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/internal/gitx"
)

// survey finds out what of the paths asked for git knows, and what is to be staged of them and of what rides along.
func (r *repo) survey(ctx context.Context, j *job) error {
	if len(j.paths) == 0 && j.form.kind != landedForm {
		return faultf(codeNoChanges, "%s", j.nothing)
	}
	asked := append(pathsOf(j.paths), j.ride...)
	if j.carries {
		j.status = j.plan.in("status.md")
		asked = append(asked, j.status)
	}
	tree, err := r.look(ctx, asked)
	if err != nil {
		return err
	}
	j.head = tree.head
	if err := r.sort(j, tree.entries); err != nil {
		return err
	}
	if j.form.kind == landedForm {
		return nil
	}
	return r.know(ctx, j, tree.entries)
}

// sort divides the changed paths: to be staged, riding along, in the way.
func (r *repo) sort(j *job, entries []entry) error {
	ride := j.ride
	j.ride = nil
	for _, e := range entries {
		asked := coveredBy(j.paths, e.path) && !r.isTemp(e.path)
		rides := slices.Contains(ride, e.path)
		switch {
		case e.unmerged && (asked || rides || e.path == j.status):
			return faultf(codeRefused, "%s is unmerged - resolve it and 'git add' it first", e.path)
		case asked && j.form.kind == landedForm:
			return faultf(codeNoChanges, "task %s still has uncommitted changes to its files - commit them without --landed", j.form.id)
		case asked && e.untracked && strings.HasSuffix(e.path, "/"):
			r.call.Warn("could not stage %s - it is a git repository of its own", e.path)
			continue
		case rides:
			j.ride = append(j.ride, e.path)
		}
		if e.dirty && (asked || rides) {
			j.dirty = append(j.dirty, e.path)
		}
	}
	return nil
}

// know keeps the paths git has, or has something under, in HEAD, the index or, not ignored, in the tree. A path that is
// not among the changed ones can only be an unchanged one of the index.
func (r *repo) know(ctx context.Context, j *job, entries []entry) error {
	var quiet []named
	for _, n := range j.paths {
		isChanged := func(e entry) bool {
			return n.covers(e.path) && !r.isTemp(e.path) && !strings.HasSuffix(e.path, "/")
		}
		if slices.ContainsFunc(entries, isChanged) {
			j.known = append(j.known, n)
		} else {
			quiet = append(quiet, n)
		}
	}
	tracked, err := r.tracked(ctx, pathsOf(quiet))
	if err != nil {
		return err
	}
	for _, n := range quiet {
		if slices.ContainsFunc(tracked, n.covers) {
			j.known = append(j.known, n)
		} else {
			r.call.Warn("could not stage %s%s", n.given, r.elsewhere(n.path))
		}
	}
	if len(j.known) == 0 {
		return faultf(codeNoChanges, "%s", j.nothing)
	}
	return nil
}

// elsewhere says why git cannot have a path: " - <reason>", or nothing.
func (r *repo) elsewhere(name string) string {
	if meant := r.fromHere(name); meant != "" {
		return " - paths are read from the top of the repository: " + meant
	}
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		full := filepath.Join(r.root, filepath.FromSlash(dir))
		if info, err := os.Lstat(full); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return " - " + dir + " is a link: name the file where it is"
		}
		if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil {
			return " - it belongs to the repository " + dir + ": commit it there"
		}
	}
	return ""
}

// fromHere is the path, read from the top, of what stands at name below the working directory; "" when there is nothing, or
// when something stands at name itself.
func (r *repo) fromHere(name string) string {
	dir, err := filepath.EvalSymlinks(r.call.Dir)
	if err != nil || dir == r.root {
		return ""
	}
	if _, err := os.Lstat(r.at(name)); err == nil {
		return ""
	}
	full := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Lstat(full); err != nil || !gitx.Within(r.root, full) {
		return ""
	}
	meant, err := filepath.Rel(r.root, full)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(meant)
}

// tracked lists the files of the index under paths.
func (r *repo) tracked(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	args := []string{"--no-optional-locks", "ls-files", "-z", "--"}
	if length(paths) <= maxArgs {
		args = append(args, paths...)
	}
	out, err := r.must(ctx, "", nil, args...)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range bytes.SplitSeq(out, []byte{0}) {
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names, nil
}

func pathsOf(list []named) []string {
	paths := make([]string, len(list))
	for i, n := range list {
		paths[i] = n.path
	}
	return paths
}
