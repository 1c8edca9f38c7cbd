// Package embed carries the plugin as it is installed, so that binary and plugin can never disagree.
package embed

import (
	"archive/zip"
	"embed"
	"io/fs"
	"strings"
)

// archive is the folder plugin, packed by `go generate ./embed`: the texts take a third of their room, and each can still be
// read alone (docs/decisions/packed-plugin.md).
//
//go:generate go run ./pack plugin plugin.zip
//go:embed plugin.zip
var archive string

// hookTexts are what hooks say, beside the archive: a hook call opens no archive for 2 KB.
//
//go:embed plugin/hooks/content
var hookTexts embed.FS

// HookText returns the text of the plugin's file name (hooks/content/manifest.md), as hooks say it.
func HookText(name string) ([]byte, error) { return hookTexts.ReadFile("plugin/" + name) }

// Plugin returns the plugin's files; paths are those below its folder. An error means that the program is damaged.
func Plugin() (fs.FS, error) {
	return zip.NewReader(strings.NewReader(archive), int64(len(archive)))
}
