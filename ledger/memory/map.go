package memory

import (
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
)

// Limits of the cascade, in bytes.
const (
	rootLimit  = 4000
	nodeLimit  = 12000
	chainLimit = 32000
)

const nodeFile = "CLAUDE.md"

// plainFiles is how many files a directory without tools of its own needs to be offered as a node.
const plainFiles = 12

// node is a CLAUDE.md or a section beside one.
type node struct {
	path  string
	bytes int
}

// cascade is the memory of a project: nodes by directory, and what lies beside them.
type cascade struct {
	tree
	nodes    map[string]node // by directory
	sections []node
}

// Map is `viber memory-map`: the project's CLAUDE.md files with their sizes, what hangs loose, what is not committed, and
// the directories that could have one. `--reset PATH...` removes the named ones (see reset). Lines as the skill memory
// describes them; it writes nothing.
func Map(ctx context.Context, c Call) error {
	if len(c.Args) > 0 {
		return c.reset(ctx)
	}
	t, err := c.tree(ctx)
	if err != nil {
		return err
	}
	m := cascadeOf(t)
	dirs := m.dirs()
	candidates := m.candidates()
	lines := []string{"id: memory-" + c.Now().Format("20060102-150405"), "state: " + m.state(len(candidates))}
	total := 0
	for _, dir := range dirs {
		lines = append(lines, m.nodeLine(dir))
		total += m.nodes[dir].bytes
	}
	for _, s := range m.sections {
		lines = append(lines, m.sectionLine(s))
		total += s.bytes
	}
	lines = append(append(lines, candidates...), m.dirtyLines(isMemory)...)
	lines = append(lines, fmt.Sprintf("total: %d files, %d bytes", len(dirs)+len(m.sections), total))
	_, err = fmt.Fprintln(c.Out, strings.Join(lines, "\n"))
	return err
}

func cascadeOf(t tree) cascade {
	m := cascade{tree: t, nodes: map[string]node{}}
	for _, name := range t.files {
		switch {
		case isNode(name):
			m.nodes[path.Dir(name)] = node{name, len(t.read(name))}
		case isMemory(name):
			m.sections = append(m.sections, node{name, len(t.read(name))})
		}
	}
	return m
}

func isNode(name string) bool { return path.Base(name) == nodeFile && path.Dir(name) != ".claude" }

// isMemory knows nodes and sections; CLAUDE.local.md is one person's own.
func isMemory(name string) bool {
	base := path.Base(name)
	return isNode(name) || base != nodeFile && base != "CLAUDE.local.md" && strings.HasPrefix(base, "CLAUDE.") && strings.HasSuffix(base, ".md")
}

func (m cascade) dirs() []string {
	var dirs []string
	for dir := range m.nodes {
		dirs = append(dirs, dir)
	}
	sort.Slice(dirs, func(i, j int) bool { return m.nodes[dirs[i]].path < m.nodes[dirs[j]].path })
	return dirs
}

func (m cascade) state(candidates int) string {
	switch {
	case len(m.nodes) == 0:
		return "none"
	case candidates > 0:
		return "partial"
	}
	return "complete"
}

func (m cascade) nodeLine(dir string) string {
	n, chain, limit := m.nodes[dir], 0, nodeLimit
	for _, d := range above(dir) {
		chain += m.nodes[d].bytes
	}
	if dir == "." {
		limit = rootLimit
	}
	line := fmt.Sprintf("node: %s | %d bytes | chain %d", n.path, n.bytes, chain)
	if n.bytes > limit {
		line += " | OVER-NODE"
	}
	if chain > chainLimit {
		line += " | OVER-CHAIN"
	}
	return line
}

func (m cascade) sectionLine(s node) string {
	owner, ok := m.nodes[path.Dir(s.path)]
	switch {
	case !ok:
		return "orphan: " + s.path
	case !strings.Contains(m.read(owner.path), path.Base(s.path)):
		return "unlinked: " + s.path
	}
	return fmt.Sprintf("section: %s | %d bytes | of %s", s.path, s.bytes, owner.path)
}

// candidates are the directories without a node that build by themselves, or hold many files of their own.
func (m cascade) candidates() []string {
	count, tools := map[string]int{}, map[string]bool{}
	for _, name := range m.files {
		dir := path.Dir(name)
		if strings.HasPrefix(dir, ".") && dir != "." || strings.Contains(dir, "/.") {
			continue
		}
		count[dir]++
		tools[dir] = tools[dir] || isBuildFile(path.Base(name))
	}
	var lines []string
	for dir, n := range count {
		_, has := m.nodes[dir]
		switch {
		case has:
		case tools[dir] || dir == ".":
			lines = append(lines, fmt.Sprintf("cand: %s | toolchain | %d files", dir, n))
		case n >= plainFiles && strings.Count(dir, "/") < 3:
			lines = append(lines, fmt.Sprintf("cand: %s | plain | %d files", dir, n))
		}
	}
	slices.Sort(lines)
	return lines
}

func isBuildFile(base string) bool {
	switch base {
	case "go.mod", "package.json", "Cargo.toml", "pyproject.toml", "setup.py", "pom.xml", "build.gradle", "build.gradle.kts",
		"Gemfile", "composer.json", "mix.exs", "Package.swift", "CMakeLists.txt", "deno.json":
		return true
	}
	return strings.HasSuffix(base, ".csproj") || strings.HasSuffix(base, ".fsproj")
}

func (t tree) dirtyLines(mine func(string) bool) []string {
	var lines []string
	for name, how := range t.dirty {
		if mine(name) {
			lines = append(lines, "dirty: "+name+" | "+how)
		}
	}
	slices.Sort(lines)
	return lines
}
