package embed_test

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"viber/embed"
)

// text is one Markdown file of the plugin.
type text struct {
	path   string            // "skills/intent/SKILL.md"
	keys   map[string]string // frontmatter, values as text
	body   string
	blocks []block
}

// block is a fenced block: the words behind the opening fence and the lines in it.
type block struct {
	info  string
	lines []string
}

// skill returns the skill a text belongs to, "" for one of no skill.
func (x text) skill() string {
	parts := strings.Split(x.path, "/")
	if parts[0] != "skills" {
		return ""
	}
	return parts[1]
}

func (x text) isSkill() bool { return path.Base(x.path) == "SKILL.md" }
func (x text) isAgent() bool { return strings.HasPrefix(x.path, "agents/") }
func (x text) name() string {
	if x.isSkill() {
		return x.skill()
	}
	return strings.TrimSuffix(path.Base(x.path), ".md")
}

// files returns every file of the plugin, by its path below the plugin's folder.
func files(t *testing.T) map[string]string {
	t.Helper()
	plugin, err := embed.Plugin()
	if err != nil {
		t.Fatal(err)
	}
	return read(t, plugin)
}

// read returns every file of a file system.
func read(t *testing.T, plugin fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(plugin, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(plugin, name)
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestArchiveIsTheFolder: what the binary carries is what stands in the folder.
func TestArchiveIsTheFolder(t *testing.T) {
	t.Parallel()
	if packed, folder := files(t), read(t, os.DirFS("plugin")); !maps.Equal(packed, folder) {
		t.Error("plugin.zip.gz is not the folder plugin; run 'go generate ./embed'")
	}
}

// texts returns the plugin's Markdown files in the order of their paths.
func texts(t *testing.T) []text {
	t.Helper()
	var all []text
	for name, data := range files(t) {
		if path.Ext(name) == ".md" {
			all = append(all, parse(t, name, data))
		}
	}
	slices.SortFunc(all, func(a, b text) int { return strings.Compare(a.path, b.path) })
	return all
}

func skills(t *testing.T) []text { return only(texts(t), text.isSkill) }
func agents(t *testing.T) []text { return only(texts(t), text.isAgent) }

func only(all []text, want func(text) bool) []text {
	return slices.DeleteFunc(all, func(x text) bool { return !want(x) })
}

func parse(t *testing.T, name, data string) text {
	t.Helper()
	x := text{path: name, keys: map[string]string{}, body: data}
	if (x.isSkill() || x.isAgent()) && strings.HasPrefix(data, "---\n") {
		head, body, closed := strings.Cut(data[len("---\n"):], "\n---\n")
		if !closed {
			t.Fatalf("%s: the frontmatter is not closed", name)
		}
		var keys map[string]any
		if err := yaml.Unmarshal([]byte(head), &keys); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, line := range strings.Split(head, "\n") {
			key, value, _ := strings.Cut(line, ":")
			if _, known := keys[key]; !known {
				t.Fatalf("%s: the frontmatter line %q is no single-line key", name, line)
			}
			x.keys[key] = strings.Trim(strings.TrimSpace(value), `"`)
		}
		x.body = body
	}
	x.blocks = blocks(x.body)
	return x
}

func blocks(body string) []block {
	var all []block
	open := false
	for _, line := range strings.Split(body, "\n") {
		switch {
		case !strings.HasPrefix(strings.TrimSpace(line), "```"):
			if open {
				all[len(all)-1].lines = append(all[len(all)-1].lines, line)
			}
		case open:
			open = false
		default:
			open = true
			all = append(all, block{info: strings.TrimPrefix(strings.TrimSpace(line), "```")})
		}
	}
	return all
}

var codeSpan = regexp.MustCompile("`([^`\n]+)`")

// spans returns the inline code of a text, fenced blocks left out.
func (x text) spans() []string {
	var all []string
	for i, part := range strings.Split(x.body, "```") {
		if i%2 == 1 {
			continue
		}
		for _, m := range codeSpan.FindAllStringSubmatch(part, -1) {
			all = append(all, m[1])
		}
	}
	return all
}

// section returns the lines under the heading of a text, up to the next heading of its level.
func (x text) section(heading string) string {
	_, rest, found := strings.Cut("\n"+x.body, "\n## "+heading+"\n")
	if !found {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n## ")
	return rest
}
