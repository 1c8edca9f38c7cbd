// Package fence puts text that others wrote between tags that carry a random id, so that a reader knows where it ends
// whatever it says.
package fence

import (
	"bytes"
	"crypto/rand"
	"io"
	"strings"
)

// Tag is the name of the tags.
const Tag = "untrusted-data"

// ID returns a new id for a fence: nobody who wrote the text can know it.
func ID() string { return strings.ToLower(rand.Text()[:16]) }

// Wrap returns text between the tags of id; source says what it is and stands in the opening tag.
func Wrap(id, source, text string) string {
	var b strings.Builder
	_ = Write(&b, id, source, strings.NewReader(text))
	return b.String()
}

// Write copies text to w between the tags of id, with every tag of that name in it taken apart.
func Write(w io.Writer, id, source string, text io.Reader) error {
	if _, err := io.WriteString(w, "<"+Tag+" id=\""+id+"\" source=\""+attribute(source)+"\">\n"); err != nil {
		return err
	}
	whole, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	inside := Neutral(string(whole))
	if !strings.HasSuffix(inside, "\n") {
		inside += "\n"
	}
	_, err = io.WriteString(w, inside+"</"+Tag+" id=\""+id+"\">\n")
	return err
}

// Neutral takes the name of the tags apart wherever it stands in text, whatever its case.
func Neutral(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + 'a' - 'A'
		}
	}
	var b strings.Builder
	for {
		i := bytes.Index(lower, []byte(Tag))
		if i < 0 {
			return b.String() + text
		}
		at := i + strings.IndexByte(Tag, '-')
		b.WriteString(text[:at] + "_")
		text, lower = text[at+1:], lower[at+1:]
	}
}

func attribute(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '<' || r == '>' || r == '&' {
			return '_'
		}
		return r
	}, s)
}
