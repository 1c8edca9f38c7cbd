package secrets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"viber/internal/gitx"
)

// Repository scans what commits of one repository add. Git works in its Dir; nothing of the project runs.
type Repository struct {
	Git    gitx.Git
	Layout gitx.Layout
	// Lead are options for every call of git, in front of the subcommand (--git-dir and its kin).
	Lead []string
	Now  time.Time
	// Limit is the size of a diff, in bytes, from which on it is not scanned; 0 = MaxDiff.
	Limit int64
}

// Report is what a scan found.
type Report struct {
	Found   []Judged
	Skipped []string // files that were not looked into: binary, or too large
	Faults  []string // entries of the allow file that count for nothing
}

// Judged is a finding with what became of it.
type Judged struct {
	InFile
	Standing Standing
}

// Worst returns the findings that stand worst, and their standing; Allowed and none when nothing stands in the way.
func (r Report) Worst() (Standing, []Judged) {
	for _, s := range []Standing{Refused, Proposed} {
		var all []Judged
		for _, f := range r.Found {
			if f.Standing == s {
				all = append(all, f)
			}
		}
		if len(all) > 0 {
			return s, all
		}
	}
	return Allowed, nil
}

const (
	// MaxDiff is the size of a diff, in bytes, from which on it is not scanned.
	MaxDiff = 100 << 20
	// bigFile is the size from which on git shows a file as binary.
	bigFile = "10m"
	// fileLimit bounds one file that is read from the work tree.
	fileLimit = 10 << 20
	// binaryLooks bounds the files shown as binary that are looked into all the same.
	binaryLooks = 20
)

// ErrTooLarge says that a diff is larger than MaxDiff.
var ErrTooLarge = errors.New("the diff is larger than 100 MiB")

// options are what keeps the project's configuration out of the diffs.
func options(lead []string) []string {
	return append([]string{
		"--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "safe.bareRepository=explicit", "-c", "core.bigFileThreshold=" + bigFile,
		"-c", "core.quotePath=false", "-c", "diff.relative=false", "-c", "diff.suppressBlankEmpty=false", "-c", "diff.submodule=short", "-c", "diff.interHunkContext=0", "-c", "color.ui=false",
	}, lead...)
}

func diffOptions() []string {
	return []string{"--no-ext-diff", "--no-textconv", "--no-color", "-U0", "-M", "--src-prefix=a/", "--dst-prefix=b/"}
}

func (r Repository) limit() int64 {
	if r.Limit > 0 {
		return r.Limit
	}
	return MaxDiff
}

// run starts git and returns what it writes, at most the limit.
func (r Repository) run(ctx context.Context, args ...string) ([]byte, error) {
	g := r.Git
	g.MaxOutput = r.limit()
	res, err := g.Run(ctx, nil, append(options(r.Lead), args...)...)
	switch {
	case errors.Is(err, gitx.ErrOutput):
		return nil, ErrTooLarge
	case err != nil:
		return nil, err
	case res.Code != 0:
		return nil, gitx.Fail(args[0], res)
	}
	return res.Stdout, nil
}

// sift collects the findings of several texts.
type sift struct {
	found   []InFile
	skipped []string
}

func (s *sift) diff(text []byte) {
	found, skipped := InDiff(text)
	s.add(found)
	for _, name := range skipped {
		if !slices.Contains(s.skipped, name) {
			s.skipped = append(s.skipped, name)
		}
	}
}

func (s *sift) add(found []InFile) {
	for _, f := range found {
		if !slices.ContainsFunc(s.found, func(o InFile) bool {
			return o.Path == f.Path && o.Hash == f.Hash && o.Rule == f.Rule && o.Line == f.Line
		}) {
			s.found = append(s.found, f)
		}
	}
}

// Staged scans what a commit adds now: the index, and with more, what the commit itself stages before.
func (r Repository) Staged(ctx context.Context, more Staging) (Report, error) {
	var s sift
	staged, err := r.run(ctx, append([]string{"diff", "--cached"}, diffOptions()...)...)
	if err != nil {
		return Report{}, err
	}
	s.diff(staged)
	if err := r.merging(ctx, &s); err != nil {
		return Report{}, err
	}
	if err := r.staging(ctx, &s, more); err != nil {
		return Report{}, err
	}
	r.lookInto(ctx, &s, ":")
	return r.judge(ctx, s)
}

