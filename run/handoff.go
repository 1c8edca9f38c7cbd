package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"viber/internal/gitx"
)

// HandoffPath is `viber handoff-path [target]`: where a handoff note goes, whether it is there already, and the branch
// (commit contract, 9.10). It makes nothing and never fails.
func HandoffPath(ctx context.Context, c Call) error {
	target := ""
	if len(c.Args) > 0 {
		target = c.Args[0]
	}
	root, branch := c.Dir, "none"
	if l, ok := gitx.Find(c.Dir); ok && l.Top != "" {
		root = l.Top
		if b, ok := c.git().Branch(ctx, l); ok {
			branch = b
		}
	}
	file := handoffFile(filepath.ToSlash(root), target)
	exists := false
	if strings.HasSuffix(file, ".md") {
		_, err := os.Stat(filepath.FromSlash(file))
		exists = err == nil
	} else {
		file += "/" + c.Now().Format("2006-01-02-15-04-05") + "_{slug}.md"
	}
	_, err := fmt.Fprintf(c.Out, "FILE=%s\nEXISTS=%t\nBRANCH=%s\n", file, exists, branch)
	return err
}

// handoffFile turns what was asked for into an absolute path with forward slashes; without .md at its end it is a directory.
func handoffFile(root, target string) string {
	target = trim(target)
	if len(target) >= 2 && target[0] == '"' && target[len(target)-1] == '"' {
		target = target[1 : len(target)-1]
	}
	target = strings.ReplaceAll(target, `\`, "/")
	switch {
	case target == "":
		return root + "/.temp/viber/handoff"
	case isAbsolute(target):
		return strings.TrimSuffix(target, "/")
	}
	target = strings.TrimSuffix(strings.TrimPrefix(target, "./"), "/")
	if target == "" || target == "." {
		return root
	}
	return root + "/" + target
}

// isAbsolute knows absolute paths of every system: a leading slash or a drive letter.
func isAbsolute(path string) bool {
	if strings.HasPrefix(path, "/") {
		return true
	}
	return len(path) >= 2 && path[1] == ':' && (path[0]|0x20) >= 'a' && (path[0]|0x20) <= 'z'
}
