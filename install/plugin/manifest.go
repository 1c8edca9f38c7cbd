package plugin

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

const manifestPath = ".claude-plugin/plugin.json"

// Contents is what a plugin would add to the client: shown before it is added.
type Contents struct {
	Name        string   `json:"name"`
	Version     string   `json:"version,omitempty"`
	Description string   `json:"description,omitempty"`
	Skills      []string `json:"skills,omitempty"`
	Agents      []string `json:"agents,omitempty"`
	Commands    []string `json:"commands,omitempty"`
	// What it may run by itself:
	Hooks   []string `json:"hooks,omitempty"` // "PreToolUse(Bash): command"
	Servers []string `json:"servers,omitempty"`
	Bin     []string `json:"bin,omitempty"`
	Modules []string `json:"modules,omitempty"`
}

// Check reads a plugin as the client would and returns what it holds, with every fault that would keep the client from
// loading it or part of it, each with the file it is in.
func Check(t Tree) (Contents, []error) {
	c := &checker{tree: t}
	c.manifest()
	c.hooks()
	c.servers(".mcp.json")
	c.servers(".lsp.json")
	for _, f := range t {
		c.file(f)
	}
	return c.found, c.faults
}

type checker struct {
	tree   Tree
	found  Contents
	faults []error
}

func (c *checker) fault(file, format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf("%s: %w", file, fmt.Errorf(format, args...)))
}

func (c *checker) manifest() {
	text, ok := c.tree.Get(manifestPath)
	if !ok {
		c.fault(manifestPath, "missing; this is no plugin, or it lies in a folder below: SOURCE//folder")
		return
	}
	var m struct {
		Name        string          `json:"name"`
		Version     string          `json:"version"`
		Description string          `json:"description"`
		Hooks       json.RawMessage `json:"hooks"`
		MCPServers  json.RawMessage `json:"mcpServers"`
		LSPServers  json.RawMessage `json:"lspServers"`
	}
	if err := json.Unmarshal(text, &m); err != nil {
		c.fault(manifestPath, "%w", err)
		return
	}
	if !validName(m.Name) {
		c.fault(manifestPath, "name %q: small letters, digits and hyphens are needed", m.Name)
	}
	c.found.Name, c.found.Version, c.found.Description = m.Name, m.Version, m.Description
	c.inlineHooks(m.Hooks)
	c.namedServers(manifestPath, m.MCPServers)
	c.namedServers(manifestPath, m.LSPServers)
}

func validName(name string) bool {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' {
			return false
		}
	}
	return name != "" && len(name) <= 64 && !strings.HasPrefix(name, "-")
}

// hookGroups is an event's list of groups in hooks.json.
type hookGroups map[string][]struct {
	Matcher string `json:"matcher"`
	Hooks   []struct {
		Type    string   `json:"type"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
		URL     string   `json:"url"`
		Prompt  string   `json:"prompt"`
	} `json:"hooks"`
}

func (c *checker) hooks() {
	const file = "hooks/hooks.json"
	text, ok := c.tree.Get(file)
	if !ok {
		return
	}
	var wrapped struct {
		Hooks   *hookGroups `json:"hooks"`
		Modules []string    `json:"modules"`
	}
	if err := json.Unmarshal(text, &wrapped); err != nil {
		c.fault(file, "%w", err)
		return
	}
	c.found.Modules = wrapped.Modules
	if wrapped.Hooks == nil {
		c.fault(file, `no "hooks" object around the events; the client would not load the plugin`)
		return
	}
	c.groups(file, *wrapped.Hooks)
}

// inlineHooks reads the manifest's own hooks: an object of events, or the paths of hook files.
func (c *checker) inlineHooks(raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	var paths []string
	var one string
	if json.Unmarshal(raw, &one) == nil {
		paths = []string{one}
	} else if json.Unmarshal(raw, &paths) != nil {
		var groups hookGroups
		if err := json.Unmarshal(raw, &groups); err != nil {
			c.fault(manifestPath, "hooks: %w", err)
			return
		}
		c.groups(manifestPath, groups)
		return
	}
	for _, p := range paths {
		if _, ok := c.tree.Get(path.Clean(p)); !ok {
			c.fault(manifestPath, "hooks: no file %s", p)
		}
	}
}

func (c *checker) groups(file string, events hookGroups) {
	for _, event := range sortedKeys(events) {
		for i, group := range events[event] {
			if len(group.Hooks) == 0 {
				c.fault(file, "%s[%d]: a group without hooks; the client would drop it or the whole plugin", event, i)
			}
			for j, h := range group.Hooks {
				what := strings.Join(append([]string{h.Command + h.URL + h.Prompt}, h.Args...), " ")
				if what == "" || h.Type == "" {
					c.fault(file, "%s[%d].hooks[%d]: no type or nothing to run", event, i, j)
				}
				c.found.Hooks = append(c.found.Hooks, strings.TrimSpace(event+matcher(group.Matcher)+": "+what))
			}
		}
	}
}

func matcher(m string) string {
	if m == "" || m == "*" {
		return ""
	}
	return "(" + m + ")"
}

func (c *checker) servers(file string) {
	text, ok := c.tree.Get(file)
	if !ok {
		return
	}
	var wrapped struct {
		MCPServers json.RawMessage `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &wrapped); err != nil {
		c.fault(file, "%w", err)
		return
	}
	if len(wrapped.MCPServers) > 0 {
		text = wrapped.MCPServers
	}
	c.namedServers(file, text)
}

func (c *checker) namedServers(file string, raw json.RawMessage) {
	if len(raw) == 0 || bytes.HasPrefix(bytes.TrimSpace(raw), []byte(`"`)) {
		return
	}
	var servers map[string]struct {
		Command string   `json:"command"`
		Args    []string `json:"args"`
		URL     string   `json:"url"`
	}
	if err := json.Unmarshal(raw, &servers); err != nil {
		c.fault(file, "servers: %w", err)
		return
	}
	for _, name := range sortedKeys(servers) {
		s := servers[name]
		c.found.Servers = append(c.found.Servers, strings.TrimSpace(name+": "+strings.Join(append([]string{s.Command + s.URL}, s.Args...), " ")))
	}
}

func (c *checker) file(f File) {
	dir, base := path.Split(f.Path)
	switch {
	case dir == "bin/":
		c.found.Bin = append(c.found.Bin, base)
	case base == "SKILL.md" && strings.HasPrefix(dir, "skills/"):
		c.found.Skills = append(c.found.Skills, path.Base(dir))
		c.frontmatter(f)
	case dir == "agents/" && strings.HasSuffix(base, ".md"):
		c.found.Agents = append(c.found.Agents, strings.TrimSuffix(base, ".md"))
		c.frontmatter(f)
	case dir == "commands/" && strings.HasSuffix(base, ".md"):
		c.found.Commands = append(c.found.Commands, strings.TrimSuffix(base, ".md"))
	}
}

func (c *checker) frontmatter(f File) {
	text := strings.ReplaceAll(string(f.Data), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, "---\n")
	head, _, closed := strings.Cut(rest, "\n---")
	if !ok || !closed {
		c.fault(f.Path, "no frontmatter between two lines ---")
		return
	}
	var fields map[string]any
	if err := yaml.Unmarshal([]byte(head), &fields); err != nil {
		c.fault(f.Path, "frontmatter: %w", err)
		return
	}
	if fields["description"] == nil {
		c.fault(f.Path, "frontmatter: no description")
	}
}

func sortedKeys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func sum(data []byte) string {
	s := sha256.Sum256(data)
	return hex.EncodeToString(s[:])
}
