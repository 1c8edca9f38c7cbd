package secrets

import (
	"bytes"
	"strings"

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
	named patch.Line // a line that gives a name to the value on the next one
}

func (s *sweep) scan(l patch.Line) {
	if s.head.Number > 0 && l.Path == s.head.Path && l.Number == s.head.Number+1 && !keyFollows(l.Text) {
		s.found = append(s.found[:s.at], s.found[s.at+1:]...)
	}
	s.head = patch.Line{}
	before := len(s.found)
	for _, f := range Find(l.Text) {
		s.note(l, f.Rule, l.Text[f.Start:f.End])
		if f.Rule == privateKey && len(bytes.Trim(l.Text[f.End:], " \t\r\\n\"'+")) == 0 {
			s.head, s.at = l, len(s.found)-1
		}
	}
	if len(s.found) == before {
		s.split(l)
	}
}

func (s *sweep) note(l patch.Line, rule string, value []byte) {
	s.found = append(s.found, InFile{Path: l.Path, Line: l.Number, Rule: rule, Masked: Masked(value), Hash: Hash(value), Marked: bytes.Contains(l.Text, []byte(AllowMark))})
}

// split looks at what only two lines or the file's name tell: `name: API_TOKEN` above `value: ...`, the key of Rails.
func (s *sweep) split(l patch.Line) {
	above := s.named
	s.named = patch.Line{}
	text := bytes.Trim(l.Text, " \t-{,")
	switch {
	case hasKey(text, "name"):
		s.named = patch.Line{Path: l.Path, Number: l.Number, Text: bytes.Clone(afterColon(text))}
	case above.Number > 0 && above.Path == l.Path && above.Number+1 == l.Number && hasKey(text, "value"):
		joined := bytes.Join([][]byte{above.Text, afterColon(text)}, []byte(": "))
		for _, f := range Find(joined) {
			s.note(l, f.Rule, joined[f.Start:f.End])
		}
	case len(text) == 32 && isHex(text) && strings.HasSuffix(l.Path, ".key") && entropy(text) > 3:
		s.note(l, "rails-key", text)
	}
}

// hasKey says that text is `key: ...` or `"key": ...`.
func hasKey(text []byte, key string) bool {
	name, _, ok := bytes.Cut(text, []byte(":"))
	return ok && string(bytes.Trim(name, `"' `)) == key
}

// afterColon is the value behind the first colon, without quotes where it is a name.
func afterColon(text []byte) []byte {
	_, value, _ := bytes.Cut(text, []byte(":"))
	value = bytes.Trim(value, " \t,}")
	if word := bytes.Trim(value, `"'`); len(word) < nearby && !bytes.ContainsAny(word, " :=") {
		return word
	}
	return value
}

// keyFollows says that a line may come after the head of a private key: base64, a header of an encrypted key, or nothing.
func keyFollows(line []byte) bool {
	text := bytes.TrimLeft(line, " \t\"'+")
	return len(bytes.TrimSpace(text)) == 0 || base64Run(text) >= 16 || bytes.Contains(text, []byte(": "))
}
