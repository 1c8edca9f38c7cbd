package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// WorktreeSkipped (exit 3) is a safe skip: nothing was removed, and the reason says what would be lost.
const WorktreeSkipped = 3

// SkipError says why a work tree was left alone.
type SkipError struct{ Reason string }

// Error is the reason.
func (e *SkipError) Error() string { return "kept: " + e.Reason }

func skip(format string, args ...any) error { return &SkipError{fmt.Sprintf(format, args...)} }

// AddWorktree makes a work tree for the run at dir (default: beside the project, <project>.worktrees/<key>) on branch, made
// from base when it does not exist, and records it in the state.
func (c StateCall) AddWorktree(ctx context.Context, f Stored, branch, base, dir string) (string, error) {
	p := c.place()
	if !p.InGit {
		return "", errors.New("a work tree needs a git repository")
	}
	if dir == "" {
		top := filepath.Dir(p.Layout.CommonDir)
		dir = filepath.Join(filepath.Dir(top), filepath.Base(top)+".worktrees", f.Key)
	}
	if branch == "" || strings.HasPrefix(branch, "-") || strings.HasPrefix(base, "-") {
		return "", fmt.Errorf("%q is no branch", branch)
	}
	args := []string{"worktree", "add", "--quiet", dir, branch}
	if _, err := p.git.Out(ctx, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch); err != nil {
		args = []string{"worktree", "add", "--quiet", "-b", branch, dir, first(base, "HEAD")}
	}
	git := gitx.Git{Dir: p.Root, Env: gitx.UserEnv(c.Environ)}
	res, err := checkOut(ctx, git, args...)
	if err != nil {
		return "", err
	}
	if res.Code != 0 {
		return "", gitx.Fail("worktree add", res)
	}
	_, err = f.File.Merge(-1, Tree{"worktreePath": dir, "branch": branch, "key": f.Key, "project": f.Project})
	return dir, err
}

// FinalizeOptions say what finalize may do: Keep is the user's preference to keep work trees, Local a run that stays local.
type FinalizeOptions struct {
	Dir         string // the work tree; empty: the one the state records
	Keep, Local bool
}

// Finalized is what was done: where the run's files are now, and which branch holds the work.
type Finalized struct {
	ArtifactsPath string `json:"artifactsPath"`
	Branch        string `json:"branch"`
	Removed       string `json:"removed"`
}

// Finalize copies the run's own files out of its work tree and removes the tree. The branch stays and is never checked out.
// It stamps the salvaged copy of the state only. A *SkipError means that nothing was removed. It never forces.
func (c StateCall) Finalize(ctx context.Context, f Stored, o FinalizeOptions) (Finalized, error) {
	s, _, err := f.Load()
	if err != nil {
		return Finalized{}, err
	}
	dir := first(o.Dir, s.WorktreePath)
	switch {
	case o.Local:
		return Finalized{}, skip("the run is local (--local)")
	case o.Keep:
		return Finalized{}, skip("the preference is to keep work trees")
	case dir == "":
		return Finalized{}, skip("the run has no work tree of its own")
	}
	tree, err := c.linked(dir)
	if err != nil {
		return Finalized{}, err
	}
	branch, extra, err := tree.removable(ctx, f.Key)
	if err != nil {
		return Finalized{}, err
	}
	salvage := filepath.Join(f.Dir, "salvage")
	if err := c.salvage(tree, f, extra, salvage); err != nil {
		return Finalized{}, err
	}
	out := Finalized{ArtifactsPath: salvage, Branch: branch, Removed: tree.dir}
	return out, c.remove(ctx, tree, extra)
}

// linkedTree is a work tree beside the main one.
type linkedTree struct {
	dir     string
	runsDir string
	git     gitx.Git // inside the tree
	main    gitx.Git // in the repository it belongs to
}

