// Package templates holds, as data, what viber writes into projects and settings.
package templates

import _ "embed"

//go:embed viber.yml
var viberYML string

//go:embed gitignore.txt
var gitignore string

// ViberYML returns the text of a new .claude/viber.yml, at the newest schema.
func ViberYML() string { return viberYML }

// Gitignore returns the text of a .gitignore for a project that has none.
func Gitignore() string { return gitignore }

// The lines a project's .gitignore needs.
const (
	IgnoreTemp  = ".temp/"
	IgnoreLocal = ".claude/viber.local.yml"
)
