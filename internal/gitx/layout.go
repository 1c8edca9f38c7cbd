// Package gitx is the only door to git: finding a repository in process, and running the user's git.
package gitx

import (
	"os"
	"path/filepath"
	"strings"
)

// Layout says where a repository's parts are; all paths are absolute.
type Layout struct {
	Top       string // top of the work tree, empty in a bare repository
	GitDir    string // this work tree's git directory
	CommonDir string // the git directory all work trees share
}

// Find looks for the repository that holds dir, upward from it, without starting git: a .git directory, or a .git file
// as work trees and submodules have it. ok is false outside a repository.
func Find(dir string) (l Layout, ok bool) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for {
		dotgit := filepath.Join(dir, ".git")
		if gitDir, found := gitDirAt(dotgit); found {
			return Layout{Top: dir, GitDir: gitDir, CommonDir: commonDir(gitDir)}, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return Layout{}, false
		}
		dir = parent
	}
}

func gitDirAt(dotgit string) (string, bool) {
	info, err := os.Stat(dotgit)
	if err != nil {
		return "", false
	}
	if info.IsDir() {
		_, err := os.Stat(filepath.Join(dotgit, "HEAD"))
		return dotgit, err == nil
	}
	text, err := os.ReadFile(dotgit)
	if err != nil {
		return "", false
	}
	target, isLink := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !isLink {
		return "", false
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(filepath.Dir(dotgit), target)
	}
	return filepath.Clean(target), true
}

func commonDir(gitDir string) string {
	text, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if err != nil {
		return gitDir
	}
	dir := strings.TrimSpace(string(text))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(gitDir, dir)
	}
	return filepath.Clean(dir)
}
