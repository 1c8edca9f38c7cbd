// Package memory maps what a project tells its agents: the cascade of CLAUDE.md files and the rules in .claude/rules. The
// maps are what the skills memory and rules work from; sizes and states are counted here, never by a model.
package memory

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/internal/fsx"
	"viber/internal/gitx"
)

// Call is one call of memory-map or rules-map: its arguments, and the world it works in.
type Call struct {
	Args    []string
	Dir     string // working directory, absolute
	Environ []string
	Out     io.Writer
	Now     func() time.Time
	Files   fsx.Door
}

// tree is the project as the maps see it: paths with forward slashes, below root.
type tree struct {
	root  string
	git   bool
	files []string          // tracked and untracked, not ignored; sorted
	dirty map[string]string // path -> modified or untracked
}

func (c Call) tree(ctx context.Context) (tree, error) {
	l, ok := gitx.Find(c.Dir)
	if !ok || l.Top == "" {
		files, err := walk(c.Dir)
		return tree{root: c.Dir, files: files}, err
	}
	g := gitx.Git{Dir: l.Top, Env: gitx.UserEnv(c.Environ)}
	out, err := g.Out(ctx, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		return tree{}, err
	}
	changes, err := g.Changes(ctx)
	if err != nil {
		return tree{}, err
	}
	t := tree{root: l.Top, git: true, dirty: map[string]string{}}
	for _, name := range strings.Split(out, "\x00") {
		if name != "" && !under(name, ".temp") && t.regular(name) {
			t.files = append(t.files, name)
		}
	}
	slices.Sort(t.files)
	t.files = slices.Compact(t.files)
	for _, change := range changes {
		t.dirty[change.Path] = "modified"
		if change.Code == "??" {
			t.dirty[change.Path] = "untracked"
		}
	}
	return t, nil
}

// walk lists the files below dir where no git can say which belong to the project.
func walk(dir string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(dir, name)
		switch {
		case err != nil || relErr != nil:
			return err
		case d.IsDir() && leftOut(rel):
			return filepath.SkipDir
		case d.Type().IsRegular():
			files = append(files, filepath.ToSlash(rel))
		}
		return nil
	})
	return files, err
}

func leftOut(dir string) bool {
	switch base := filepath.Base(dir); {
	case dir == "." || base == ".claude":
		return false
	case base == "node_modules" || base == "vendor":
		return true
	default:
		return strings.HasPrefix(base, ".")
	}
}

func (t tree) regular(name string) bool {
	info, err := os.Stat(filepath.Join(t.root, filepath.FromSlash(name)))
	return err == nil && info.Mode().IsRegular()
}

func (t tree) read(name string) string {
	data, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(data)
}

// under says whether name is dir or below it; "." holds everything.
func under(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// above lists dir and the directories over it, the root first.
func above(dir string) []string {
	chain := []string{dir}
	for dir != "." {
		dir = path.Dir(dir)
		chain = append(chain, dir)
	}
	slices.Reverse(chain)
	return chain
}
