package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"viber/internal/exit"
	"viber/internal/gitx"
)

// Project is the project a command works on.
type Project struct {
	Root   string // where .claude/viber.yml belongs; empty when there is no project here
	Git    gitx.Layout
	InGit  bool
	NoPart string // why there is no project here, for the user
	Moved  bool   // the command was started in a subdirectory of Root
}

// FindProject finds the project that holds dir: the top of its git work tree, else dir itself. The home directory, the
// config directory, a directory above them and a bare repository are no project.
func FindProject(dir string, p Places) (Project, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return Project{}, exit.With(exit.Usage, dirError(dir, err))
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return Project{}, exit.With(exit.Usage, fmt.Errorf("%s: is not a directory", dir))
	}
	if isGitDir(real) {
		return Project{NoPart: fmt.Sprintf("%s is a git directory without a work tree", dir)}, nil
	}
	root, pr := real, Project{}
	if pr.Git, pr.InGit = gitx.Find(real); pr.InGit && pr.Git.Top != "" {
		root = pr.Git.Top
	}
	for _, own := range []string{p.Home, p.Config} {
		if holds(root, resolved(own)) {
			return Project{NoPart: noProject(root, own)}, nil
		}
	}
	pr.Root, pr.Moved = root, root != real
	return pr, nil
}

// noProject says why root is none: it is, or holds, the user's own directory own.
func noProject(root, own string) string {
	if root == resolved(own) {
		return fmt.Sprintf("%s is your own directory, not a project", show(root))
	}
	return fmt.Sprintf("%s is not a project (it holds %s)", show(root), show(own))
}

func dirError(dir string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s: no such directory", dir)
	}
	return err
}

// isGitDir reports whether dir is a bare repository or the inside of a .git directory.
func isGitDir(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// holds reports whether path is dir or lies below it.
func holds(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// journalDir is where changes of the project's files are journaled.
func (p Project) journalDir() string {
	if p.Root == "" {
		return ""
	}
	if p.InGit {
		return filepath.Join(p.Git.GitDir, "viber")
	}
	return filepath.Join(p.Root, ".temp", "viber")
}
