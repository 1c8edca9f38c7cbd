package review

import (
	"context"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"viber/gate"
	"viber/internal/exit"
	"viber/ledger/memory"
)

// Names of the files `review criteria` leaves in a review's directory.
const (
	manifestFile = "criteria-manifest.json"
	criteriaFile = "criteria.json"
)

// Criteria is what reviewers answer for, and which files they read.
type Criteria struct {
	Manifest string      `json:"manifest"` // the file `viber gate reviewer --criteria` takes
	Selected []Criterion `json:"selected"`
	Guides   Guides      `json:"guides"`
	Reviewed []string    `json:"reviewed"`
	Skipped  []Skipped   `json:"skipped"`
}

// Criterion is a rule of the project that is for one of the reviewed files; its id is the name of its file.
type Criterion struct {
	ID   gate.RuleID `json:"id"`
	File string      `json:"file"`
	Text string      `json:"text"`
	// Changed says that the diff itself changes the rule.
	Changed bool `json:"changed,omitempty"`
}

// Skipped is a changed file nobody has to read, and why.
type Skipped struct {
	Path string `json:"path"`
	Why  string `json:"why"`
}

// maxRule bounds a rule's text, in bytes; the rules' own limit is 4,000.
const maxRule = 16_000

// Criteria builds the manifest of what reviewers must answer and the set of files they review (decisions 5.6).
func (w World) Criteria(ctx context.Context, d Diff) (Criteria, error) {
	c := Criteria{Manifest: filepath.Join(d.Dir, manifestFile), Selected: []Criterion{}, Reviewed: []string{}, Skipped: []Skipped{}}
	for _, f := range d.Files {
		if why := notReviewed(f); why != "" {
			c.Skipped = append(c.Skipped, Skipped{f.Path, why})
		} else {
			c.Reviewed = append(c.Reviewed, f.Path)
		}
	}
	var err error
	if c.Guides, err = w.Guides(ctx, d); err != nil {
		return Criteria{}, err
	}
	if w.isCheckout(ctx, d.Ref) {
		if c.Selected, err = w.rules(c.Reviewed); err != nil {
			return Criteria{}, err
		}
	}
	for i, s := range c.Selected {
		c.Selected[i].Changed = slices.ContainsFunc(d.Files, func(f File) bool { return f.Path == s.File })
	}
	manifest := gate.Criteria{Selected: []gate.RuleID{}}
	for _, s := range c.Selected {
		manifest.Selected = append(manifest.Selected, s.ID)
	}
	for _, g := range c.Guides.Guides {
		manifest.ModuleGuides = append(manifest.ModuleGuides, gate.Path(g.Path))
	}
	if err := w.record(c.Manifest, manifest); err != nil {
		return Criteria{}, err
	}
	return c, w.record(filepath.Join(d.Dir, criteriaFile), c)
}

// notReviewed says why nobody has to read a changed file; empty when somebody has to.
func notReviewed(f File) string {
	name := path.Base(f.Path)
	switch {
	case f.Binary:
		return "binary"
	case f.Added+f.Removed == 0 && f.Status == "renamed":
		return "only renamed"
	case f.Added+f.Removed == 0 && f.Status == "modified":
		return "only its mode changed"
	case isLockFile(name):
		return "written by a package manager"
	case isGenerated(f.Path, name):
		return "generated"
	}
	return ""
}

func isLockFile(name string) bool {
	switch name {
	case "package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "go.sum", "go.work.sum", "Cargo.lock",
		"Gemfile.lock", "composer.lock", "poetry.lock", "uv.lock", "Pipfile.lock", "pdm.lock", "mix.lock", "pubspec.lock", "Podfile.lock",
		"packages.lock.json", "gradle.lockfile", "flake.lock", "Package.resolved":
		return true
	}
	return false
}

func isGenerated(whole, name string) bool {
	for _, end := range []string{".min.js", ".min.css", ".map", ".pb.go", "_pb2.py", ".pb.cc", ".pb.h", ".g.dart", ".freezed.dart", ".designer.cs", ".snap"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	for part := range strings.SplitSeq(path.Dir(whole), "/") {
		switch part {
		case "node_modules", "vendor", "third_party", "__snapshots__", "dist", ".yarn":
			return true
		}
	}
	return false
}

// rules returns the project's rules that are for one of the files.
func (w World) rules(files []string) ([]Criterion, error) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return nil, exit.With(exit.Refused, err)
	}
	defer func() { _ = root.Close() }()
	selected := []Criterion{}
	dir, err := root.Open(filepath.FromSlash(".claude/rules"))
	if err != nil {
		return selected, nil
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		name := ".claude/rules/" + e.Name()
		if !strings.HasSuffix(name, ".md") || !isRegular(root, name) {
			continue
		}
		text, err := readSome(root, name)
		if err != nil {
			return nil, err
		}
		globs := memory.Globs(text)
		if slices.ContainsFunc(files, func(f string) bool { return memory.Covers(globs, f) }) {
			selected = append(selected, Criterion{ID: gate.RuleID(strings.TrimSuffix(e.Name(), ".md")), File: name, Text: text})
		}
	}
	return selected, nil
}

func readSome(root *os.Root, name string) (string, error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRule))
	return string(text), err
}
