package commit

import (
	"os"
	"path"
	"path/filepath"
	"strings"
)

// rel makes an absolute path of this system relative to the root, with "/"; ok is false outside it.
func (r *repo) rel(full string) (string, bool) {
	for _, p := range []string{full, realPath(full)} {
		name, err := filepath.Rel(r.root, p)
		if err != nil {
			continue
		}
		name = filepath.ToSlash(name)
		if name == "." {
			return "", true
		}
		if name != ".." && !strings.HasPrefix(name, "../") {
			return name, true
		}
	}
	return "", false
}

// realPath resolves the links of the part of a path that exists, its last element not followed.
func realPath(full string) string {
	dir, base := filepath.Split(filepath.Clean(full))
	dir = filepath.Clean(dir)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return filepath.Join(real, base)
	}
	if dir == full || dir == "." {
		return full
	}
	return filepath.Join(realPath(dir), base)
}

// named is a path somebody asked to commit: as it was given (one leading ./ off) and relative to the root.
type named struct {
	given, path string
}

// name cleans what was given: relative paths are read from the root. What may not be committed is warned about and left out.
func (r *repo) name(given []string) []named {
	var list []named
	seen := map[string]bool{}
	for _, g := range given {
		g = strings.TrimPrefix(g, "./")
		if g == "" {
			continue
		}
		p, ok := r.clean(g)
		switch {
		case !ok:
			r.call.Warn("could not stage %s - it is outside the repository", g)
		case r.isTemp(p):
			r.call.Warn("refused %s - .temp is machine state, never committed", g)
		case !seen[p]:
			seen[p] = true
			list = append(list, named{given: g, path: p})
		}
	}
	return list
}

func (r *repo) clean(given string) (string, bool) {
	full := filepath.FromSlash(given)
	if filepath.IsAbs(full) {
		p, ok := r.rel(filepath.Clean(full))
		if p == "" {
			p = "."
		}
		return p, ok
	}
	p := path.Clean(filepath.ToSlash(full))
	return p, p != ".." && !strings.HasPrefix(p, "../")
}

// isTemp reports whether a root-relative path is machine state, however its first element is spelled: another case on a
// file system that does not tell cases apart, a short name, a link.
func (r *repo) isTemp(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	if first == ".temp" {
		return true
	}
	if first == "." || first == "" {
		return false
	}
	temp, err := os.Stat(filepath.Join(r.root, ".temp"))
	if err != nil {
		return false
	}
	other, err := os.Stat(filepath.Join(r.root, first))
	return err == nil && os.SameFile(temp, other)
}

// covers reports whether the named path n is p or a directory above it.
func (n named) covers(p string) bool {
	return n.path == "." || p == n.path || strings.HasPrefix(p, n.path+"/")
}

func coveredBy(list []named, p string) bool {
	for _, n := range list {
		if n.covers(p) {
			return true
		}
	}
	return false
}