// merging leaves only what a merge in progress itself changes: what the other side brings was judged over there.
func (r Repository) merging(ctx context.Context, s *sift) error {
	if len(s.found) == 0 {
		return nil
	}
	if _, err := os.Stat(filepath.Join(r.Layout.GitDir, "MERGE_HEAD")); err != nil {
		return nil
	}
	text, err := r.run(ctx, append(append([]string{"diff", "--cached"}, diffOptions()...), "MERGE_HEAD")...)
	if err != nil {
		return err
	}
	theirs, _ := InDiff(text)
	s.found = slices.DeleteFunc(s.found, func(f InFile) bool {
		return !slices.ContainsFunc(theirs, func(o InFile) bool { return o.Path == f.Path && o.Hash == f.Hash })
	})
	return nil
}

// Staging says what a commit takes from the work tree beside the index.
type Staging struct {
	Tracked   bool     // all changes of tracked files (commit -a)
	Untracked bool     // files git does not know yet
	Ignored   bool     // of these also the ignored ones
	Paths     []string // only below these, relative to the directory git works in; none = everywhere
}

func (m Staging) none() bool { return !m.Tracked && !m.Untracked }

func (r Repository) staging(ctx context.Context, s *sift, more Staging) error {
	if more.none() {
		return nil
	}
	paths := append([]string{"--"}, more.Paths...)
	text, err := r.run(ctx, append(append(append([]string{"diff"}, diffOptions()...), "HEAD"), paths...)...)
	if err != nil { // before the first commit there is no HEAD
		if text, err = r.run(ctx, append(append([]string{"diff"}, diffOptions()...), paths...)...); err != nil {
			return err
		}
	}
	s.diff(text)
	if !more.Untracked {
		return nil
	}
	args := []string{"ls-files", "-z", "--others", "--full-name"}
	if !more.Ignored {
		args = append(args, "--exclude-standard")
	}
	if len(more.Paths) == 0 {
		paths = []string{"--", r.top()}
	}
	names, err := r.run(ctx, append(args, paths...)...)
	if err != nil {
		return err
	}
	var total int64
	for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
		if name == "" {
			continue
		}
		if total += s.file(filepath.Join(r.top(), filepath.FromSlash(name)), name); total > r.limit() {
			return ErrTooLarge
		}
	}
	return nil
}

func (r Repository) top() string {
	if r.Layout.Top != "" {
		return r.Layout.Top
	}
	return r.Git.Dir
}

// file scans a file of the work tree under the name it has in the repository, and returns the bytes that were read.
func (s *sift) file(path, name string) int64 {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	f, err := os.Open(path)
	if err != nil {
		s.skipped = append(s.skipped, name)
		return 0
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, fileLimit+1))
	if err != nil || len(text) > fileLimit || isBinary(text) {
		s.skipped = append(s.skipped, name)
		return int64(len(text))
	}
	s.add(InText(name, text))
	return int64(len(text))
}

// isBinary tells binary content as git does.
func isBinary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 }

// lookInto scans files that git shows as binary although they are text: an attribute of the project may say so.
func (r Repository) lookInto(ctx context.Context, s *sift, revision string) {
	left := s.skipped[:0:0]
	for i, name := range s.skipped {
		text, err := []byte(nil), ErrTooLarge
		if i < binaryLooks {
			text, err = r.blob(ctx, revision+name)
		}
		if err != nil || isBinary(text) {
			left = append(left, name)
			continue
		}
		s.add(InText(name, text))
	}
	s.skipped = left
}

// blob returns the object the name stands for, when it is not larger than fileLimit.
func (r Repository) blob(ctx context.Context, object string) ([]byte, error) {
	g := r.Git
	g.MaxOutput = fileLimit
	res, err := g.Run(ctx, nil, append(options(r.Lead), "cat-file", "blob", object)...)
	if err == nil && res.Code != 0 {
		err = gitx.Fail("cat-file", res)
	}
	return res.Stdout, err
}

