package review

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Files are the files of a patch, in its order. In a record they are one text, since there may be thousands.
type Files []File

// MarshalText writes a line a file: "modified +20 -3 PATH", with "binary" in front of the counts where there are no lines to
// count. What was renamed or copied has its old path behind a tab. A path that would be read otherwise is quoted.
func (all Files) MarshalText() ([]byte, error) {
	text := make([]byte, 0, 64*len(all))
	for _, f := range all {
		text = append(text, f.Status...)
		if f.Binary {
			text = append(text, " binary"...)
		}
		text = strconv.AppendInt(append(text, " +"...), int64(f.Added), 10)
		text = strconv.AppendInt(append(text, " -"...), int64(f.Removed), 10)
		text = appendPath(append(text, ' '), f.Path)
		if f.OldPath != "" {
			text = appendPath(append(text, '\t'), f.OldPath)
		}
		text = append(text, '\n')
	}
	return text, nil
}

func appendPath(text []byte, path string) []byte {
	if strings.HasPrefix(path, `"`) || strings.ContainsAny(path, "\t\n") || !utf8.ValidString(path) {
		return strconv.AppendQuote(text, path)
	}
	return append(text, path...)
}

// UnmarshalText reads what MarshalText wrote.
func (all *Files) UnmarshalText(text []byte) error {
	lines := string(text)
	*all = make(Files, 0, strings.Count(lines, "\n"))
	for line := range strings.SplitSeq(strings.TrimSuffix(lines, "\n"), "\n") {
		if line == "" && len(text) == 0 {
			return nil
		}
		f, err := parseFile(line)
		if err != nil {
			return err
		}
		*all = append(*all, f)
	}
	return nil
}

func parseFile(line string) (f File, err error) {
	status, rest, _ := strings.Cut(line, " ")
	rest, f.Binary = strings.CutPrefix(rest, "binary ")
	added, rest, _ := strings.Cut(rest, " ")
	removed, names, _ := strings.Cut(rest, " ")
	f.Status = status
	if f.Added, err = strconv.Atoi(added); err == nil {
		f.Removed, err = strconv.Atoi(removed)
	}
	if err != nil {
		return f, fmt.Errorf("%q is no file of a diff", line)
	}
	f.Removed = -f.Removed
	path, old, _ := strings.Cut(names, "\t")
	f.Path, f.OldPath = unquoted(path), unquoted(old)
	return f, nil
}
