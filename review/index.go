package review

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"viber/forge"
	"viber/internal/exit"
)

// File is one file of a patch.
type File struct {
	Path    string // of the new file; of the old one when it was deleted
	OldPath string // where it came from, when it was renamed or copied
	Status  string // added, modified, deleted, renamed, copied
	Binary  bool
	Added   int
	Removed int

	start, end int64 // its bytes in the patch
	runs       []run
}

// run is a row of lines of one kind in a hunk: the number of its first line in either file, and how many there are.
type run struct {
	kind     forge.LineKind
	old, new int
	n        int
}

// Index reads a unified diff as it is written to it, of git, GitHub or Bitbucket Server. It keeps the files and, when Lines
// is set, which lines the hunks show; the text itself is not kept.
type Index struct {
	Files Files
	Lines bool

	at      int64  // bytes read before the present line
	partial []byte // of a line that is not whole yet
	skipped int64  // bytes of that line that were dropped
	started bool   // a file is open
	oldLeft int
	newLeft int
	old     int
	new     int
	merge   bool // it holds a combined diff, whose hunks have two old sides
}

// keptOfLine bounds what is kept of one line: more than any path.
const keptOfLine = 64 << 10

// Write reads the next part of the diff. It never fails.
func (x *Index) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		if len(x.partial) == 0 && x.skipped == 0 {
			p = p[x.hunkLines(p):]
		}
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			x.keep(p)
			break
		}
		if len(x.partial) == 0 && x.skipped == 0 {
			x.line(p[:i], int64(i)+1)
		} else {
			x.keep(p[:i])
			x.line(x.partial, int64(len(x.partial))+x.skipped+1)
			x.partial, x.skipped = x.partial[:0], 0
		}
		p = p[i+1:]
	}
	return n, nil
}

// maxPatch bounds the patches that are read, in bytes: what a host may send, and more than anybody reviews.
const maxPatch = 512 << 20

