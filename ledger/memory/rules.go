package memory

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"

	"viber/internal/exit"
)

// Limits of the rules, in bytes.
const (
	ruleLimit  = 4000
	rulesLimit = 40000
)

const rulesDir = ".claude/rules"

// Rules is `viber rules-map`: the project's rules with their sizes, their globs and how many files those match, what
// matches nothing, what belongs to people (a name that starts with _), and what is not committed.
func Rules(ctx context.Context, c Call) error {
	if len(c.Args) > 0 {
		return exit.With(exit.Usage, errors.New("usage: viber rules-map"))
	}
	t, err := c.tree(ctx)
	if err != nil {
		return err
	}
	var lines []string
	state, total := "none", 0
	for _, name := range t.files {
		if !isRule(name) {
			continue
		}
		text := t.read(name)
		state, total = "present", total+len(text)
		lines = append(lines, t.ruleLines(name, text)...)
	}
	lines = append(lines, t.dirtyLines(isRule)...)
	sum := fmt.Sprintf("total: %d bytes", total)
	if total > rulesLimit {
		sum += " | OVER-DIR"
	}
	head := []string{"id: rules-" + c.Now().Format("20060102-150405"), "state: " + state}
	_, err = fmt.Fprintln(c.Out, strings.Join(append(append(head, lines...), sum), "\n"))
	return err
}

func isRule(name string) bool { return under(name, rulesDir) && strings.HasSuffix(name, ".md") }

func (t tree) ruleLines(name, text string) []string {
	if strings.HasPrefix(path.Base(name), "_") {
		return []string{fmt.Sprintf("frozen: %s | %d bytes", name, len(text))}
	}
	globs := globsOf(text)
	shown, matching := "all files", len(t.files)
	if len(globs) > 0 {
		shown, matching = strings.Join(globs, ", "), t.matches(globs)
	}
	line := fmt.Sprintf("rule: %s | %d bytes | %s | matches %d", name, len(text), shown, matching)
	if len(text) > ruleLimit {
		line += " | OVER-FILE"
	}
	if len(globs) > 0 && matching == 0 {
		return []string{line, "dead: " + name}
	}
	return []string{line}
}

// Globs returns the globs a rule file says it is for; none means every file.
func Globs(text string) []string { return globsOf(text) }

// Covers reports whether a rule with these globs is for the file name.
func Covers(globs []string, name string) bool {
	for _, glob := range globs {
		if ok, err := doublestar.Match(strings.TrimPrefix(glob, "./"), name); err == nil && ok {
			return true
		}
	}
	return len(globs) == 0
}

// globsOf reads the paths of a rule's frontmatter, a list or one text with commas.
func globsOf(text string) []string {
	head, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return nil
	}
	head, _, ok = strings.Cut(head, "\n---")
	var front struct {
		Paths yaml.Node `yaml:"paths"`
	}
	if !ok || yaml.Unmarshal([]byte(head), &front) != nil {
		return nil
	}
	var list []string
	if front.Paths.Kind == yaml.ScalarNode {
		for _, glob := range strings.Split(front.Paths.Value, ",") {
			list = append(list, strings.TrimSpace(glob))
		}
		return list
	}
	if front.Paths.Decode(&list) != nil {
		return nil
	}
	return list
}

func (t tree) matches(globs []string) int {
	n := 0
	for _, name := range t.files {
		if Covers(globs, name) {
			n++
		}
	}
	return n
}
