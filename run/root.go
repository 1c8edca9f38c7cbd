package run

import (
	"path"
	"path/filepath"
	"strings"

	"viber/internal/gitx"
)

// Place is the project a command works in.
type Place struct {
	Dir    string // working directory, absolute and physical
	Root   string // top of the work tree, or Dir outside a repository; all printed paths are relative to it
	Layout gitx.Layout
	InGit  bool
	git    gitx.Git
}

// place looks for the repository around the working directory, without starting git.
func (c Call) place() Place {
	dir := c.Dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	p := Place{Dir: dir, Root: dir, git: gitx.Git{Calls: c.GitCalls}}
	if l, ok := gitx.Find(dir); ok && l.Top != "" {
		p.Layout, p.InGit, p.Root = l, true, l.Top
	}
	p.git.Dir = p.Root
	p.git.Env = gitx.Env(c.Environ, p.Root)
	return p
}

// rel turns a path as a user gives it, relative to the working directory, into one relative to the root with "/"; ok is
// false when it lies outside the root. Links in its directory are followed.
func (p Place) rel(given string) (string, bool) {
	full := onDisk(p.Dir, slashes(given))
	if dir, err := filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
		full = filepath.Join(dir, filepath.Base(full))
	}
	if !gitx.Within(p.Root, full) {
		return "", false
	}
	r, err := filepath.Rel(p.Root, full)
	return filepath.ToSlash(r), err == nil
}

// slashes reads "\" as "/" where the system does.
func slashes(p string) string {
	if filepath.Separator == '\\' {
		return strings.ReplaceAll(p, `\`, "/")
	}
	return p
}

// runsDir is the runs directory relative to the root.
func (p Place) runsDir() string {
	return path.Join("docs", settings(p.Root).Value("directories.runs"))
}

// inside reports whether full, as it is spelled, lies in the project.
func (p Place) inside(full string) bool { return gitx.Within(p.Root, filepath.Clean(full)) }
