package gate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tree answers questions about the files under a root. It never leaves the root, not even through a link.
type tree struct {
	root  *os.Root
	lines map[string][][]byte // nil entry: not readable
}

func openTree(dir string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, plainPathError(dir, err)
	}
	return &tree{root: root, lines: map[string][][]byte{}}, nil
}

// of returns the lines of a file; nil when there is no such file.
func (t *tree) of(file string) [][]byte {
	if lines, known := t.lines[file]; known {
		return lines
	}
	var lines [][]byte
	if f, err := t.root.Open(filepath.FromSlash(file)); err == nil {
		if info, err := f.Stat(); err == nil && !info.IsDir() {
			if data, err := readAtMost(f, file); err == nil {
				lines = bytes.Split(data, []byte("\n"))
				if n := len(lines); n > 1 && len(lines[n-1]) == 0 {
					lines = lines[:n-1]
				}
			}
		}
		f.Close()
	}
	t.lines[file] = lines
	return lines
}

// line returns the text of a line, from 1; nil when it is not there.
func (t *tree) line(file string, n int) []byte {
	lines := t.of(file)
	if n < 1 || n > len(lines) {
		return nil
	}
	return lines[n-1]
}

// check reports a file that is not there, or a line (from 1; 0 = any) behind its end. where is the object that names both.
func (t *tree) check(file Path, line int, where string, r *report) {
	if cause, _ := pathProblem(file); cause != "" || file == "" {
		return
	}
	lines := t.of(clean(file))
	switch {
	case lines == nil:
		r.wrong(where+"/file", short(string(file))+" does not exist in the repository", "the path of a file that does")
	case line > len(lines):
		r.wrong(where+"/line", fmt.Sprintf("%s has %d lines, not %d", short(string(file)), len(lines), line), fmt.Sprintf("a line from 1 to %d", len(lines)))
	}
}

func (t *tree) checkEvidence(file string, line int, where string, r *report) {
	lines := t.of(file)
	if lines == nil || line > len(lines) {
		r.wrong(where, fmt.Sprintf("%s:%d does not exist in the repository", file, line), "a file:line that does")
	}
}

// fileLine reads "path:12" or "path:12-20".
func fileLine(text string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 1 {
		return "", 0, false
	}
	first, last, isRange := strings.Cut(text[i+1:], "-")
	line, err := strconv.Atoi(first)
	if err != nil || line < 1 || strings.ContainsAny(text, "\n\r") {
		return "", 0, false
	}
	if isRange {
		if end, err := strconv.Atoi(last); err != nil || end < line {
			return "", 0, false
		}
	}
	file = strings.TrimSpace(text[:i])
	if cause, _ := pathProblem(Path(file)); cause != "" || file == "" || !strings.ContainsAny(file, "./") && strings.Contains(file, " ") {
		return "", 0, false
	}
	return file, line, true
}
