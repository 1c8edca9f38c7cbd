package gitx

import (
	"os"
	"path/filepath"
	"strings"
)

// Env returns the environment git may see: environ without what would let a project's settings steer it (GIT_* except the
// identity and the limits of discovery, and the loader variables of the system and of interpreters). GIT_CONFIG_GLOBAL
// stays when it names a file outside top, the work tree.
func Env(environ []string, top string) []string {
	out := make([]string, 0, len(environ))
	for _, kv := range environ {
		key, value, _ := strings.Cut(kv, "=")
		if allowed(strings.ToUpper(key), value, top) {
			out = append(out, kv)
		}
	}
	return out
}

func allowed(key, value, top string) bool {
	switch {
	case key == "GIT_CONFIG_GLOBAL":
		return value == os.DevNull || filepath.IsAbs(value) && !Within(top, value)
	case strings.HasPrefix(key, "GIT_AUTHOR_"), strings.HasPrefix(key, "GIT_COMMITTER_"):
		return true
	case key == "GIT_CEILING_DIRECTORIES", key == "GIT_CONFIG_NOSYSTEM":
		return true
	case strings.HasPrefix(key, "GIT_"), strings.HasPrefix(key, "LD_"), strings.HasPrefix(key, "DYLD_"),
		strings.HasPrefix(key, "PYTHON"), key == "NODE_OPTIONS":
		return false
	}
	return true
}

// Within reports whether path lies at or below top; both are absolute. An empty top holds nothing.
func Within(top, path string) bool {
	if top == "" {
		return false
	}
	rel, err := filepath.Rel(top, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
