package host

import (
	"strconv"
	"strings"
)

// Version is a client's version; the zero value is an unknown one.
type Version struct {
	Major, Minor, Patch int
}

// ParseVersion reads the first number of the form 1.2.3 in the output of the client's version command. Text without one
// gives the unknown version.
func ParseVersion(output string) Version {
	for _, word := range strings.Fields(output) {
		parts := strings.SplitN(strings.TrimPrefix(word, "v"), ".", 3)
		if len(parts) != 3 {
			continue
		}
		patch := parts[2]
		if i := strings.IndexFunc(patch, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
			patch = patch[:i]
		}
		var v Version
		var errs [3]error
		v.Major, errs[0] = strconv.Atoi(parts[0])
		v.Minor, errs[1] = strconv.Atoi(parts[1])
		v.Patch, errs[2] = strconv.Atoi(patch)
		if errs == [3]error{} {
			return v
		}
	}
	return Version{}
}

// Known reports whether the version could be found out.
func (v Version) Known() bool { return v != Version{} }

// AtLeast reports whether v is the same as or newer than w.
func (v Version) AtLeast(w Version) bool {
	switch {
	case v.Major != w.Major:
		return v.Major > w.Major
	case v.Minor != w.Minor:
		return v.Minor > w.Minor
	}
	return v.Patch >= w.Patch
}

// String returns 1.2.3, or "unknown".
func (v Version) String() string {
	if !v.Known() {
		return "unknown"
	}
	return strconv.Itoa(v.Major) + "." + strconv.Itoa(v.Minor) + "." + strconv.Itoa(v.Patch)
}
