package review

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"viber/forge"
	"viber/internal/exit"
	"viber/internal/fsx"
	"viber/internal/gitx"
)

// World is where reviews happen: the project, its git, the hosts.
type World struct {
	Root   string // of the project
	Git    gitx.Git
	Places forge.Places
	Files  fsx.Door
	Now    func() time.Time
	// Progress, when set, is told what is waited for.
	Progress func(text string)
}

func (w World) progress(format string, args ...any) {
	if w.Progress != nil {
		w.Progress(fmt.Sprintf(format, args...))
	}
}

// DefaultLimit is how many bytes of a diff reviewers get to see.
const DefaultLimit = 160_000

// Names of the files in a review's directory.
const (
	diffRecord = "diff.json"
	wholePatch = "whole.patch"
	shownPatch = "shown.patch"

	// EventLog holds what happened in a review that is not in its results: late reviewers, diffs that were shortened.
	EventLog = "events.jsonl"
)

// Diff is what `viber review diff` leaves in a review's directory (gates contract, 5). Paths are absolute.
type Diff struct {
	Ref   forge.Reference `json:"ref"`
	Title string          `json:"title,omitempty"`
	// Author opened the pull request.
	Author string `json:"author,omitempty"`
	// Base is what it is compared with, Head the commit its lines are those of.
	Base  string `json:"base"`
	Head  string `json:"head"`
	Dir   string `json:"dir"`
	Whole string `json:"whole"` // the whole diff
	Patch string `json:"patch"` // what reviewers see: the whole, or a shortened copy
	// Bytes is the size of the whole diff, Dropped how much of it the shortened one leaves out.
	Bytes   int64     `json:"bytes"`
	Dropped int64     `json:"dropped"`
	Added   int       `json:"added"`
	Removed int       `json:"removed"`
	At      time.Time `json:"at"`
	Files   Files     `json:"files"`
}

// DiffOptions say what to fetch: a reference, for a branch also the base it is compared with (empty: found), the bytes to
// show (0: the default, below 0: all), and the review's directory (empty: its own below .temp/viber/review).
type DiffOptions struct {
	Ref   forge.Reference
	Base  string
	Limit int64
	Dir   string
}

// Fetch gets the diff of a branch or pull request and lays it down for a review.
func (w World) Fetch(ctx context.Context, o DiffOptions) (Diff, error) {
	d := Diff{Ref: o.Ref, Dir: o.Dir, At: w.Now().UTC().Truncate(time.Second)}
	var read func(*os.File) error
	var err error
	if o.Ref.Kind == forge.KindBranch {
		read, err = w.branch(ctx, &d, o.Base)
	} else {
		read, err = w.pull(ctx, &d)
	}
	if err == nil {
		err = w.place(&d)
	}
	if err != nil {
		return Diff{}, err
	}
	if err := w.lay(&d, read, o.Limit); err != nil {
		return Diff{}, err
	}
	if d.Dropped > 0 {
		if err := w.note(d.Dir, map[string]any{"event": "review.diff_truncated", "bytes_dropped": d.Dropped}); err != nil {
			return Diff{}, err
		}
	}
	return d, w.record(filepath.Join(d.Dir, diffRecord), d)
}

// note appends an event to the log of the review in dir.
func (w World) note(dir string, event map[string]any) error {
	event["at"] = w.Now().UTC().Format(time.RFC3339)
	text, err := json.Marshal(event)
	if err != nil {
		return err
	}
	return w.Files.AppendLines(filepath.Join(dir, EventLog), append(text, '\n'))
}

