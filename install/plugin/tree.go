package plugin

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"unicode"
)

// The bounds of a plugin.
const (
	treeLimit = 64 << 20
	fileLimit = 10_000
)

// File is one file of a plugin. Path has forward slashes.
type File struct {
	Path       string
	Executable bool
	Data       []byte
}

// Tree is a plugin's files, sorted by path.
type Tree []File

// NewTree sorts files and refuses those that could not be the same on every system: paths that leave the tree, git's own
// folder, two names that differ only in case, names Windows reserves.
func NewTree(files []File) (Tree, error) {
	if len(files) > fileLimit {
		return nil, fmt.Errorf("holds more than %d files", fileLimit)
	}
	seen := map[string]string{}
	for _, f := range files {
		if !fs.ValidPath(f.Path) || strings.ContainsAny(f.Path, `\:*?"<>|`) || strings.ContainsFunc(f.Path, unicode.IsControl) {
			return nil, fmt.Errorf("%q: not a file name that every system takes", f.Path)
		}
		for part := range strings.SplitSeq(f.Path, "/") {
			if strings.EqualFold(part, ".git") || reserved(part) {
				return nil, fmt.Errorf("%q: not a file name that every system takes", f.Path)
			}
		}
		folded := strings.ToLower(f.Path)
		if other, ok := seen[folded]; ok {
			return nil, fmt.Errorf("%q and %q are one file where case does not count", other, f.Path)
		}
		seen[folded] = f.Path
	}
	t := Tree(slices.Clone(files))
	sort.Slice(t, func(i, j int) bool { return t[i].Path < t[j].Path })
	return t, nil
}

func reserved(part string) bool {
	stem, _, _ := strings.Cut(strings.ToUpper(part), ".")
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	return len(stem) == 4 && (strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")) && stem[3] >= '1' && stem[3] <= '9' ||
		strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ")
}

// Hash is the tree's identity: sha256 over each file's git mode, blob id (git's, in its sha256 form) and path. It is the
// same wherever and however the plugin was fetched.
func (t Tree) Hash() string {
	sum := sha256.New()
	for _, f := range t {
		fmt.Fprintf(sum, "%s %s\t%s\n", f.mode(), f.blob(), f.Path)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

func (f File) mode() string {
	if f.Executable {
		return "100755"
	}
	return "100644"
}

func (f File) blob() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "blob %d\x00", len(f.Data))
	sum.Write(f.Data)
	return hex.EncodeToString(sum.Sum(nil))
}

// Get returns the file at path.
func (t Tree) Get(path string) ([]byte, bool) {
	i, ok := slices.BinarySearchFunc(t, path, func(f File, p string) int { return cmp.Compare(f.Path, p) })
	if !ok {
		return nil, false
	}
	return t[i].Data, true
}

// Sub returns the files below dir, with paths relative to it.
func (t Tree) Sub(dir string) Tree {
	if dir == "" {
		return t
	}
	var sub Tree
	for _, f := range t {
		if rest, ok := strings.CutPrefix(f.Path, dir+"/"); ok {
			f.Path = rest
			sub = append(sub, f)
		}
	}
	return sub
}

// Diff names every file that is not the same in want and t: "changed: x", "missing: y", "new: z".
func (t Tree) Diff(want Tree) []string {
	var diff []string
	for _, w := range want {
		data, ok := t.Get(w.Path)
		switch {
		case !ok:
			diff = append(diff, "missing: "+w.Path)
		case string(data) != string(w.Data):
			diff = append(diff, "changed: "+w.Path)
		}
	}
	for _, f := range t {
		if _, ok := want.Get(f.Path); !ok {
			diff = append(diff, "new: "+f.Path)
		}
	}
	return diff
}

// ReadFolder reads the plugin folder dir. Links are refused: what they lead to is not part of the plugin. A .git folder
// at the top is passed over. On Windows, where files carry no mode, what lies in bin/ counts as executable.
func ReadFolder(dir string) (Tree, error) {
	var files []File
	left := int64(treeLimit)
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case name == ".git":
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s: neither a file nor a folder", p)
		}
		f, err := readFile(p, name, left)
		left -= int64(len(f.Data))
		files = append(files, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return NewTree(files)
}

func readFile(p, name string, left int64) (File, error) {
	info, err := os.Stat(p)
	if err != nil {
		return File{}, err
	}
	if info.Size() > left {
		return File{}, fmt.Errorf("%s: the plugin has more than %d MB", p, treeLimit>>20)
	}
	data, err := os.ReadFile(p)
	return File{Path: name, Executable: executable(name, info.Mode()), Data: data}, err
}

func executable(name string, mode fs.FileMode) bool {
	if filepath.Separator == '\\' {
		return path.Dir(name) == "bin"
	}
	return mode&0o111 != 0
}
