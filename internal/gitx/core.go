package gitx

import (
	"os"
	"strings"
)

// coreConfig is what finding the work tree needs of a repository's own configuration file.
type coreConfig struct {
	bare           bool
	worktree       string
	worktreeConfig bool
}

// over lays b, read later, over c.
func (c coreConfig) over(b coreConfig) coreConfig {
	if b.worktree != "" {
		c.worktree = b.worktree
	}
	c.bare = c.bare || b.bare
	return c
}

// readCore reads core.bare, core.worktree and extensions.worktreeConfig; includes are not followed, as git does not
// follow them there either. A file that cannot be read has none.
func readCore(path string) coreConfig {
	var c coreConfig
	text, err := os.ReadFile(path)
	if err != nil {
		return c
	}
	section := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			name, rest, _ := strings.Cut(head, "]")
			section, line = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(rest)
		}
		key, value, hasValue := strings.Cut(line, "=")
		c.set(section, strings.ToLower(strings.TrimSpace(key)), configValue(value), hasValue)
	}
	return c
}

func (c *coreConfig) set(section, key, value string, hasValue bool) {
	switch section + "." + key {
	case "core.bare":
		c.bare = isTrue(value, hasValue)
	case "core.worktree":
		c.worktree = value
	case "extensions.worktreeconfig":
		c.worktreeConfig = isTrue(value, hasValue)
	}
}

func isTrue(value string, hasValue bool) bool {
	if !hasValue {
		return true
	}
	switch strings.ToLower(value) {
	case "true", "yes", "on", "1":
		return true
	}
	return false
}

// configValue undoes git's quoting of a value: comment cut, blanks trimmed, quotes and backslash escapes resolved.
func configValue(raw string) string {
	var b strings.Builder
	quoted, kept := false, 0
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == '\\' && i+1 < len(raw):
			i++
			b.WriteByte(unescape(raw[i]))
			kept = b.Len()
		case c == '"':
			quoted = !quoted
			kept = b.Len()
		case !quoted && (c == '#' || c == ';'):
			return b.String()[:kept]
		case !quoted && (c == ' ' || c == '\t') && b.Len() == 0:
		default:
			b.WriteByte(c)
			if quoted || (c != ' ' && c != '\t') {
				kept = b.Len()
			}
		}
	}
	return b.String()[:kept]
}

func unescape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'b':
		return '\b'
	}
	return c
}
