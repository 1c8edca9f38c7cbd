// Package embed carries the plugin as it is installed, so that binary and plugin can never disagree.
package embed

import "embed"

//go:embed all:plugin
var files embed.FS

// Plugin returns the plugin's files; all paths start with "plugin/".
func Plugin() embed.FS { return files }
