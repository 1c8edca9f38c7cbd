package gate

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"viber/internal/gitx"
)

// DiffFiles lists the files of a diff: those named in list (one a line, as `git diff --name-only` prints them), with the
// renames, deletions and mode changes that git knows for patchRange ("A...B"). Either may be missing.
func DiffFiles(ctx context.Context, git gitx.Git, list io.Reader, patchRange string) ([]DiffFile, error) {
	var ranged []DiffFile
	if patchRange != "" {
		if strings.HasPrefix(patchRange, "-") {
			return nil, fmt.Errorf("%q is no range of commits", patchRange)
		}
		res, err := git.Read(ctx, "diff", "--no-ext-diff", "--no-textconv", "--find-renames", "--name-status", "-z", patchRange, "--")
		if err != nil {
			return nil, err
		}
		if res.Code != 0 {
			return nil, gitx.Fail("diff", res)
		}
		ranged = nameStatus(string(res.Stdout))
	}
	if list == nil {
		return ranged, nil
	}
	return listed(list, ranged)
}

// nameStatus reads `git diff --name-status -z`.
func nameStatus(text string) []DiffFile {
	var files []DiffFile
	fields := strings.Split(text, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		status := fields[i]
		if status == "" {
			break
		}
		f := DiffFile{Path: fields[i+1], Status: status[0]}
		if (status[0] == 'R' || status[0] == 'C') && i+2 < len(fields) {
			if status[0] == 'R' {
				f.Old = f.Path
			}
			f.Path = fields[i+2]
			i++
		}
		files = append(files, f)
	}
	return files
}

// listed reads the paths of a list and adds what ranged knows about them; files of the range that the list lacks count too.
func listed(list io.Reader, ranged []DiffFile) ([]DiffFile, error) {
	files := ranged
	known := map[string]bool{}
	for _, f := range ranged {
		known[f.Path], known[f.Old] = true, true
	}
	in := bufio.NewScanner(io.LimitReader(list, MaxInput))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		name := headerPath(strings.TrimRight(in.Text(), "\r"))
		if name != "" && !known[name] {
			known[name] = true
			files = append(files, DiffFile{Path: name})
		}
	}
	return files, in.Err()
}

// headerPath undoes git's quoting of unusual paths.
func headerPath(text string) string {
	if !strings.HasPrefix(text, `"`) {
		return text
	}
	var plain string
	if _, err := fmt.Sscanf(text, "%q", &plain); err == nil {
		return plain
	}
	return text
}

// Origins returns a function that gives the first name a file had in the history of the current branch, renames in the
// work tree included. It asks git once for each path.
func Origins(ctx context.Context, git gitx.Git) func(string) string {
	known := map[string]string{}
	var moved map[string]string
	return func(name string) string {
		if first, ok := known[name]; ok {
			return first
		}
		if moved == nil {
			moved = movedInWorkTree(ctx, git)
		}
		committed := name
		if old := moved[name]; old != "" {
			committed = old
		}
		known[name] = firstName(ctx, git, committed)
		return known[name]
	}
}

func movedInWorkTree(ctx context.Context, git gitx.Git) map[string]string {
	moved := map[string]string{}
	res, err := git.Read(ctx, "diff", "--no-ext-diff", "--find-renames", "--diff-filter=R", "--name-status", "-z", "HEAD", "--")
	if err == nil && res.Code == 0 {
		for _, f := range nameStatus(string(res.Stdout)) {
			moved[f.Path] = f.Old
		}
	}
	return moved
}

func firstName(ctx context.Context, git gitx.Git, name string) string {
	res, err := git.Read(ctx, "log", "--follow", "--find-renames", "--diff-filter=R", "--name-status", "--format=", "-z", "-n", "50", "--", name)
	if err != nil || res.Code != 0 {
		return name
	}
	for _, f := range nameStatus(strings.TrimLeft(string(res.Stdout), "\x00\n")) {
		if f.Path == name && f.Old != "" {
			name = f.Old
		}
	}
	return name
}

// Newest returns when the youngest of the files was written, and its path: those of a diff when it names any, else what
// the work tree has changed, else the last commit.
func Newest(ctx context.Context, git gitx.Git, root string, diff []DiffFile) (time.Time, string, error) {
	var names []string
	for _, f := range diff {
		names = append(names, f.Path)
	}
	if len(names) == 0 {
		changes, err := git.Changes(ctx)
		if err != nil {
			return time.Time{}, "", err
		}
		names = gitx.Paths(changes)
	}
	var at time.Time
	var by string
	for _, name := range names {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(path.Clean(name))))
		if err == nil && info.ModTime().After(at) {
			at, by = info.ModTime(), name
		}
	}
	if by != "" || len(diff) > 0 {
		return at, by, nil
	}
	text, err := git.Out(ctx, "log", "-1", "--format=%cI")
	if err != nil {
		return time.Time{}, "", err
	}
	at, err = time.Parse(time.RFC3339, text)
	return at, "the last commit", err
}
