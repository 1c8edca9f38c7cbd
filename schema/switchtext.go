package schema

import (
	"path/filepath"
	"strings"
)

// SwitchText returns the fragment `viber switch-text` prints for key: the file fragments/<name>.<value>.md below skillDir,
// its two variables replaced; nothing when key, name or file are not what the contract knows. A relative skillDir is meant
// from dir.
func (c *Config) SwitchText(dir, key, skillDir, name string) string {
	k, ok := Lookup(key)
	if !ok || !k.Fragment || skillDir == "" || !isFragmentName(name) {
		return ""
	}
	folder := skillDir
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(dir, folder)
	}
	text, _ := readRegular(filepath.Join(folder, "fragments", name+"."+c.fragmentValue(k)+".md"))
	filled := strings.ReplaceAll(string(text), "${CLAUDE_SKILL_DIR}", skillDir)
	return strings.ReplaceAll(filled, "${CLAUDE_PLUGIN_ROOT}", pluginRoot(skillDir))
}

// FragmentValues returns the values a fragment of key can be named after, none for a key without fragments.
func FragmentValues(key string) []string {
	k, ok := Lookup(key)
	switch {
	case !ok || !k.Fragment:
		return nil
	case k.Kind == Map:
		return []string{"off", "on"}
	}
	return k.Choices()
}

func (c *Config) fragmentValue(k Key) string {
	switch {
	case k.Kind != Map:
		return c.Value(k.Name)
	case len(c.Extensions()) == 0:
		return "off"
	}
	return "on"
}

func isFragmentName(name string) bool {
	for i := range len(name) {
		c := name[i]
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-':
		default:
			return false
		}
	}
	return name != ""
}

// pluginRoot is the skill directory two segments up: one trailing separator goes first, / and \ separate on every system.
func pluginRoot(skillDir string) string {
	const separators = `/\`
	root := skillDir
	if root != "" && strings.IndexByte(separators, root[len(root)-1]) >= 0 {
		root = root[:len(root)-1]
	}
	for range 2 {
		if i := strings.LastIndexAny(root, separators); i >= 0 {
			root = root[:i]
		}
	}
	return root
}
