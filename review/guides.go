package review

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"viber/forge"
	"viber/internal/exit"
)

// maxGuides is how many guides a review reads.
const maxGuides = 5

// guideNames are the files that guide work in their folder.
func guideNames() []string { return []string{"CLAUDE.md", "*-CLAUDE.md", "AGENTS.md"} }

// Guide is a file that governs its folder and what lies below.
type Guide struct {
	Path string `json:"path"`
	// File is where its text can be read here.
	File string `json:"file"`
	// Changed says that the diff itself changes it: its words are then part of what is reviewed.
	Changed bool `json:"changed,omitempty"`
}

// Guides are the guides of a diff: those that are read, and those past the limit by their paths.
type Guides struct {
	Guides  []Guide  `json:"guides"`
	Dropped []string `json:"dropped"`
	// From says where they were looked for: checkout, or the host's name.
	From string `json:"from"`
}

// Guides finds the guides up the folders of every changed file, the root's own left out: the client has those anyway. In a
// checkout of the reviewed repository they come from there, otherwise from the host.
func (w World) Guides(ctx context.Context, d Diff) (Guides, error) {
	if w.isCheckout(ctx, d.Ref) {
		return w.checkoutGuides(d)
	}
	return w.hostGuides(ctx, d)
}

// isCheckout reports whether the project is a checkout of the repository that ref belongs to.
func (w World) isCheckout(ctx context.Context, ref forge.Reference) bool {
	if ref.Kind == forge.KindBranch || ref.Service == "" {
		return true
	}
	here := w.Places.Here(ctx)
	return here.Service == ref.Service && strings.EqualFold(here.Host, ref.Host) && strings.EqualFold(here.Owner, ref.Owner) && strings.EqualFold(here.Repo, ref.Repo)
}

// folders lists the folders of the changed files with those above them, without the root, in the order of the diff.
func folders(files []File) []string {
	var all []string
	known := map[string]bool{}
	for _, f := range files {
		for dir := path.Dir(f.Path); dir != "." && dir != "/" && !known[dir]; dir = path.Dir(dir) {
			known[dir] = true
			all = append(all, dir)
		}
	}
	return all
}

func (w World) checkoutGuides(d Diff) (Guides, error) {
	root, err := os.OpenRoot(w.Root)
	if err != nil {
		return Guides{}, exit.With(exit.Refused, err)
	}
	defer func() { _ = root.Close() }()
	dirs := folders(d.Files)
	lists := make([][]string, len(dirs))
	eachOf(len(dirs), 4, func(i int) { lists[i] = guidesIn(root, dirs[i]) })
	var found []Guide
	for _, name := range slices.Concat(lists...) {
		found = append(found, Guide{Path: name, File: filepath.Join(w.Root, filepath.FromSlash(name))})
	}
	return limited(found, d, "checkout"), nil
}

// guidesIn lists the guides in a folder of root; one that links out of root is none. Names may be read wherever a link leads,
// which is several times faster than a walk below root.
func guidesIn(root *os.Root, dir string) []string {
	f, err := os.Open(filepath.Join(root.Name(), filepath.FromSlash(dir)))
	if err != nil {
		return nil
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	if err != nil {
		return nil
	}
	var found []string
	for _, name := range names {
		if isGuide(name) && isRegular(root, dir+"/"+name) {
			found = append(found, dir+"/"+name)
		}
	}
	slices.Sort(found)
	return found
}

func isRegular(root *os.Root, name string) bool {
	info, err := root.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular()
}

func isGuide(name string) bool {
	return name == "CLAUDE.md" || name == "AGENTS.md" || strings.HasSuffix(name, "-CLAUDE.md") && name != "-CLAUDE.md"
}

func limited(found []Guide, d Diff, from string) Guides {
	g := Guides{Guides: []Guide{}, Dropped: []string{}, From: from}
	for _, one := range found {
		one.Changed = slices.ContainsFunc(d.Files, func(f File) bool { return f.Path == one.Path })
		if len(g.Guides) < maxGuides {
			g.Guides = append(g.Guides, one)
			continue
		}
		g.Dropped = append(g.Dropped, one.Path)
	}
	return g
}

// maxProbes bounds how many folders a host is asked about.
const maxProbes = 60

// hostGuides asks the host, a few folders at once, and keeps the guides' texts in the review's directory.
func (w World) hostGuides(ctx context.Context, d Diff) (Guides, error) {
	host, ref, err := w.Places.Host(ctx, d.Ref)
	if err != nil {
		return Guides{}, exit.With(exit.Refused, err)
	}
	dirs := folders(d.Files)
	dirs = dirs[:min(len(dirs), maxProbes)]
	w.progress("looking for guides in %d folders on %s", len(dirs), host.Name())
	lists, errs := make([][]string, len(dirs)), make([]error, len(dirs))
	eachOf(len(dirs), 6, func(i int) {
		lists[i], errs[i] = host.Guides(ctx, ref, d.Head, dirs[i], guideNames())
	})
	for _, err := range errs {
		if err != nil {
			return Guides{}, err
		}
	}
	var found []Guide
	for _, name := range slices.Concat(lists...) {
		found = append(found, Guide{Path: name, File: filepath.Join(d.Dir, "guides", filepath.FromSlash(name))})
	}
	g := limited(found, d, host.Name())
	for _, one := range g.Guides {
		if !filepath.IsLocal(filepath.FromSlash(one.Path)) {
			return Guides{}, exit.With(exit.Refused, fs.ErrInvalid)
		}
		text, err := host.File(ctx, ref, d.Head, one.Path)
		if err != nil {
			return Guides{}, err
		}
		err = w.Files.Stream(one.File, 0o600, func(out io.Writer) error { _, err := out.Write(text); return err })
		if err != nil {
			return Guides{}, err
		}
	}
	return g, nil
}

// eachOf calls do for 0 to n-1, at most width at once, and waits.
func eachOf(n, width int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(n, width) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	all.Wait()
}
