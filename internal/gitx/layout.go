// Package gitx is the only door to git: finding a repository in process, and running the user's git.
package gitx

import (
	"os"
	"path/filepath"
	"strings"
)

// Layout says where a repository's parts are; all paths are absolute, links resolved.
type Layout struct {
	Top       string // top of the work tree, empty in a bare repository
	GitDir    string // this work tree's git directory
	CommonDir string // the git directory all work trees share
	// Foreign says that the repository belongs to another account: git itself may refuse it ("dubious ownership").
	Foreign bool
}

// Find looks for the repository that holds dir, upward from it, without starting git: a .git directory, a .git file as
// work trees and submodules have it, or dir inside a bare repository. It honours core.bare and core.worktree.
// ok is false outside a repository and where a .git file leads nowhere. GIT_* variables are not read.
func Find(dir string) (l Layout, ok bool) {
	dir = resolved(dir)
	for {
		d, kind := gitDirAt(filepath.Join(dir, ".git"))
		switch kind {
		case broken:
			return Layout{}, false
		case found:
			return d.layout(dir), true
		}
		if d, kind = openGitDir(dir); kind == found {
			return d.layout(""), true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Layout{}, false
		}
		dir = parent
	}
}

// what stands at a .git path.
type dotGit int

const (
	absent dotGit = iota
	found
	broken // a .git file that git would refuse: the search ends there
)

// gitDir is a git directory and the one it shares with other work trees, which is itself where it has no others.
type gitDir struct{ path, common string }

// gitDirAt looks at path, whose folder has its links resolved.
func gitDirAt(path string) (d gitDir, kind dotGit) {
	info, err := os.Lstat(path)
	isLink := err == nil && info.Mode()&os.ModeSymlink != 0
	if isLink {
		info, err = os.Stat(path)
	}
	switch {
	case err != nil:
		return d, absent
	case !info.IsDir():
		return gitFile(path)
	case isLink:
		d, kind = openGitDir(resolved(path))
	default:
		d, kind = openGitDir(path)
	}
	return d, kind
}

// gitFile reads the file at path that names a git directory elsewhere.
func gitFile(path string) (d gitDir, kind dotGit) {
	text, err := os.ReadFile(path)
	if err != nil {
		return d, broken
	}
	target, names := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !names {
		return d, broken
	}
	if d, kind = openGitDir(resolved(from(filepath.Dir(path), target))); kind == absent {
		kind = broken
	}
	return d, kind
}

// openGitDir tells a git directory the way git does: HEAD, objects and refs, the last two in the shared directory.
func openGitDir(path string) (d gitDir, kind dotGit) {
	if _, err := os.Lstat(filepath.Join(path, "HEAD")); err != nil {
		return d, absent
	}
	d = gitDir{path, commonDir(path)}
	if !isDir(filepath.Join(d.common, "objects")) || !isDir(filepath.Join(d.common, "refs")) {
		return d, absent
	}
	return d, found
}

func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// layout fills in what the repository's own configuration says about the work tree found at top ("" = inside the git
// directory).
func (d gitDir) layout(top string) Layout {
	l := Layout{Top: top, GitDir: d.path, CommonDir: d.common}
	l.Foreign = foreign(d.path) || (top != "" && foreign(top))
	linked := l.CommonDir != l.GitDir
	core := readCore(filepath.Join(l.CommonDir, "config"))
	if linked {
		core = coreConfig{worktreeConfig: core.worktreeConfig} // bare and worktree there are the main work tree's
	}
	if core.worktreeConfig {
		core = core.over(readCore(filepath.Join(l.GitDir, "config.worktree")))
	}
	switch {
	case core.worktree != "":
		l.Top = resolved(from(d.path, core.worktree))
	case core.bare:
		l.Top = ""
	}
	return l
}

func commonDir(gitDir string) string {
	text, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	return from(gitDir, strings.TrimRight(string(text), "\r\n"))
}

func from(base, path string) string {
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(base, path)
	}
	return filepath.Clean(path)
}
