package run

import (
	"path/filepath"
	"strings"
)

// hostPath reads a path from a plan or a command line: on Windows "\" separates, and "/c/x", as Git Bash writes it, is
// "C:/x". Elsewhere a path is what it says.
func hostPath(p string) string {
	if filepath.Separator != '\\' {
		return p
	}
	return windowsPath(p)
}

func windowsPath(p string) string {
	p = strings.ReplaceAll(p, `\`, "/")
	if len(p) >= 3 && p[0] == '/' && p[2] == '/' && (p[1]|0x20) >= 'a' && (p[1]|0x20) <= 'z' {
		return strings.ToUpper(p[1:2]) + ":" + p[2:]
	}
	return p
}
