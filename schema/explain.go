package schema

import (
	"fmt"
	"slices"
	"strings"

	"viber/internal/near"
)

// Explanation is what viber knows about one key in one project.
type Explanation struct {
	Key     string   `json:"key"`
	Value   string   `json:"value"`
	Default string   `json:"default"`
	Source  string   `json:"source"`         // the file the value comes from, or "default"
	Line    int      `json:"line,omitempty"` // in that file, from 1
	Written string   `json:"written,omitempty"`
	Values  []string `json:"values,omitempty"` // what the key takes
	Takes   string   `json:"takes"`            // the same in words
	Text    string   `json:"text"`             // what it does
	Note    string   `json:"note,omitempty"`   // why the value is not what is written
	Since   int      `json:"since"`            // schema it came with
}

// Explain says what key is, its value here and where that comes from. An unknown key is an error with the closest one.
func (c *Config) Explain(key string) (Explanation, error) {
	k, ok := Lookup(key)
	if !ok {
		return Explanation{}, unknownKey(key)
	}
	s := c.resolve(k)
	e := Explanation{
		Key: k.Name, Value: c.Value(key), Default: k.Default, Source: string(s.Source), Line: s.Line,
		Written: strings.TrimSpace(s.Text), Values: k.Choices(), Takes: k.takes(), Text: k.Text, Since: k.Since,
	}
	e.Note = c.whyNot(k, s, e.Value)
	return e, nil
}

// whyNot says why a value is not the one that is written.
func (c *Config) whyNot(k Key, s Setting, value string) string {
	switch {
	case s.Bad && k.nearMiss(s.Text) != "":
		return fmt.Sprintf("%s is not understood; write %s", strings.TrimSpace(s.Text), k.nearMiss(s.Text))
	case s.Bad && strings.TrimSpace(s.Text) != "":
		return fmt.Sprintf("%s is not understood; %s", strings.TrimSpace(s.Text), k.takes())
	case k.Group() == "tiers" && value != s.Value:
		return "tiers.min is above tiers.max, so both read as their defaults"
	case k.Guard && s.Source != FromShared:
		if project, ok := c.shared.setting(k, FromShared); ok && !project.Bad && project.Value != s.Value {
			return fmt.Sprintf("the project's %s would loosen it; only the user's own file may", project.Value)
		}
	}
	return ""
}

// takes says in words what a key's value may be.
func (k Key) takes() string {
	switch k.Kind {
	case Switch:
		return "takes true or false"
	case Choice:
		return "takes " + orList(k.Values)
	case Title:
		return "takes a text, in quotes when it starts with one or holds a #"
	case Dir:
		return "takes a directory name of letters, digits, dot, _ and -"
	case Map:
		return "takes entries below it"
	case Count:
		return "takes a whole number"
	case Amount:
		return fmt.Sprintf("takes a whole number from 1 to %d", mostAmount)
	case List:
		return "takes words separated by commas"
	}
	return "takes a text"
}

func orList(words []string) string { return listing(words, " or ") }

// listing joins words with commas, and the last one with last.
func listing(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + last + words[len(words)-1]
}

// From names the place the value comes from: file:line, or default.
func (e Explanation) From() string {
	if e.Line == 0 {
		return e.Source
	}
	return fmt.Sprintf("%s:%d", e.Source, e.Line)
}

// Paragraph returns the explanation for people.
func (e Explanation) Paragraph() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s = %s\n", e.Key, orEmpty(e.Value))
	fmt.Fprintf(&b, "  from     %s\n", e.From())
	if e.Note != "" {
		fmt.Fprintf(&b, "  but      %s\n", e.Note)
	}
	fmt.Fprintf(&b, "  does     %s\n", e.Text)
	fmt.Fprintf(&b, "  takes    %s\n", strings.TrimPrefix(e.Takes, "takes "))
	fmt.Fprintf(&b, "  default  %s\n", orEmpty(e.Default))
	return b.String()
}

// Closest returns the known key most like name, or nothing when none is near.
func Closest(name string) string {
	keys := Keys()
	names, leaves := make([]string, len(keys)), make([]string, len(keys))
	for i, k := range keys {
		names[i], leaves[i] = k.Name, k.Leaf()
	}
	if whole := near.Word(lower(name), names); whole != "" {
		return whole
	}
	if leaf := near.Word(lower(name), leaves); leaf != "" {
		return names[slices.Index(leaves, leaf)]
	}
	return ""
}
