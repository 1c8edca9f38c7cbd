// Package embed carries the plugin as it is installed, so that binary and plugin can never disagree.
package embed

import (
	"archive/zip"
	_ "embed" // for the directive below
	"io/fs"
	"strings"
)

// archive is the folder plugin, packed by `go generate ./embed`: the texts take a third of their room, and each can still be
// read alone (docs/decisions/packed-plugin.md).
//
//go:generate go run ./pack plugin plugin.zip
//go:embed plugin.zip
var archive string

// Plugin returns the plugin's files; paths are those below its folder. An error means that the program is damaged.
func Plugin() (fs.FS, error) {
	return zip.NewReader(strings.NewReader(archive), int64(len(archive)))
}
