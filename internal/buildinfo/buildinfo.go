// Package buildinfo holds what the release build writes into the binary.
package buildinfo

import "strings"

// These are set with -ldflags "-X viber/internal/buildinfo.Version=1.2.3 ...".
// They are the only package-level variables of the program and nothing assigns them at run time.
var (
	Version = "dev"
	Commit  = ""
	Date    = ""
	// ReleaseSource is the https URL of the release feed; empty in a build that cannot upgrade itself.
	ReleaseSource = ""
	// SigningKeys are the minisign public keys releases may be signed with, separated by blanks (two, for rotation).
	SigningKeys = ""
)

// Info is what `viber version` prints.
type Info struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"`
	Source  string `json:"release_source,omitempty"`
	// Keys are the minisign public keys one of which must have signed a release.
	Keys []string `json:"signing_keys,omitempty"`
}

// Current returns the build's own information.
func Current() Info {
	return Info{Version: Version, Commit: Commit, Date: Date, Source: ReleaseSource, Keys: strings.Fields(SigningKeys)}
}
