// Package embed carries the plugin as it is installed, so that binary and plugin can never disagree.
package embed

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"strings"
)

// archive is the folder plugin, packed by `go generate ./embed`: a zip archive of stored files, compressed as one, so that
// the texts take a third of their room (docs/decisions/packed-plugin.md).
//
//go:generate go run ./pack plugin plugin.zip.gz
//go:embed plugin.zip.gz
var archive string

// hookTexts are what hooks say, beside the archive: a hook call opens no archive for 2 KB.
//
//go:embed plugin/hooks/content
var hookTexts embed.FS

// HookText returns the text of the plugin's file name (hooks/content/manifest.md), as hooks say it.
func HookText(name string) ([]byte, error) { return hookTexts.ReadFile("plugin/" + name) }

// Plugin returns the plugin's files; paths are those below its folder. An error means that the program is damaged.
func Plugin() (fs.FS, error) {
	compressed, err := gzip.NewReader(strings.NewReader(archive))
	if err != nil {
		return nil, err
	}
	stored, err := io.ReadAll(compressed)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(stored), int64(len(stored)))
}