// read takes the whole diff from r.
func (x *Index) read(r io.Reader) error {
	piece := make([]byte, 64<<10)
	for total := 0; ; {
		n, err := r.Read(piece)
		if total += n; total > maxPatch {
			return exit.With(exit.Refused, fmt.Errorf("it is larger than %d MB, more than a review reads", maxPatch>>20))
		}
		_, _ = x.Write(piece[:n])
		if errors.Is(err, io.EOF) {
			x.Close()
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (x *Index) keep(p []byte) {
	room := min(len(p), max(0, keptOfLine-len(x.partial)))
	x.partial = append(x.partial, p[:room]...)
	x.skipped += int64(len(p) - room)
}

// Close reads a last line without an end and closes the last file.
func (x *Index) Close() {
	if len(x.partial) > 0 {
		x.line(x.partial, int64(len(x.partial))+x.skipped)
		x.partial = nil
	}
	x.endFile()
}

func (x *Index) endFile() {
	if x.started {
		x.Files[len(x.Files)-1].end = x.at
	}
	x.started = false
}

func (x *Index) file() *File { return &x.Files[len(x.Files)-1] }

func (x *Index) line(line []byte, size int64) {
	switch {
	case (x.oldLeft > 0 || x.newLeft > 0) && x.inHunk(line):
	case bytes.HasPrefix(line, []byte("diff --git ")):
		x.open(bytes.TrimPrefix(bytes.TrimSuffix(line, []byte("\r")), []byte("diff --git ")))
	case bytes.HasPrefix(line, []byte("--- ")) && (!x.started || x.file().Added+x.file().Removed > 0):
		x.open(nil)
		x.header(bytes.TrimSuffix(line, []byte("\r")))
	case bytes.HasPrefix(line, []byte("@@@ ")):
		x.merge = true
	case bytes.HasPrefix(line, []byte("@@ ")):
		x.hunk(line)
	case x.started && len(line) > 0 && line[0] != '\\':
		x.header(bytes.TrimSuffix(line, []byte("\r")))
	}
	x.at += size
}

func (x *Index) open(names []byte) {
	x.endFile()
	if len(x.Files) == cap(x.Files) {
		x.Files = slices.Grow(x.Files, len(x.Files)+64)
	}
	x.Files = append(x.Files, File{Path: bothPaths(names), Status: "modified", start: x.at})
	x.started = true
}

// header reads one line between "diff --git" and the first hunk.
func (x *Index) header(line []byte) {
	f := x.file()
	word, rest, _ := bytes.Cut(line, []byte(" "))
	switch string(word) {
	case "new":
		if bytes.HasPrefix(rest, []byte("file ")) {
			f.Status = "added"
		}
	case "deleted":
		if bytes.HasPrefix(rest, []byte("file ")) {
			f.Status = "deleted"
		}
	case "rename":
		f.moved("renamed", rest)
	case "copy":
		f.moved("copied", rest)
	case "---":
		if path := sidePath(rest, f.Path, "a/", "src://"); path != "" && f.OldPath == "" && (f.Path == "" || f.Status == "deleted") {
			f.Path = path
		} else if path == "" {
			f.Status = "added"
		}
	case "+++":
		if path := sidePath(rest, f.Path, "b/", "dst://"); path != "" {
			f.Path = path
		} else {
			f.Status = "deleted"
		}
	case "Binary", "GIT":
		f.Binary = true
	}
}

// moved reads "from PATH" or "to PATH".
func (f *File) moved(status string, rest []byte) {
	side, path, _ := bytes.Cut(rest, []byte(" "))
	f.Status = status
	if string(side) == "from" {
		f.OldPath = unquoted(string(path))
	} else {
		f.Path = unquoted(string(path))
	}
}

// sidePath reads the path of a "---" or "+++" line; empty for /dev/null. A time may stand behind a tab. Most often it is known
// already.
func sidePath(line []byte, known string, prefixes ...string) string {
	name, _, _ := bytes.Cut(line, []byte("\t"))
	if known != "" && len(name) == len(prefixes[0])+len(known) && string(name[:len(prefixes[0])]) == prefixes[0] && string(name[len(prefixes[0]):]) == known {
		return known
	}
	text := unquoted(string(name))
	if text == "/dev/null" {
		return ""
	}
	for _, p := range prefixes {
		if rest, ok := strings.CutPrefix(text, p); ok {
			return rest
		}
	}
	if known != "" && len(text) == len(known)+2 && strings.HasSuffix(text, known) {
		return known // behind another letter
	}
	return text
}

// unquoted undoes git's quoting of unusual paths; its octal escapes are those of Go.
func unquoted(text string) string {
	if strings.HasPrefix(text, `"`) {
		if plain, err := strconv.Unquote(text); err == nil {
			return plain
		}
	}
	return text
}

// bothPaths reads "a/x b/x" of a file whose name did not change: later lines tell, except for an empty file or a new mode. The
// pairs behind the second are git's with diff.mnemonicPrefix.
func bothPaths(text []byte) string {
	for _, p := range [][2]string{{"a/", "b/"}, {"src://", "dst://"}, {"i/", "w/"}, {"c/", "w/"}, {"c/", "i/"}, {"o/", "w/"}, {"1/", "2/"}} {
		if bytes.HasPrefix(text, []byte(`"`+p[0])) {
			if i := bytes.Index(text, []byte(`" "`+p[1])); i > 0 {
				return strings.TrimPrefix(unquoted(string(text[:i+1])), p[0])
			}
		}
		n := (len(text) - len(p[0]) - len(p[1]) - 1) / 2
		if n <= 0 || !bytes.HasPrefix(text, []byte(p[0])) {
			continue
		}
		name, rest := text[len(p[0]):len(p[0])+n], text[len(p[0])+n:]
		if rest, ok := bytes.CutPrefix(rest, []byte(" "+p[1])); ok && bytes.Equal(rest, name) {
			return string(name)
		}
	}
	return ""
}

func (x *Index) hunk(line []byte) {
	_, rest, _ := bytes.Cut(line, []byte(" "))
	old, rest, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	now, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	if !x.started || len(old) < 2 || len(now) < 2 {
		return
	}
	x.old, x.oldLeft = span(old[1:])
	x.new, x.newLeft = span(now[1:])
}

func span(text []byte) (start, count int) {
	from, n, has := bytes.Cut(text, []byte(","))
	start, _ = strconv.Atoi(string(from))
	count = 1
	if has {
		count, _ = strconv.Atoi(string(n))
	}
	return max(start, 0), max(count, 0)
}

// hunkLines reads the whole lines of an open hunk that p begins with and returns how many bytes they are.
func (x *Index) hunkLines(p []byte) (taken int) {
	for x.oldLeft > 0 || x.newLeft > 0 {
		i := bytes.IndexByte(p[taken:], '\n')
		if i < 0 || !x.inHunk(p[taken:taken+i]) {
			break
		}
		taken += i + 1
	}
	x.at += int64(taken)
	return taken
}

// inHunk reads a line of an open hunk. A hunk that is shorter than it says ends before a line that is none of it.
func (x *Index) inHunk(line []byte) bool {
	mark := byte(' ') // an empty context line whose blank was stripped
	if len(line) > 0 {
		mark = line[0]
	}
	f := x.file()
	switch mark {
	case '+':
		f.Added++
		x.saw(f, forge.Added)
		x.new, x.newLeft = x.new+1, x.newLeft-1
	case '-':
		f.Removed++
		x.saw(f, forge.Removed)
		x.old, x.oldLeft = x.old+1, x.oldLeft-1
	case ' ', '\r':
		x.saw(f, forge.Context)
		x.old, x.oldLeft = x.old+1, x.oldLeft-1
		x.new, x.newLeft = x.new+1, x.newLeft-1
	case '\\':
	default:
		x.oldLeft, x.newLeft = 0, 0
		return false
	}
	return true
}

func (x *Index) saw(f *File, kind forge.LineKind) {
	if !x.Lines {
		return
	}
	if n := len(f.runs); n > 0 {
		last := &f.runs[n-1]
		oldNext, newNext := last.old, last.new
		if kind != forge.Added {
			oldNext += last.n
		}
		if kind != forge.Removed {
			newNext += last.n
		}
		if last.kind == kind && oldNext == x.old && newNext == x.new {
			last.n++
			return
		}
	}
	f.runs = append(f.runs, run{kind: kind, old: x.old, new: x.new, n: 1})
}
