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
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		gitDir, kind := gitDirAt(filepath.Join(dir, ".git"))
		switch {
		case kind == broken:
			return Layout{}, false
		case kind == found:
			return layout(gitDir, dir), true
		case isGitDir(dir):
			return layout(dir, ""), true
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

func gitDirAt(path string) (string, dotGit) {
	info, err := os.Stat(path)
	if err != nil {
		return "", absent
	}
	if info.IsDir() {
		if !isGitDir(path) {
			return "", absent
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		return path, found
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", broken
	}
	target, isLink := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !isLink {
		return "", broken
	}
	target = from(filepath.Dir(path), target)
	if !isGitDir(target) {
		return "", broken
	}
	if real, err := filepath.EvalSymlinks(target); err == nil {
		target = real
	}
	return target, found
}

// isGitDir tells a git directory the way git does: HEAD, objects and refs, the last two in the shared directory.
func isGitDir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonDir(dir)
	return isDir(filepath.Join(common, "objects")) && isDir(filepath.Join(common, "refs"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// layout fills in what the repository's own configuration says about the work tree found at top ("" = inside gitDir).
func layout(gitDir, top string) Layout {
	l := Layout{Top: top, GitDir: gitDir, CommonDir: commonDir(gitDir)}
	l.Foreign = foreign(gitDir) || (top != "" && foreign(top))
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
		l.Top = from(gitDir, core.worktree)
		if real, err := filepath.EvalSymlinks(l.Top); err == nil {
			l.Top = real
		}
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
