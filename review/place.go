package review

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"viber/forge"
	"viber/internal/exit"
	"viber/internal/fsx"
)

// place chooses the directory of the review when the caller named none, and makes sure that it may be written.
func (w World) place(d *Diff) error {
	own := d.Dir == ""
	if own {
		d.Dir = filepath.Join(w.Root, ".temp", "viber", "review", dirName(d.Ref))
	}
	if err := noLinks(w.Root, d.Dir); err != nil {
		return err
	}
	d.Whole, d.Patch = filepath.Join(d.Dir, wholePatch), filepath.Join(d.Dir, wholePatch)
	if own {
		return w.keepOutOfGit(filepath.Dir(d.Dir))
	}
	return nil
}

// noLinks refuses a review's directory below root that is reached through links, or holds some: what a project brings along
// would then decide which files of the user are written.
func noLinks(root, dir string) error {
	rel, err := filepath.Rel(root, dir)
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	at := root
	paths := []string{}
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		paths = append(paths, at)
	}
	for _, folder := range []string{filepath.Dir(dir), dir} {
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if folder == dir || !e.IsDir() {
				paths = append(paths, filepath.Join(folder, e.Name()))
			}
		}
	}
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode()&os.ModeSymlink != 0 {
			return exit.With(exit.Refused, fmt.Errorf("%s is a link, and reviews do not write through links; remove it", path))
		}
	}
	return nil
}

// keepOutOfGit makes git pass over the folder of the reviews.
func (w World) keepOutOfGit(dir string) error {
	path := filepath.Join(dir, ".gitignore")
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	return w.Files.Write(path, []byte("*\n"), fsx.Options{})
}

// dirName names a review's directory after what is reviewed; two references never share one.
func dirName(ref forge.Reference) string {
	name := ref.Branch
	if ref.Kind != forge.KindBranch {
		name = fmt.Sprintf("%s%s-%s-%s-%d", ref.Host, ref.Base, ref.Owner, ref.Repo, ref.Number)
	}
	plain := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, name)
	plain = strings.TrimLeft(plain[:min(len(plain), 80)], ".")
	sum := sha256.Sum256([]byte(name))
	return plain + "-" + hex.EncodeToString(sum[:3])
}
