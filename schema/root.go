// Package schema is the only reader of viber.yml and viber.local.yml: the line grammar, the table of keys, the schema
// numbers and the migrations between them, the JSON Schema and the texts about the keys.
//
// The file looks like YAML and is not: the grammar is by lines (docs/viber-yml.md). Reading never fails; what the grammar
// does not understand reads as the default.
package schema

import (
	"io"
	"os"
	"path/filepath"

	"viber/internal/gitx"
)

// Root returns the project's root for the working directory dir: the top of its git work tree, links resolved, found
// without starting git; outside a work tree dir itself.
func Root(dir string) string {
	if l, ok := gitx.Find(dir); ok && l.Top != "" && isDir(l.Top) {
		return l.Top
	}
	return dir
}

// Path returns the project's shared configuration file.
func Path(root string) string { return filepath.Join(root, ".claude", "viber.yml") }

// LocalPath returns the project's personal overlay, which git ignores.
func LocalPath(root string) string { return filepath.Join(root, ".claude", "viber.local.yml") }

// UserPath returns the user's own file in the client's configuration directory.
func UserPath(configDir string) string { return filepath.Join(configDir, "viber.yml") }

// EditorPath returns the project's copy of the JSON Schema, which the template's modeline points editors to.
func EditorPath(root string) string { return filepath.Join(root, ".claude", "viber.schema.json") }

// AgentPath returns the file of a project's agent name.
func AgentPath(root, name string) string {
	return filepath.Join(root, ".claude", "agents", name+".md")
}

// maxSize bounds what is read: the rest of a larger file is not configuration.
const maxSize = 1 << 20

// readRegular returns the bytes of the regular file at path, links followed; ok is false when there is none.
// A file that is there and cannot be read counts as an empty one.
func readRegular(path string) (text []byte, ok bool) {
	if !isRegular(path) {
		return nil, false
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, true
	}
	defer f.Close()
	text, _ = io.ReadAll(io.LimitReader(f, maxSize+1)) // a byte more tells that there is more
	return text, true
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
