package review

import (
	"path"

	"viber/forge"
)

// Anchor finds the line of the diff a finding speaks of. The line counts in the new file; in a deleted file, and in a file
// that is named as it was before it was renamed, in the old one. ok is false for a line the diff does not show.
func (x *Index) Anchor(file string, line int) (a forge.Anchor, ok bool) {
	file = path.Clean(file)
	for _, f := range x.Files {
		if f.Path == file {
			return f.anchor(line, f.Status == "deleted")
		}
	}
	for _, f := range x.Files {
		if f.Status == "renamed" && f.OldPath == file {
			return f.anchor(line, true)
		}
	}
	return forge.Anchor{}, false
}

// AnchorOld is Anchor for a line of the old file: a removed one, or one beside a change.
func (x *Index) AnchorOld(file string, line int) (a forge.Anchor, ok bool) {
	file = path.Clean(file)
	for _, f := range x.Files {
		if f.Path == file || f.OldPath == file && f.Status == "renamed" {
			return f.anchor(line, true)
		}
	}
	return forge.Anchor{}, false
}

// anchor looks a line up among those the hunks show; inOld counts it in the old file. A line both files have is named by
// its number in the new one.
func (f File) anchor(line int, inOld bool) (forge.Anchor, bool) {
	a := forge.Anchor{Path: f.Path}
	if f.Status == "renamed" || f.Status == "copied" {
		a.OldPath = f.OldPath
	}
	for _, r := range f.runs {
		first := r.new
		if inOld {
			first = r.old
		}
		if line < first || line >= first+r.n || inOld && r.kind == forge.Added || !inOld && r.kind == forge.Removed {
			continue
		}
		a.Kind, a.Line = r.kind, line
		if inOld && r.kind == forge.Context {
			a.Line = r.new + line - r.old
		}
		return a, true
	}
	return forge.Anchor{}, false
}