// Range scans the commits that revisions name, as `git log` reads them; of merges only what they themselves change.
func (r Repository) Range(ctx context.Context, revisions ...string) (Report, error) {
	var s sift
	args := append([]string{"log", "-p", "--cc", "--format=", "--no-notes", "--no-show-signature"}, diffOptions()...)
	text, err := r.run(ctx, append(append(args, revisions...), "--")...)
	if err != nil {
		return Report{}, err
	}
	s.diff(text)
	return r.judge(ctx, s)
}

// Files scans files and folders of the work tree, whether git knows them or not; folders without what git ignores.
func (r Repository) Files(ctx context.Context, paths []string) (Report, error) {
	var s sift
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return Report{}, fmt.Errorf("%s: no such file or folder", path)
		}
		if err != nil {
			return Report{}, err
		}
		if !info.IsDir() {
			s.file(path, r.name(path))
			continue
		}
		names, err := r.run(ctx, "ls-files", "-z", "--full-name", "--cached", "--others", "--exclude-standard", "--", path)
		if err != nil {
			return Report{}, err
		}
		for name := range strings.SplitSeq(strings.TrimSuffix(string(names), "\x00"), "\x00") {
			s.file(filepath.Join(r.top(), filepath.FromSlash(name)), name)
		}
	}
	return r.judge(ctx, s)
}

// name is the path of a file as the repository knows it.
func (r Repository) name(path string) string {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(r.Git.Dir, full)
	}
	if real, err := filepath.EvalSymlinks(full); err == nil {
		full = real
	}
	if rel, err := filepath.Rel(r.top(), full); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// Ignores reports whether git leaves the file at path out because of an ignore rule.
func (r Repository) Ignores(ctx context.Context, path string) bool {
	// check-ignore refuses to run where paths are taken literally, as Run has them
	res, err := r.Git.AsUser(ctx, 2*time.Second, nil, append(options(r.Lead), "check-ignore", "-q", "--", path)...)
	return err == nil && res.Code == 0
}

// Text scans a text that a command is about to write to the file at path.
func (r Repository) Text(ctx context.Context, path string, text []byte) (Report, error) {
	return r.judge(ctx, sift{found: InText(r.name(path), text)})
}

// Judge says what becomes of findings that were made elsewhere.
func (r Repository) Judge(ctx context.Context, found []InFile) (Report, error) {
	return r.judge(ctx, sift{found: found})
}

func (r Repository) judge(ctx context.Context, s sift) (Report, error) {
	report := Report{Skipped: s.skipped}
	if len(s.found) == 0 {
		return report, nil
	}
	allow := Allowance{Now: r.Now, Marked: func(path, hash string) bool { return r.markedInHead(ctx, path, hash) }}
	if text, err := r.blob(ctx, "HEAD:"+AllowFile); err == nil {
		allow.Committed, _ = ParseAllow(text)
	}
	if text, err := os.ReadFile(filepath.Join(r.top(), filepath.FromSlash(AllowFile))); err == nil {
		allow.Present, report.Faults = ParseAllow(text)
	}
	for _, f := range s.found {
		report.Found = append(report.Found, Judged{InFile: f, Standing: allow.Standing(f)})
	}
	return report, nil
}

func (r Repository) markedInHead(ctx context.Context, path, hash string) bool {
	text, err := r.blob(ctx, "HEAD:"+path)
	return err == nil && slices.ContainsFunc(InText(path, text), func(f InFile) bool { return f.Marked && f.Hash == hash })
}

// folderLimit bounds the files of a folder that is no repository yet.
const folderLimit = 5_000

// Folder scans every file below the top, for a folder that is about to become a repository.
func (r Repository) Folder(ctx context.Context) (Report, error) {
	var s sift
	var total int64
	seen := 0
	err := filepath.WalkDir(r.top(), func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read cannot be added either
		}
		if d.IsDir() {
			if d.Name() == ".git" || d.Name() == "node_modules" {
				return filepath.SkipDir
			}
			return ctx.Err()
		}
		total += s.file(path, r.name(path))
		if seen++; seen > folderLimit || total > r.limit() {
			return ErrTooLarge
		}
		return nil
	})
	if err != nil {
		return Report{}, err
	}
	return r.judge(ctx, s)
}
