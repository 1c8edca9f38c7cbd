package review

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"

	"viber/forge"
)

// leastOfFile is what every file keeps of its part of a shortened diff, in bytes.
const leastOfFile = 400

// level is how many bytes each file may have so that all fit into limit: the largest files give first.
func level(files []File, limit int64) int64 {
	sizes := make([]int64, len(files))
	for i, f := range files {
		sizes[i] = f.end - f.start
	}
	sort.Slice(sizes, func(i, j int) bool { return sizes[i] < sizes[j] })
	left := limit
	for i, size := range sizes {
		share := left / int64(len(sizes)-i)
		if size > share {
			return max(share, leastOfFile)
		}
		left -= size
	}
	return limit
}

// shorten copies a patch of files to w so that about limit bytes come out: the largest files are cut, each with a line that
// says so, and files past the limit are counted. It returns how many bytes were left out.
func shorten(w io.Writer, patch io.ReaderAt, files []File, limit int64) (dropped int64, err error) {
	most, written := level(files, limit), int64(0)
	var part []byte
	for i, f := range files {
		size := f.end - f.start
		if written >= limit {
			for _, rest := range files[i:] {
				dropped += rest.end - rest.start
			}
			_, err = fmt.Fprintf(w, "[truncated - %d more files are not shown]\n", len(files)-i)
			return dropped, err
		}
		part = slices.Grow(part[:0], int(min(size, most)))[:min(size, most)]
		if _, err := patch.ReadAt(part, f.start); err != nil && !errors.Is(err, io.EOF) {
			return dropped, err
		}
		if size > most {
			if end := bytes.LastIndexByte(part, '\n'); end >= 0 {
				part = part[:end+1]
			}
		}
		if _, err := w.Write(part); err != nil {
			return dropped, err
		}
		written += int64(len(part))
		if left := size - int64(len(part)); left > 0 {
			dropped += left
			if _, err := fmt.Fprintf(w, "[truncated - %d more bytes of %s]\n", left, forge.Line(f.Path)); err != nil {
				return dropped, err
			}
		}
	}
	return dropped, nil
}
