package secrets

import (
	"bytes"

	"viber/internal/patch"
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
func InDiff(text []byte) (found []InFile, skipped []string) {
	var s sweep
	skipped = patch.Added(text, s.scan)
	return s.found, skipped
}

// InText returns the credentials in text, which is the content of the file at path.
func InText(path string, text []byte) []InFile {
	var s sweep
	n := 0
	for line := range bytes.Lines(text) {
		n++
		s.scan(patch.Line{Path: path, Number: n, Text: bytes.TrimRight(line, "\r\n")})
	}
	return s.found
}

// sweep scans lines in order.
type sweep struct {
	found []InFile
	head  patch.Line // a private key's head that ended the line before
	at    int        // its place in found
}

func (s *sweep) scan(l patch.Line) {
	if s.head.Number > 0 && l.Path == s.head.Path && l.Number == s.head.Number+1 && !keyFollows(l.Text) {
		s.found = append(s.found[:s.at], s.found[s.at+1:]...)
	}
	s.head = patch.Line{}
	for _, f := range Find(l.Text) {
		value := l.Text[f.Start:f.End]
		s.found = append(s.found, InFile{Path: l.Path, Line: l.Number, Rule: f.Rule, Masked: Masked(value), Hash: Hash(value), Marked: bytes.Contains(l.Text, []byte(AllowMark))})
		if f.Rule == privateKey && len(bytes.TrimSpace(l.Text[f.End:])) == 0 {
			s.head, s.at = l, len(s.found)-1
		}
	}
}

// keyFollows says that a line may come after the head of a private key: base64, a header of an encrypted key, or nothing.
func keyFollows(line []byte) bool {
	text := bytes.TrimLeft(line, " \t\"'+")
	return len(bytes.TrimSpace(text)) == 0 || base64Run(text) >= 16 || bytes.Contains(text, []byte(": "))
}