// lay writes the whole diff, its index and what reviewers see of it. The index is read from the file while it is written: a
// pipe to read it from would cost git more than the second look does.
func (w World) lay(d *Diff, read func(*os.File) error, limit int64) error {
	var x Index
	err := w.Files.Fill(d.Whole, 0o600, func(f *os.File) error {
		mine, err := os.Open(f.Name()) // git writes where the place of f stands, and reading would move that on Windows
		if err != nil {
			return err
		}
		defer mine.Close()
		written, indexed := make(chan struct{}), make(chan error, 1)
		go func() { indexed <- x.read(&follower{file: mine, written: written}) }()
		err = read(f)
		close(written)
		if err = cmp.Or(err, <-indexed); err != nil {
			return err
		}
		if d.Ref.Kind != forge.KindBranch && (x.oldLeft > 0 || x.newLeft > 0) {
			return errors.New("the diff ends in the middle of a file, so it was cut off on its way; nothing was kept: try again")
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.Files, d.Bytes = x.Files, x.at
	for _, f := range x.Files {
		d.Added, d.Removed = d.Added+f.Added, d.Removed+f.Removed
	}
	if limit == 0 {
		limit = DefaultLimit
	}
	if limit < 0 || d.Bytes <= limit {
		return nil
	}
	whole, err := os.Open(d.Whole)
	if err != nil {
		return err
	}
	defer whole.Close()
	d.Patch = filepath.Join(d.Dir, shownPatch)
	err = w.Files.Stream(d.Patch, 0o600, func(out io.Writer) error {
		if d.Dropped, err = shorten(out, whole, x.Files, limit); err != nil {
			return err
		}
		_, err := fmt.Fprintf(out, "[truncated - %d bytes dropped, the full diff is in %s]\n", d.Dropped, d.Whole)
		return err
	})
	if err != nil || d.Dropped > 0 {
		return err
	}
	d.Patch = d.Whole // what every file keeps was all of it
	return w.Files.Remove(filepath.Join(d.Dir, shownPatch))
}

// record writes v as the JSON file at path.
func (w World) record(path string, v any) error {
	return w.Files.Stream(path, 0o600, func(out io.Writer) error { return json.NewEncoder(out).Encode(v) })
}

// pull makes ready to read a pull request's diff.
func (w World) pull(ctx context.Context, d *Diff) (func(*os.File) error, error) {
	host, ref, err := w.Places.Host(ctx, d.Ref)
	if err != nil {
		return nil, exit.With(exit.Refused, err)
	}
	w.progress("asking %s", host.Name())
	p, err := host.Pull(ctx, ref)
	if err != nil {
		return nil, err
	}
	d.Ref, d.Title, d.Author, d.Base, d.Head = p.Reference, p.Title, p.Author, p.Base, p.Head
	return func(out *os.File) error {
		w.progress("reading the diff of %s", p.URL)
		return host.Patch(ctx, ref, &counting{to: out, say: func(mb int64) { w.progress("reading the diff of %s: %d MB", p.URL, mb) }})
	}, nil
}

// counting tells about each megabyte that passes.
type counting struct {
	to  io.Writer
	n   int64
	say func(mb int64)
}

func (c *counting) Write(p []byte) (int, error) {
	before := c.n >> 20
	c.n += int64(len(p))
	if now := c.n >> 20; now > before {
		c.say(now)
	}
	return c.to.Write(p)
}

// branch makes ready to compare a branch of this repository with its base.
func (w World) branch(ctx context.Context, d *Diff, base string) (func(*os.File) error, error) {
	var err error
	if base == "" {
		if base, err = w.defaultBase(ctx, d.Ref.Branch); err != nil {
			return nil, err
		}
	}
	commits, err := w.commits(ctx, base, d.Ref.Branch)
	if err != nil {
		return nil, err
	}
	d.Base, d.Head = base, commits[1]
	return func(out *os.File) error {
		res, err := w.Git.Into(ctx, out, "-c", "core.quotePath=false", "diff", "--no-ext-diff", "--no-textconv", "--no-color",
			"--no-relative", "--submodule=short", "--ignore-submodules=none", "--find-renames", "--src-prefix=a/", "--dst-prefix=b/", "--end-of-options", base+"..."+d.Head, "--")
		if err == nil && res.Code != 0 {
			err = gitx.Fail("diff", gitx.Result{Stderr: res.Stderr, Code: res.Code})
		}
		return err
	}, nil
}

// commits are those that branches of this repository stand at.
func (w World) commits(ctx context.Context, branches ...string) ([]string, error) {
	var asked strings.Builder
	for _, b := range branches {
		if b == "" || strings.HasPrefix(b, "-") || strings.ContainsAny(b, "\n\x00") {
			return nil, exit.With(exit.Usage, fmt.Errorf("%q is no branch", b))
		}
		asked.WriteString(b + "^{commit}\n")
	}
	res, err := w.Git.Run(ctx, []byte(asked.String()), "-c", "safe.bareRepository=explicit", "cat-file", "--batch-check=%(objectname)")
	if err == nil && res.Code != 0 {
		err = gitx.Fail("cat-file", res)
	}
	if err != nil {
		return nil, exit.With(exit.Refused, err)
	}
	ids := strings.Split(strings.TrimSpace(string(res.Stdout)), "\n")
	for i, b := range branches {
		if i >= len(ids) || strings.Contains(ids[i], " ") {
			return nil, exit.With(exit.Refused, fmt.Errorf("%s is no branch or commit here; 'git branch -a' lists the branches", forge.Line(b)))
		}
	}
	return ids, nil
}

// defaultBase is the branch that work goes into: the remote's default, else the first that is there of the usual names.
func (w World) defaultBase(ctx context.Context, branch string) (string, error) {
	text, err := w.Git.Out(ctx, "for-each-ref", "--format=%(refname) %(symref)", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop",
		"refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/develop", "refs/heads/main", "refs/heads/master")
	if err != nil {
		return "", exit.With(exit.Refused, fmt.Errorf("branches are compared in a git repository: %w; go there, or name a pull request by its address", err))
	}
	refs := map[string]string{}
	for line := range strings.Lines(text) {
		name, target, _ := strings.Cut(strings.TrimSpace(line), " ")
		refs[name] = target
	}
	if target := refs["refs/remotes/origin/HEAD"]; target != "" {
		return strings.TrimPrefix(target, "refs/remotes/"), nil
	}
	for _, name := range []string{"refs/remotes/origin/main", "refs/remotes/origin/master", "refs/remotes/origin/develop", "refs/heads/main", "refs/heads/master", "refs/heads/develop"} {
		if _, there := refs[name]; there && strings.TrimPrefix(name, "refs/heads/") != branch {
			return strings.TrimPrefix(strings.TrimPrefix(name, "refs/heads/"), "refs/remotes/"), nil
		}
	}
	return "", exit.With(exit.Refused, errors.New("what to compare with is not clear here; name it with --base BRANCH"))
}

// ReadDiff reads the record of the diff at path: the record itself, a review's directory, or the patch beside the record. A
// patch without a record is read as it is.
func ReadDiff(path string) (Diff, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: no such file or folder; 'viber review diff REF' makes one", path)
	}
	if err != nil {
		return Diff{}, exit.With(exit.Refused, err)
	}
	dir := filepath.Dir(path)
	if info.IsDir() {
		dir = path
	}
	var d Diff
	text, err := fsx.Read(filepath.Join(dir, diffRecord))
	if err != nil {
		return Diff{}, err
	}
	if text != nil {
		if err := json.Unmarshal(text, &d); err != nil {
			return Diff{}, exit.With(exit.Refused, fmt.Errorf("%s: %w; run 'viber review diff' again", filepath.Join(dir, diffRecord), err))
		}
		d.Dir, d.Whole, d.Patch = dir, filepath.Join(dir, wholePatch), filepath.Join(dir, patchName(d))
		if base := filepath.Base(path); info.IsDir() || base == diffRecord || base == wholePatch || base == shownPatch {
			return d, nil
		}
	}
	if info.IsDir() {
		return Diff{}, exit.With(exit.Refused, fmt.Errorf("%s: there is no diff in it; run 'viber review diff REF' first", path))
	}
	return patchFile(path)
}

// patchName is the file in a review's directory that reviewers see.
func patchName(d Diff) string {
	if d.Dropped > 0 {
		return shownPatch
	}
	return wholePatch
}

func patchFile(path string) (Diff, error) {
	x, err := indexFile(path, false)
	if err != nil {
		return Diff{}, err
	}
	if x.merge {
		return Diff{}, exit.With(exit.Refused, fmt.Errorf("%s holds the combined diff of a merge; 'git diff BASE...HEAD' writes a plain one, and 'git show -m'", path))
	}
	if len(x.Files) == 0 && x.at > 0 {
		return Diff{}, exit.With(exit.Refused, fmt.Errorf("%s holds no unified diff; 'git diff' writes one, and 'viber review diff REF'", path))
	}
	return Diff{Dir: filepath.Dir(path), Whole: path, Patch: path, Bytes: x.at, Files: x.Files}, nil
}

// indexFile reads the patch at path; with lines, also which lines its hunks show.
func indexFile(path string, lines bool) (*Index, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeDevice != 0 {
		return nil, exit.With(exit.Refused, fmt.Errorf("%s is a device, not a patch", path))
	}
	x := &Index{Lines: lines}
	if err := x.read(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return x, nil
}
