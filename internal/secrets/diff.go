package secrets

import (
	"bytes"
	"strconv"
	"strings"
)

// InFile is a finding with its place in a file. The value itself is never kept.
type InFile struct {
	Path   string // as the patch names it, without a/ or b/
	Line   int    // 1-based, in the new file
	Rule   string
	Masked string // see Masked
	Hash   string // see Hash
	Marked bool   // the line carries AllowMark
}

// InDiff returns the credentials in the added lines of a unified diff as git prints it (combined diffs included: lines that
// every parent lacks). Files that git shows as binary are named in skipped.
func InDiff(patch []byte) (found []InFile, skipped []string) {
	p := diffReader{}
	for line := range bytes.Lines(patch) {
		p.read(bytes.TrimRight(line, "\r\n"))
	}
	return p.found, p.skipped
}

// InText returns the credentials in text, which is the content of the file at path.
func InText(path string, text []byte) []InFile {
	p := diffReader{path: path}
	for line := range bytes.Lines(text) {
		p.next++
		p.scan(bytes.TrimRight(line, "\r\n"))
	}
	return p.found
}

// diffReader walks a patch line by line. Hunk headers say how many lines follow, so an added line that looks like a
// header is not taken for one.
type diffReader struct {
	path    string
	next    int // number of the next line of the new file
	oldLeft int // lines of the old file that the hunk still has
	newLeft int
	parents int // 1 in a plain diff
	pem     int // index+1 of a private key's head found on the line before
	found   []InFile
	skipped []string
}

func (p *diffReader) read(line []byte) {
	if p.newLeft > 0 || p.oldLeft > 0 {
		p.inHunk(line)
		return
	}
	switch {
	case bytes.HasPrefix(line, []byte("@@")):
		p.hunk(line)
	case bytes.HasPrefix(line, []byte("+++ ")):
		p.path = headerPath(string(line[4:]))
	case bytes.HasPrefix(line, []byte("Binary files ")):
		p.skipped = append(p.skipped, binaryPath(string(line)))
	case bytes.HasPrefix(line, []byte("diff ")):
		p.pem = 0
	}
}

func (p *diffReader) hunk(line []byte) {
	at := 0
	for at < len(line) && line[at] == '@' {
		at++
	}
	p.parents = at - 1
	fields := strings.Fields(string(line[at:]))
	if p.parents < 1 || len(fields) < p.parents+1 {
		return
	}
	p.oldLeft = 0
	if p.parents == 1 {
		_, p.oldLeft = span(fields[0])
	}
	p.next, p.newLeft = span(fields[p.parents])
}

// span reads "-12,3" or "+7": a start and a count of lines.
func span(text string) (start, count int) {
	from, n, has := strings.Cut(text[1:], ",")
	start, _ = strconv.Atoi(from)
	count = 1
	if has {
		count, _ = strconv.Atoi(n)
	}
	return start, count
}

func (p *diffReader) inHunk(line []byte) {
	if len(line) < p.parents || len(line) > 0 && line[0] == '\\' {
		if len(line) == 0 { // an empty context line whose blank was stripped
			p.oldLeft, p.newLeft, p.next = p.oldLeft-1, p.newLeft-1, p.next+1
		}
		return
	}
	marks, text := line[:p.parents], line[p.parents:]
	if bytes.IndexByte(marks, '-') >= 0 {
		p.oldLeft--
		return
	}
	if bytes.IndexByte(marks, ' ') >= 0 {
		p.oldLeft--
		p.pem = 0
	} else {
		p.scan(text)
	}
	p.next, p.newLeft = p.next+1, p.newLeft-1
}

func (p *diffReader) scan(text []byte) {
	if p.pem > 0 && base64Run(bytes.TrimLeft(text, " \t\"'+")) < 16 && !bytes.Contains(text, []byte(": ")) && len(bytes.TrimSpace(text)) > 0 {
		p.found = p.found[:p.pem-1] // the head of a key without a key
	}
	p.pem = 0
	for _, f := range Find(text) {
		value := text[f.Start:f.End]
		p.found = append(p.found, InFile{Path: p.path, Line: p.next, Rule: f.Rule, Masked: Masked(value), Hash: Hash(value), Marked: bytes.Contains(text, []byte(AllowMark))})
		if f.Rule == privateKey && len(bytes.TrimSpace(text[f.End:])) == 0 {
			p.pem = len(p.found)
		}
	}
}

// headerPath reads the path of a "+++ " line. git's octal escapes are those of Go.
func headerPath(text string) string {
	text = strings.TrimSuffix(text, "\t")
	if strings.HasPrefix(text, `"`) {
		if plain, err := strconv.Unquote(text); err == nil {
			text = plain
		}
	}
	return strings.TrimPrefix(text, "b/")
}

func binaryPath(line string) string {
	text := strings.TrimSuffix(strings.TrimPrefix(line, "Binary files "), " differ")
	if i := strings.LastIndex(text, " and "); i >= 0 {
		before, after := text[:i], text[i+len(" and "):]
		if after == "/dev/null" {
			after = before
		}
		return strings.TrimPrefix(headerPath(after), "a/")
	}
	return text
}
