package install

import (
	"io/fs"
	"testing/fstest"
)

// smallPlugin stands for the embedded plugin where a test counts operations.
func smallPlugin() fs.FS {
	return fstest.MapFS{
		".claude-plugin/plugin.json":       {Data: []byte("{\n  \"name\": \"viber\",\n  \"version\": \"0.0.0\"\n}\n")},
		"skills/help/SKILL.md":             {Data: []byte("---\nname: help\n---\nhelp\n")},
		"skills/help/fragments/on.true.md": {Data: []byte("on\n")},
	}
}