// linked checks that dir is a linked work tree and that nobody stands in it.
func (c StateCall) linked(dir string) (linkedTree, error) {
	real, err := filepath.EvalSymlinks(c.Abs(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return linkedTree{}, skip("the work tree %s is not there", dir)
	}
	if err != nil {
		return linkedTree{}, err
	}
	l, ok := gitx.Find(real)
	if !ok || l.Top != real {
		return linkedTree{}, skip("%s is not the top of a work tree", dir)
	}
	if l.GitDir == l.CommonDir {
		return linkedTree{}, skip("%s is the repository's own work tree", dir)
	}
	if here, err := filepath.EvalSymlinks(c.Dir); err != nil || gitx.Within(real, here) {
		return linkedTree{}, skip("the working directory is inside %s", dir)
	}
	env := gitx.Env(c.Environ, real)
	return linkedTree{dir: real, runsDir: path.Join("docs", settings(real).Value("directories.runs")),
		git: gitx.Git{Dir: real, Env: env}, main: gitx.Git{Dir: l.CommonDir, Env: env}}, nil
}

// removable says which branch the tree is on and which untracked files are the run's own, or why the tree must stay.
func (t linkedTree) removable(ctx context.Context, key string) (branch string, own []string, err error) {
	branch, err = t.git.Out(ctx, "symbolic-ref", "--quiet", "--short", "HEAD")
	if err != nil || branch == "" {
		return "", nil, skip("HEAD is detached: its commits would be lost")
	}
	if _, err := os.Stat(filepath.Join(t.dir, ".gitmodules")); err == nil {
		return "", nil, skip("it has submodules, which git removes only by force")
	}
	changes, err := t.git.Changes(ctx)
	if err != nil {
		return "", nil, err
	}
	for _, ch := range changes {
		if ch.Code == "??" && t.isOwn(ch.Path, key) {
			own = append(own, ch.Path)
			continue
		}
		return "", nil, skip("uncommitted change: %s", ch.Path)
	}
	return branch, own, t.pushed(ctx, branch)
}

// isOwn knows the files an unfinished run leaves untracked: its work folder and viber's temporary ones.
func (t linkedTree) isOwn(file, key string) bool {
	return strings.HasPrefix(file, t.runsDir+"/"+key+"/") || strings.HasPrefix(file, ".temp/viber/")
}

func (t linkedTree) pushed(ctx context.Context, branch string) error {
	upstream, err := t.git.Out(ctx, "rev-parse", "--abbrev-ref", "--symbolic-full-name", branch+"@{upstream}")
	if err != nil {
		return skip("branch %s has no upstream: its commits are only here", branch)
	}
	ahead, err := t.git.Out(ctx, "rev-list", "--count", upstream+".."+branch)
	if err != nil {
		return err
	}
	if ahead != "0" {
		return skip("%s commits of %s are not pushed", ahead, branch)
	}
	return nil
}

// salvage copies the run's directory, untracked files and state; a copy that a stopped call left half done is replaced.
func (c StateCall) salvage(t linkedTree, f Stored, own []string, to string) error {
	half := to + ".part"
	if err := c.Files.RemoveAll(half); err != nil {
		return err
	}
	// what an earlier, stopped call salvaged may be gone from the tree already
	if err := c.copyTree(filepath.Join(to, "tree"), filepath.Join(half, "tree")); err != nil {
		return err
	}
	if err := c.copyTree(filepath.Join(to, "run"), filepath.Join(half, "run")); err != nil {
		return err
	}
	if err := c.copyTree(filepath.Join(t.dir, filepath.FromSlash(t.runsDir), f.Key), filepath.Join(half, "run")); err != nil {
		return err
	}
	for _, file := range own {
		if err := c.copyFile(filepath.Join(t.dir, filepath.FromSlash(file)), filepath.Join(half, "tree", filepath.FromSlash(file))); err != nil {
			return err
		}
	}
	if err := c.stampCopy(f, filepath.Join(half, StateName), to); err != nil {
		return err
	}
	if err := c.Files.RemoveAll(to); err != nil {
		return err
	}
	return c.Files.Rename(half, to)
}

func (c StateCall) stampCopy(f Stored, file, final string) error {
	_, tree, err := f.Load()
	if err != nil {
		return err
	}
	copied := StateFile{Path: file, Files: c.Files, Now: c.Now}
	_, err = copied.Swap(0, func(_ RunState, fresh Tree) error {
		for k, v := range tree {
			fresh[k] = v
		}
		fresh["worktreeRemovedAt"] = string(copied.stamp())
		fresh["artifactsPath"] = final
		fresh["worktreePath"] = nil
		return nil
	})
	return err
}

func (c StateCall) copyTree(from, to string) error {
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		return c.copyFile(name, filepath.Join(to, rel))
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (c StateCall) copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return c.Files.Write(to, data, fsx.Options{Mode: 0o600, DirMode: 0o700})
}

// remove takes the salvaged files out of the tree, so that git sees it clean, and lets git remove it without force.
func (c StateCall) remove(ctx context.Context, t linkedTree, own []string) error {
	for _, file := range own {
		if err := c.Files.Remove(filepath.Join(t.dir, filepath.FromSlash(file))); err != nil {
			return err
		}
	}
	res, err := t.main.Run(ctx, nil, "worktree", "remove", t.dir)
	if err != nil {
		return err
	}
	if res.Code != 0 {
		return skip("git keeps it: %s", gitx.FirstLine(res.Stderr))
	}
	return nil
}
